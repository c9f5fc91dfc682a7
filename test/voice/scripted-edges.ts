// The edges of a scripted conversation: those of a rehearsal, and a model that follows a script on the test's clock.
import type { Clock, Llm, LlmPart, Message } from '../../src/voice/ports.ts'
import type { SessionParts } from '../../src/voice/session.ts'

// biome-ignore lint/performance/noBarrelFile: tests ask here for all edges, wherever those live
export {
  type RecognitionScript as Hearing,
  type ScriptedUtterance as Utterance,
  scriptedStt,
  scriptedVad,
} from '../../src/simulation/scripted-stt.ts'
export {
  MS_PER_LETTER,
  type ScriptedFrame,
  type SynthesisScript as Saying,
  scriptedVoice,
} from '../../src/simulation/scripted-tts.ts'

/** One step of a model: says, calls a tool, waits this many milliseconds, or fails. */
export type ModelStep = LlmPart | number | Error
export type Reply = (to: string, turn: number, history: readonly Message[]) => string | ModelStep[] | Error | null

export function scriptedLlm(clock: Clock, reply: Reply, thinkMs: number, asked: Message[][]): Llm {
  return {
    name: 'script',
    isModel: true,
    async *reply(history, tools, _options, signal) {
      const turn = asked.push([...history]) - 1
      const to = history.findLast(({ role }) => role === 'user')?.content ?? ''
      const answer = reply(to, turn, history)
      await clock.sleep(answer === null ? 10_000_000 : thinkMs, signal)
      if (signal.aborted || answer === null) return
      if (answer instanceof Error) throw answer
      for (const each of typeof answer === 'string' ? [{ say: answer }] : answer) {
        if (signal.aborted) return
        if (each instanceof Error) throw each
        if (typeof each === 'number') await clock.sleep(each, signal)
        else if ('say' in each || tools.length > 0) yield each
      }
    },
  }
}

export const scriptedSentences: SessionParts['sentences'] = async function* (words) {
  let text = ''
  for await (const word of words) {
    text += word
    for (let end = text.search(/[.!?]\s|\n/); end !== -1; end = text.search(/[.!?]\s|\n/)) {
      yield text.slice(0, end + 1).trim()
      text = text.slice(end + 1)
    }
  }
  if (text.trim() !== '') yield text.trim()
}
