// The message taker's sentences: the question of each state, and the goodbye.
import { collectPhrasesOf } from '../dictation/collect-phrases.ts'
import { promptFor } from '../dictation/collect-speech.ts'
import { spokenGroups } from '../dictation/spoken-groups.ts'
import type { MessageState } from './message-dialogue.ts'
import { type MessagePhrases, messagePhrasesOf } from './message-phrases.ts'

const LAST_DIGITS = 4
/** Length of the matter when read back. */
const MAX_SPOKEN_MATTER = 160

export const openingOf = ({ context }: MessageState): string => messagePhrasesOf(context.language).opening

/** The next question, or the goodbye when the message is complete. */
export function questionOf(state: MessageState): string {
  const { context, step, isAgain, isWaiting, name, matter } = state
  const phrases = messagePhrasesOf(context.language)
  if (isWaiting) return collectPhrasesOf(context.language).waiting
  switch (step) {
    case 'name':
      return isAgain ? phrases.askNameAgain : phrases.askName
    case 'offer': {
      const digits = lastDigits(state)
      return isAgain ? phrases.offerNumberAgain(digits) : thanked(state, phrases.offerNumber(digits))
    }
    case 'number':
      return numberQuestion(state, phrases)
    case 'matter':
      if (isAgain) return phrases.askMatterAgain
      return matter === null ? phrases.askMatter : phrases.goAhead
    case 'more':
      return phrases.askMore(shortened(matter ?? ''))
    case 'confirm':
      return isAgain
        ? phrases.readBackAgain
        : phrases.readBack({ name, phone: spokenPhone(state), matter: heardMatter(state) })
    case 'correct':
      return phrases.askCorrection
    case 'done':
      return goodbyeOf(state)
  }
}

export function goodbyeOf({ context, name, phone }: MessageState): string {
  const hasNumber = phone !== null || context.ownNumber !== null
  // In a chat, promise a call only if there is a number.
  const willCall = context.medium === 'voice' ? hasNumber : phone !== null
  return messagePhrasesOf(context.language).goodbye({ name, willCall })
}

function numberQuestion(state: MessageState, phrases: MessagePhrases): string {
  const { context, dictation, isAgain } = state
  if (dictation) return promptFor(dictation)
  const keypad = context.medium === 'voice' ? ` ${phrases.keypad}` : ''
  const sorry = isAgain ? `${collectPhrasesOf(context.language).notUnderstood} ` : ''
  const question = sorry + phrases.askNumber + keypad
  return context.ownNumber === null && !isAgain ? thanked(state, question) : question
}

/** The name was the last thing that was asked. */
const thanked = ({ name, context }: MessageState, question: string): string =>
  name === null ? question : `${messagePhrasesOf(context.language).thanks(name)} ${question}`

function lastDigits({ context }: MessageState): string {
  const digits = (context.ownNumber ?? '').replace(/\D/g, '').slice(-LAST_DIGITS)
  return context.medium === 'voice' ? spokenGroups('plate', digits, context.language) : digits
}

const spokenPhone = ({ phone, context }: MessageState): string | null =>
  phone === null || context.medium === 'text' ? phone : spokenGroups('phone', phone, context.language)

const heardMatter = ({ matter }: MessageState): string | null => (matter === null ? null : shortened(matter))

function shortened(text: string): string {
  if (text.length <= MAX_SPOKEN_MATTER) return text
  const cut = text.slice(0, MAX_SPOKEN_MATTER).toWellFormed()
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))}…`
}
