// The edges of a scripted conversation: voice activity, recogniser, model and voice that do what a script says, on the test's clock.
import type { AudioFrame, Clock, Llm, LlmPart, Message, Stt, Vad } from '../../src/voice/ports.ts'
import type { SessionParts } from '../../src/voice/session.ts'

export const RATE_HZ = 8000
export const FRAME = RATE_HZ / 50
export const MS_PER_LETTER = 60
const STEP = RATE_HZ * 0.032

/** The first sample of a voice tells which utterance it belongs to; everything that is not zero is voice. */
export const FIRST_LEVEL = 1000

export const scriptedVad: Vad = {
  open() {
    let samples = 0
    let loud = 0
    return {
      async push(pcm) {
        const steps: number[] = []
        for (const sample of pcm) {
          samples++
          if (sample !== 0) loud++
          if (samples < STEP) continue
          steps.push(loud * 2 > samples ? 0.9 : 0.05)
          samples = 0
          loud = 0
        }
        return steps
      },
      close() {},
    }
  },
}

export type Utterance = { text: string; ms: number }
/** An Error fails, null never answers, a number takes so long. */
export type Hearing = (text: string, times: number) => Error | null | number

/** Understands what is in the sound that it is given, and of a cut utterance only its first words. */
export function scriptedStt(clock: Clock, said: readonly Utterance[], hearing: Hearing, log: string[]): Stt {
  return {
    name: 'script',
    async *transcribe(audio, _options, signal) {
      const samples = new Map<number, number>()
      for await (const { pcm } of audio)
        for (const level of pcm) if (level !== 0) samples.set(level, (samples.get(level) ?? 0) + 1)
      const text = [...samples]
        .map(([level, count]) => part(said[level - FIRST_LEVEL], (count / RATE_HZ) * 1000))
        .join(' ')
      const outcome = hearing(text, log.push(text))
      await clock.sleep(typeof outcome === 'number' ? outcome : outcome === null ? 10_000_000 : 200, signal)
      if (signal.aborted) return
      if (outcome instanceof Error) throw outcome
      yield { text: text.trim(), isFinal: true }
    },
  }
}

function part(utterance: Utterance | undefined, ms: number): string {
  if (!utterance) return ''
  const { text } = utterance
  // Frames are whole: what lacks less than two of them is all there.
  return ms >= utterance.ms - 40 ? text : text.slice(0, text.lastIndexOf(' ', (ms / utterance.ms) * text.length) + 1)
}

/** What a model does: says, calls a tool, waits so many milliseconds, or fails. */
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

/** How often this was asked for before: an Error fails at once, a number makes so many ms of sound and then fails, null stalls. */
export type Saying = (text: string, times: number) => Error | null | number | undefined
export type ScriptedFrame = AudioFrame & { text: string }

export function scriptedVoice(clock: Clock, saying: Saying, hasTimings: boolean) {
  const times = new Map<string, number>()
  return async function* say(text: string, signal: AbortSignal): AsyncGenerator<ScriptedFrame> {
    const before = times.get(text) ?? 0
    times.set(text, before + 1)
    const outcome = saying(text, before)
    if (outcome instanceof Error) throw outcome
    if (outcome === null) await clock.sleep(10_000_000, signal)
    const begins = new Map(
      [...text.matchAll(/\S+/g)].map((word) => [Math.floor((word.index * MS_PER_LETTER) / 20) * 20, word[0]]),
    )
    for (let ms = 0; ms < text.length * MS_PER_LETTER; ms += 20) {
      if (signal.aborted) return
      if (typeof outcome === 'number' && ms >= outcome) throw new Error('the voice broke off')
      const words = hasTimings ? begins.get(ms) : undefined
      yield { pcm: new Int16Array(FRAME), rateHz: RATE_HZ, text, ...(words ? { words } : {}) }
    }
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
