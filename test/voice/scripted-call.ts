// A caller who follows a script, on a clock of the test: the engine is real, and its edges (ear's model, recogniser, model, voice) are ours.
import type { Audio, AudioFrame, CallAction, Llm, LlmPart, Stt, Transport, Vad } from '../../src/voice/ports.ts'
import { runSession, type SessionEvent, type SessionOptions } from '../../src/voice/session.ts'
import { type TurnRules, usualRules } from '../../src/voice/turn-rules.ts'
import { ManualClock } from './manual-clock.ts'

const RATE_HZ = 8000
const FRAME = RATE_HZ / 50
const MS_PER_LETTER = 60

export type Script = {
  opening?: string | null
  /** What the model says to this; an Error fails, null never answers. */
  reply?: (to: string, turn: number) => string | LlmPart[] | Error | null
  rules?: Partial<TurnRules>
  modelMs?: number
  recognitionMs?: number
  options?: Partial<SessionOptions>
  tools?: Parameters<typeof runSession>[0]['tools']
}

export type Line = { at: number; who: 'caller' | 'agent'; text: string; isCut: boolean }

export function scriptedCall(script: Script = {}) {
  const clock = new ManualClock()
  const caller = new AbortController()
  const heard: { text: string; from: number; to: number; isCut: boolean }[] = []
  const lines: Line[] = []
  const events: SessionEvent[] = []
  const acts: CallAction[] = []
  const recognised: string[] = []
  const keys: string[] = []
  let wakeKeys = () => {}
  let voicedUntil = -1
  let turns = 0

  async function* input(): Audio & AsyncGenerator<AudioFrame> {
    while (!caller.signal.aborted) {
      await clock.sleep(20, caller.signal)
      const loud = clock.now() <= voicedUntil
      yield { pcm: new Int16Array(FRAME).fill(loud ? 8000 : 0), rateHz: RATE_HZ }
    }
  }
  async function* digits(): AsyncGenerator<string> {
    while (!caller.signal.aborted) {
      const digit = keys.shift()
      if (digit !== undefined) yield digit
      else
        await new Promise<void>((wake) => {
          wakeKeys = wake
          caller.signal.addEventListener('abort', () => wake(), { once: true })
        })
    }
  }

  let mouth: Promise<unknown> = Promise.resolve()
  const transport: Transport = {
    input: input(),
    digits: digits(),
    play(audio, signal) {
      const played = mouth.then(() => playNow(audio, signal))
      mouth = played.catch(() => {})
      return played
    },
    act: async (action) => void acts.push(action),
  }
  async function playNow(audio: Audio, signal: AbortSignal): Promise<{ heardMs: number }> {
    let heardMs = 0
    const entry = { text: '', from: clock.now(), to: clock.now(), isCut: false }
    heard.push(entry)
    for await (const frame of audio) {
      if (signal.aborted) break
      entry.text = frame.words ?? entry.text
      const before = clock.now()
      await clock.sleep((frame.pcm.length / frame.rateHz) * 1000, signal)
      heardMs += clock.now() - before
      entry.to = clock.now()
      if (signal.aborted) break
    }
    entry.isCut = signal.aborted
    return { heardMs }
  }

  const vad: Vad = {
    open: () => {
      let samples = 0
      let loud = 0
      return {
        async push(pcm) {
          const steps: number[] = []
          for (const sample of pcm) {
            samples++
            if (sample !== 0) loud++
            if (samples < RATE_HZ * 0.032) continue
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
  const stt: Stt = {
    name: 'script',
    async *transcribe(audio, _options, signal) {
      for await (const _ of audio);
      await clock.sleep(script.recognitionMs ?? 200, signal)
      yield { text: recognised.shift() ?? '', isFinal: true }
    },
  }
  const llm: Llm = {
    name: 'script',
    isModel: true,
    async *reply(history, _tools, _options, signal) {
      const to = history.findLast(({ role }) => role === 'user')?.content ?? ''
      const answer = script.reply ? script.reply(to, turns++) : `Resposta a: ${to}`
      await clock.sleep(answer === null ? 10_000_000 : (script.modelMs ?? 300), signal)
      if (signal.aborted || answer === null) return
      if (answer instanceof Error) throw answer
      if (typeof answer === 'string') yield { say: answer }
      else yield* answer
    },
  }
  async function* say(text: string): AsyncGenerator<AudioFrame> {
    for (let ms = 0; ms < text.length * MS_PER_LETTER; ms += 20)
      yield { pcm: new Int16Array(FRAME), rateHz: RATE_HZ, words: text }
  }
  async function* sentences(words: AsyncIterable<string>): AsyncGenerator<string> {
    let text = ''
    for await (const word of words) {
      text += word
      for (let end = text.search(/[.!?] /); end !== -1; end = text.search(/[.!?] /)) {
        yield text.slice(0, end + 1)
        text = text.slice(end + 2)
      }
    }
    if (text.trim() !== '') yield text
  }

  const options: SessionOptions = {
    language: 'pt-BR',
    systemPrompt: 'Você é a Ana.',
    rules: { ...usualRules, ...script.rules },
    opening: script.opening === undefined ? 'Olá, sou a Ana.' : script.opening,
    ...script.options,
  }
  const parts = { transport, vad, stt, llm, say, sentences, tools: script.tools ?? [], clock }
  let ended: { endReason: string; at: number } | undefined
  const done = runSession(parts, options, caller.signal, (event) => {
    events.push(event)
    if (event.type === 'said') lines.push({ at: clock.now(), who: event.who, text: event.text, isCut: event.isCut })
  }).then((end) => {
    ended = { ...end, at: clock.now() }
    return end
  })

  return {
    clock,
    lines,
    events,
    acts,
    /** What came out of the agent's mouth, and when. */
    heard,
    get ended() {
      return ended
    },
    pass: (ms: number) => clock.pass(ms),
    /** The caller's voice for so long, which the recogniser understands as this. Ends with his last sound. */
    async says(text: string, ms = text.length * MS_PER_LETTER) {
      recognised.push(text)
      voicedUntil = clock.now() + ms
      await clock.pass(ms)
    },
    async presses(digits: string) {
      keys.push(...digits)
      wakeKeys()
      await clock.pass(20)
    },
    async leaves() {
      caller.abort()
      await clock.pass(0)
      return done
    },
    done,
  }
}
