// A caller who follows a script, on a clock of the test: the engine is real, and its edges (ear's model, recogniser, model, voice) are ours.
import type { Audio, AudioFrame, CallAction, Message, Tool, Transport } from '../../src/voice/ports.ts'
import { runSession, type SessionEvent, type SessionOptions } from '../../src/voice/session.ts'
import { type TurnRules, usualRules } from '../../src/voice/turn-rules.ts'
import { ManualClock } from './manual-clock.ts'
import {
  FIRST_LEVEL,
  FRAME,
  type Hearing,
  MS_PER_LETTER,
  RATE_HZ,
  type Reply,
  type Saying,
  type ScriptedFrame,
  scriptedLlm,
  scriptedSentences,
  scriptedStt,
  scriptedVad,
  scriptedVoice,
  type Utterance,
} from './scripted-edges.ts'

export type Script = {
  opening?: string | null
  /** What the model says to this; an Error fails, null never answers. */
  reply?: Reply
  rules?: Partial<TurnRules>
  modelMs?: number
  recognitionMs?: number
  hearing?: Hearing
  saying?: Saying
  /** The voice tells where each word begins. */
  hasTimings?: boolean
  options?: Partial<SessionOptions>
  tools?: readonly Tool[]
}

export type Line = { at: number; who: 'caller' | 'agent'; text: string; isCut: boolean }
/** What came out of the agent's mouth, and when. */
export type Heard = { text: string; from: number; to: number; isCut: boolean }

export function scriptedCall(script: Script = {}) {
  const clock = new ManualClock()
  const caller = new AbortController()
  const heard: Heard[] = []
  const lines: Line[] = []
  const events: SessionEvent[] = []
  const acts: CallAction[] = []
  const volumes: { at: number; gain: number }[] = []
  /** What the model was given, and the recogniser understood, each time. */
  const asked: Message[][] = []
  const recognised: string[] = []
  const said: Utterance[] = []
  const keys: string[] = []
  let wakeKeys = () => {}
  let voicedUntil = -1

  async function* input(): AsyncGenerator<AudioFrame> {
    while (!caller.signal.aborted) {
      await clock.sleep(20, caller.signal)
      const isLoud = clock.now() <= voicedUntil
      yield { pcm: new Int16Array(FRAME).fill(isLoud ? FIRST_LEVEL + said.length - 1 : 0), rateHz: RATE_HZ }
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
    volume: (gain) => void volumes.push({ at: clock.now(), gain }),
    act: async (action) => void acts.push(action),
  }
  async function playNow(audio: Audio, signal: AbortSignal): Promise<{ heardMs: number }> {
    let entry: Heard | undefined
    for await (const frame of audio as AsyncIterable<ScriptedFrame>) {
      if (signal.aborted) break
      if (!entry) {
        entry = { text: frame.text, from: clock.now(), to: clock.now(), isCut: false }
        heard.push(entry)
      }
      await clock.sleep((frame.pcm.length / frame.rateHz) * 1000, signal)
      entry.to = clock.now()
      if (signal.aborted) break
    }
    if (entry) entry.isCut = signal.aborted
    return { heardMs: entry ? entry.to - entry.from : 0 }
  }

  const parts = {
    transport,
    vad: scriptedVad,
    stt: scriptedStt(clock, said, script.hearing ?? (() => script.recognitionMs ?? 200), recognised),
    llm: scriptedLlm(clock, script.reply ?? ((to) => `Resposta a: ${to}`), script.modelMs ?? 300, asked),
    say: scriptedVoice(clock, script.saying ?? (() => undefined), script.hasTimings ?? false),
    sentences: scriptedSentences,
    tools: script.tools ?? [],
    clock,
  }
  const options: SessionOptions = {
    language: 'pt-BR',
    systemPrompt: 'Você é a Ana.',
    rules: { ...usualRules, ...script.rules },
    opening: script.opening === undefined ? 'Olá, sou a Ana.' : script.opening,
    ...script.options,
  }
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
    volumes,
    asked,
    recognised,
    heard,
    get ended() {
      return ended
    },
    get now() {
      return clock.now()
    },
    /** The last thing that was heard of the agent which begins like this. */
    lastHeard: (text: string) => heard.findLast((each) => each.text.startsWith(text)),
    /** Who said what, as it is on record. */
    record: () => lines.map(({ who, text, isCut }) => `${who}: ${text}${isCut ? '…' : ''}`),
    /** What the model was asked each time: the caller's last words. */
    questions: () => asked.map((history) => history.findLast(({ role }) => role === 'user')?.content ?? ''),
    pass: (ms: number) => clock.pass(ms),
    /** The caller's voice for so long, which the recogniser understands as this (noise, if it is empty). Ends with his last sound. */
    async says(text: string, ms = text.length * MS_PER_LETTER) {
      this.begins(text, ms)
      await clock.pass(ms)
    },
    /** As `says`, but time does not pass. */
    begins(text: string, ms: number) {
      said.push({ text, ms })
      voicedUntil = clock.now() + ms
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
export type ScriptedCall = ReturnType<typeof scriptedCall>
