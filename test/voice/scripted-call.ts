// A caller who follows a script, on the test's clock: the engine is real, its edges (VAD, recognizer, model, voice) are
// scripted.
import { FIRST_LEVEL, FRAME } from '../../src/simulation/scripted-stt.ts'
import { type PlayedSentence, scriptedTransport } from '../../src/simulation/scripted-transport.ts'
import type { SpeechInProgress } from '../../src/voice/agent-turn-types.ts'
import type { CallAction, Clock, Llm, Message, Stt, Tool, TurnModel, Vad } from '../../src/voice/ports.ts'
import { runSession, type SessionControl, type SessionEvent, type SessionOptions } from '../../src/voice/session.ts'
import { defaultTurnRules, type TurnRules } from '../../src/voice/turn/rules.ts'
import { type LiveScript, liveStt } from './live-stt.ts'
import { ManualClock } from './manual-clock.ts'
import {
  type Hearing,
  MS_PER_LETTER,
  type Reply,
  type Saying,
  scriptedLlm,
  scriptedSentences,
  scriptedStt,
  scriptedVad,
  scriptedVoice,
  type Utterance,
} from './scripted-edges.ts'

export type Script = {
  opening?: string | null
  /** The model's reply to this; an Error fails, null never replies. */
  reply?: Reply
  rules?: Partial<TurnRules>
  modelMs?: number
  /** Wraps the scripted model. */
  wrap?: (llm: Llm) => Llm
  recognitionMs?: number
  hearing?: Hearing
  saying?: Saying
  /** The voice reports where each word begins. */
  hasTimings?: boolean
  options?: Partial<SessionOptions>
  tools?: readonly Tool[]
  turnModel?: TurnModel
  vad?: Vad
  /** Or made for the call's clock. */
  stt?: Stt | ((clock: Clock) => Stt)
  /** What is on the line, in 20 ms from this time on, instead of the script's voices. */
  sound?: (atMs: number) => Int16Array
  /** Scripted streaming recognition. */
  live?: LiveScript
}

const FRAME_MS = 20

export type Line = { at: number; who: 'caller' | 'agent'; text: string; isCut: boolean }

export function scriptedCall(script: Script = {}) {
  const { wrap = (llm) => llm } = script
  const clock = new ManualClock()
  const lines: Line[] = []
  const events: SessionEvent[] = []
  /** Speech in progress, with its live words. */
  const speaking: ({ at: number } & SpeechInProgress)[] = []
  /** The model's input and the recognizer's output, in order. */
  const asked: Message[][] = []
  const recognized: string[] = []
  const said: Utterance[] = []
  let lead: SessionControl | undefined
  let voicedUntil = -1
  let tone = { hz: 0, from: 0, until: -1 }

  const live = liveStt(clock, said, script.live ?? {})
  const batch = scriptedStt(clock, said, script.hearing ?? (() => script.recognitionMs ?? 200), recognized)
  const line = scriptedTransport(clock, () => {
    if (script.sound) return script.sound(clock.now() - FRAME_MS)
    if (clock.now() <= tone.until) return toneFrame(tone.hz, clock.now() - tone.from)
    const isLoud = clock.now() <= voicedUntil
    return new Int16Array(FRAME).fill(isLoud ? FIRST_LEVEL + said.length - 1 : 0)
  })
  const parts = {
    transport: line.transport,
    vad: script.vad ?? scriptedVad,
    ...(script.turnModel ? { turnModel: script.turnModel } : {}),
    stt: typeof script.stt === 'function' ? script.stt(clock) : (script.stt ?? (script.live ? live : batch)),
    llm: wrap(scriptedLlm(clock, script.reply ?? ((to) => `Resposta a: ${to}`), script.modelMs ?? 300, asked)),
    say: scriptedVoice(clock, {
      ...(script.saying ? { script: script.saying } : {}),
      hasTimings: script.hasTimings ?? false,
    }),
    sentences: scriptedSentences,
    tools: script.tools ?? [],
    clock,
    onReady: (given: SessionControl) => {
      lead = given
    },
    onSpeaking: (speech: SpeechInProgress) => void speaking.push({ at: clock.now(), ...speech }),
  }
  const options: SessionOptions = {
    language: 'pt-BR',
    systemPrompt: 'Você é a Ana.',
    rules: { ...defaultTurnRules, ...script.rules },
    opening: script.opening === undefined ? 'Olá, sou a Ana.' : script.opening,
    ...script.options,
  }
  let ended: { endReason: string; at: number } | undefined
  const onEvent = (event: SessionEvent) => {
    events.push(event)
    if (event.type === 'utterance')
      lines.push({ at: clock.now(), who: event.who, text: event.text, isCut: event.isCut })
  }
  const done = runSession({ ...parts, onEvent }, options, line.signal).then((end) => {
    ended = { ...end, at: clock.now() }
    return end
  })

  return {
    clock,
    lines,
    events,
    speaking,
    acts: line.acts as CallAction[],
    volumes: line.volumes as { at: number; gain: number }[],
    holds: line.holds as { at: number; isHeld: boolean }[],
    asked,
    recognized,
    /** Audio that the streaming recognizer received. */
    streams: live.streams,
    heard: line.played as PlayedSentence[],
    get ended() {
      return ended
    },
    /** The operator's control of the conversation. */
    get lead() {
      return lead as SessionControl
    },
    get now() {
      return clock.now()
    },
    /** The last heard sentence of the agent that begins with this text. */
    lastHeard: (text: string) => line.played.findLast((each) => each.text.startsWith(text)),
    /** The recorded transcript: who said what. */
    record: () => lines.map(({ who, text, isCut }) => `${who}: ${text}${isCut ? '…' : ''}`),
    /**
     * What the agent accepted as whole turns of the caller. The model may have been asked more often, because it is
     * also asked preemptively.
     */
    turns: () => lines.filter(({ who }) => who === 'caller').map(({ text }) => text),
    /** The question in each request to the model: the caller's last words. */
    questions: () => asked.map((history) => history.findLast(({ role }) => role === 'user')?.content ?? ''),
    pass: (ms: number) => clock.pass(ms),
    /**
     * The caller speaks for this long, and the recognizer returns this text (empty for noise). Resolves at their last
     * sound.
     */
    async says(text: string, ms = text.length * MS_PER_LETTER) {
      this.begins(text, ms)
      await clock.pass(ms)
    },
    /** Like `says`, but does not advance the clock. */
    begins(text: string, ms: number) {
      said.push({ text, ms })
      voicedUntil = clock.now() + ms
    },
    /** A tone on the line, which VAD must tell apart from a voice. */
    async beeps(hz: number, ms: number) {
      tone = { hz, from: clock.now(), until: clock.now() + ms }
      await clock.pass(ms)
    },
    async presses(digits: string) {
      line.press(digits)
      await clock.pass(20)
    },
    async leaves() {
      line.leave()
      await clock.pass(0)
      // Pending audio is still recognized.
      for (let waited = 0; waited < 4000 && !ended; waited += 200) await clock.pass(200)
      return done
    },
    done,
  }
}

/** Quieter than the script's voices. */
const toneFrame = (hz: number, fromMs: number) =>
  Int16Array.from({ length: FRAME }, (_, i) =>
    Math.round(0.9 * FIRST_LEVEL * Math.sin(2 * Math.PI * hz * (fromMs / 1000 + i / (FRAME * 50)))),
  )

export type ScriptedCall = ReturnType<typeof scriptedCall>
