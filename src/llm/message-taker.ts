// Takes a message when no language model is left: says so, asks for name, number and matter by rule, and says goodbye.
// Derives its state from the history, because early replies are discarded, callers interrupt, and chats resume.
import type { Llm, LlmPart } from '../voice/ports.ts'
import { messageView, type View } from './message-history.ts'
import { messageLanguage } from './message-phrases.ts'
import { goodbyeOf } from './message-speech.ts'
import { sentencesOf } from './words.ts'

/** The message. `isComplete`: the caller was asked for everything and did not leave before. */
export type TakenMessage = {
  name: string | null
  /** E.164 where the country is known; the caller's own number if they gave none. */
  phoneNumber: string | null
  matter: string | null
  isComplete: boolean
}

export type MessageTakerOptions = {
  /** The caller's number; null if unknown. */
  ownNumber: string | null
  /** `text`: digits are not spelled out, and there is no keypad. */
  medium: 'voice' | 'text'
  /** Called when the message is complete, and by `end` with what there is; only if something has changed. */
  onMessage: (message: TakenMessage) => void
}

type MessageTaker = Llm & {
  /** The conversation is over, or a text may have been the last one: hands over what was taken so far. */
  end(): void
}

const MESSAGE_TAKER = 'message taker'
/** After this many replies the caller hears the goodbye. */
const MAX_REPLIES = 60

export function messageTaker({ ownNumber, medium, onMessage }: MessageTakerOptions): MessageTaker {
  let latest: View | null = null
  let handedOver = ''
  let replies = 0

  function handOver({ state, isSuspended }: View, isComplete: boolean): void {
    const { name, phone, matter, hasAnswers } = state
    // If a model has taken over again, a matter from before needs no call-back.
    if (phone === null && matter === null) return
    if (!hasAnswers && isSuspended) return
    const message = { name, phoneNumber: phone ?? ownNumber, matter, isComplete }
    const key = JSON.stringify([message.name, message.phoneNumber, message.matter])
    if (key === handedOver) return
    handedOver = key
    onMessage(message)
  }

  return {
    name: MESSAGE_TAKER,
    isModel: false,

    async *reply(history, _tools, { language, isAboutConversation }, signal): AsyncGenerator<LlmPart> {
      if (isAboutConversation) throw new Error('The message taker talks to callers only.')
      const view = messageView(history, { language: messageLanguage(language), ownNumber, medium })
      latest = view
      replies += 1
      const isOver = view.state.step === 'done' || replies > MAX_REPLIES
      if (isOver) handOver(view, true)
      else if (medium === 'text') handOver(view, false)
      const sentences = sentencesOf(isOver && view.state.step !== 'done' ? goodbyeOf(view.state) : view.say)
      for (const [i, sentence] of sentences.entries()) {
        if (signal.aborted) return
        const isLast = i === sentences.length - 1
        yield { say: isLast ? sentence : `${sentence} `, ...(isLast && isOver ? { endsCall: 'agent_ended' } : {}) }
      }
    },

    end() {
      if (latest) handOver(latest, latest.state.step === 'done')
    },
  }
}
