// A caller who follows a script, on a clock of the test: the engine is real, and its edges (ear's model, recognizer, model, voice) are ours.
import { FIRST_LEVEL, FRAME } from '../../src/simulation/scripted-stt.ts'
import { type PlayedSentence, scriptedTransport } from '../../src/simulation/scripted-transport.ts'
import type { SpeechInProgress } from '../../src/voice/agent-turn-types.ts'
import type { CallAction, Llm, Message, Stt, Tool, TurnModel, Vad } from '../../src/voice/ports.ts'
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
  /** What the model says to this; an Error fails, null never answers. */
  reply?: Reply
  rules?: Partial<TurnRules>
  modelMs?: number
  /** Around the scripted model. */
  wrap?: (llm: Llm) => Llm
  recognitionMs?: number
  hearing?: Hearing
  saying?: Saying
  /** The voice tells where each word begins. */
  hasTimings?: boolean
  options?: Partial<SessionOptions>
  tools?: readonly Tool[]
  turnModel?: TurnModel
  vad?: Vad
  stt?: Stt
  /** Recognition while the caller speaks. */
  live?: LiveScript
}

export type Line = { at: number; who: 'caller' | 'agent'; text: string; isCut: boolean }

export function scriptedCall(script: Script = {}) {
  const { wrap = (llm) => llm } = script
  const clock = new ManualClock()
  const lines: Line[] = []
  const events: SessionEvent[] = []
  /** Words while they are spoken. */
  const speaking: ({ at: number } & SpeechInProgress)[] = []
  /** What the model was given, and the recognizer understood, each time. */
  const asked: Message[][] = []
  const recognized: string[] = []
  const said: Utterance[] = []
  let lead: SessionControl | undefined
  let voicedUntil = -1
  let tone = { hz: 0, from: 0, until: -1 }

  const live = liveStt(clock, said, script.live ?? {})
  const batch = scriptedStt(clock, said, script.hearing ?? (() => script.recognitionMs ?? 200), recognized)
  const line = scriptedTransport(clock, () => {
    if (clock.now() <= tone.until) return toneFrame(tone.hz, clock.now() - tone.from)
    const isLoud = clock.now() <= voicedUntil
    return new Int16Array(FRAME).fill(isLoud ? FIRST_LEVEL + said.length - 1 : 0)
  })
  const parts = {
    transport: line.transport,
    vad: script.vad ?? scriptedVad,
    ...(script.turnModel ? { turnModel: script.turnModel } : {}),
    stt: script.stt ?? (script.live ? live : batch),
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
    /** What a live recognizer was given. */
    streams: live.streams,
    heard: line.played as PlayedSentence[],
    get ended() {
      return ended
    },
    /** What an operator can do with the conversation. */
    get lead() {
      return lead as SessionControl
    },
    get now() {
      return clock.now()
    },
    /** The last thing that was heard of the agent which begins like this. */
    lastHeard: (text: string) => line.played.findLast((each) => each.text.startsWith(text)),
    /** Who said what, as it is on record. */
    record: () => lines.map(({ who, text, isCut }) => `${who}: ${text}${isCut ? '…' : ''}`),
    /** What the agent took for a whole turn of the caller. What the model was asked may be more: it is asked on a guess too. */
    turns: () => lines.filter(({ who }) => who === 'caller').map(({ text }) => text),
    /** What the model was asked each time: the caller's last words. */
    questions: () => asked.map((history) => history.findLast(({ role }) => role === 'user')?.content ?? ''),
    pass: (ms: number) => clock.pass(ms),
    /** The caller's voice for so long, which the recognizer understands as this (noise, if it is empty). Ends with his last sound. */
    async says(text: string, ms = text.length * MS_PER_LETTER) {
      this.begins(text, ms)
      await clock.pass(ms)
    },
    /** As `says`, but time does not pass. */
    begins(text: string, ms: number) {
      said.push({ text, ms })
      voicedUntil = clock.now() + ms
    },
    /** A tone on the line; what hears voices must know it from one. */
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
      // What is pending is still recognized.
      for (let waited = 0; waited < 4000 && !ended; waited += 200) await clock.pass(200)
      return done
    },
    done,
  }
}

/** Quieter than a voice of the script. */
const toneFrame = (hz: number, fromMs: number) =>
  Int16Array.from({ length: FRAME }, (_, i) =>
    Math.round(0.9 * FIRST_LEVEL * Math.sin(2 * Math.PI * hz * (fromMs / 1000 + i / (FRAME * 50)))),
  )

export type ScriptedCall = ReturnType<typeof scriptedCall>
