// Barge-in without words: interruptions and backchannels of voices and phrases that no rule was made with, through the real tracker, VAD and
// turn machine, in media time. Recognition never answers, so sound alone decides.
//
// npm run bench:overlaps -- [--each] [--phrases N]

import { parseArgs } from 'node:util'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { SpeechTracker } from '../../src/voice/listening/speech-tracker.ts'
import type { ListenEvent, Vad } from '../../src/voice/ports.ts'
import { step } from '../../src/voice/turn/machine.ts'
import { defaultTurnRules } from '../../src/voice/turn/rules.ts'
import { initialState, type TimerName, type TurnCommand, type TurnEvent } from '../../src/voice/turn/state.ts'
import { percentile } from '../report/figures.ts'
import { benchmark, commonOptions, note, type Report } from '../report/report.ts'
import type { Language } from '../talk/dialogue.ts'
import { lineNoise } from '../talk/noises.ts'
import { clip, FRAME, FRAME_MS, gainOf, type Utterance } from '../talk/utterance.ts'
import { openVoices, type Voice, voices } from '../talk/voices.ts'
import { type Phrase, phrases } from './phrases.ts'

const { values } = parseArgs({
  options: { ...commonOptions, each: { type: 'boolean', default: false }, phrases: { type: 'string' } },
})
const QUIET_MS = 1000
const AFTER_MS = 1500

export type Outcome = {
  readonly kind: Phrase['kind']
  readonly db: number
  readonly what: string
  /** Until the agent was ducked, and silent; null: never. */
  readonly duckedMs: number | null
  readonly stoppedMs: number | null
  /** It may have gone on in a pause of the interruption. */
  readonly silentForGoodMs: number | null
  /** How long it was silent, and how long after the end of the sound it went on. */
  readonly silentMs: number
  readonly resumedMs: number | null
  readonly lengthMs: number
}

/** The caller's own turn first: their level and pitch are then known. */
function lineOf(own: Utterance, over: Utterance, db: number): { pcm: Int16Array; atMs: number } {
  const quiet = (QUIET_MS / FRAME_MS) * FRAME
  const noise = lineNoise()
  const at = own.pcm.length + quiet
  const length = Math.ceil((at + over.pcm.length + (AFTER_MS / FRAME_MS) * FRAME) / FRAME) * FRAME
  const gain = gainOf(db)
  const pcm = Int16Array.from({ length }, (_, i) =>
    clip((own.pcm[i] ?? 0) + (over.pcm[i - at] ?? 0) * gain + (noise[i % noise.length] as number)),
  )
  return { pcm, atMs: (at / FRAME) * FRAME_MS + over.firstMs }
}

/** The agent begins to speak after the caller's own turn, and has said some of it. */
function agentSpeaking() {
  let state = initialState
  let nowMs = 0
  const timers = new Map<TimerName, number>()
  const log: { atMs: number; does: TurnCommand['do'] }[] = []
  function take(event: TurnEvent): void {
    const next = step(state, event, { ...defaultTurnRules, earlyRecognitionMs: 32 })
    state = next.state
    for (const command of next.commands) {
      log.push({ atMs: nowMs, does: command.do })
      if (command.do === 'arm') timers.set(command.timer, nowMs + command.ms)
      if (command.do === 'disarm') timers.delete(command.timer)
      if (command.do === 'resume') queueMicrotask(() => take({ type: 'playout-started', turn: state.turn }))
    }
  }
  take({ type: 'begin', speaks: true, afterMs: 0 })
  take({ type: 'playout-started', turn: 1 })
  return {
    log,
    take,
    async passTo(ms: number): Promise<void> {
      nowMs = ms
      for (const [name, atMs] of [...timers])
        if (atMs <= nowMs && timers.delete(name) && name !== 'recognition') take({ type: 'timer', name })
      await Promise.resolve()
    },
  }
}

function eventOf(event: ListenEvent): TurnEvent | null {
  if (event.type === 'candidate') return { type: 'speech-candidate', on: event.on, evidence: event.evidence }
  if (event.type === 'pause') return { type: 'speech-pause', on: event.on, voicedMs: event.voicedMs }
  if (event.type !== 'speech') return null
  const { isSpeaking: on, atMs, voicedMs, nowMs, relativeDb, prosody } = event.change
  return { type: 'speech', on, atMs, voicedMs, nowMs, relativeDb, prosody }
}

async function outcomeOf(vad: Vad, own: Utterance, over: Utterance, phrase: Phrase, db: number): Promise<Outcome> {
  const { pcm, atMs } = lineOf(own, over, db)
  const agent = agentSpeaking()
  const sinceMs = atMs - QUIET_MS / 2
  let nowMs = 0
  const tracker = new SpeechTracker(
    {
      onAudio: () => {},
      onEvent(event) {
        const taken = eventOf(event)
        if (taken && nowMs > sinceMs) agent.take(taken)
      },
    },
    { keepMs: 0, needsSilence: false, hasAmd: false, pieceMs: 60 },
  )
  const stream = vad.open(8000)
  for (let at = 0; at < pcm.length; at += FRAME) {
    nowMs = ((at + FRAME) / FRAME) * FRAME_MS
    await agent.passTo(nowMs)
    const heard = tracker.push({ pcm: pcm.subarray(at, at + FRAME), rateHz: 8000 }, nowMs)
    for (const probability of await stream.push(heard)) tracker.advance(probability)
  }
  stream.close()
  const after = (does: TurnCommand['do'], sinceMs: number) => agent.log.find((one) => one.does === does && one.atMs > sinceMs)?.atMs ?? null // biome-ignore format: one line
  const [duckedAt, stoppedAt] = [after('duck', atMs), after('stop', atMs)]
  const resumedAt = stoppedAt === null ? null : after('resume', stoppedAt)
  const lengthMs = over.lastMs - over.firstMs
  const lastStopAt = agent.log.findLast((one) => one.does === 'stop' && one.atMs > atMs && one.atMs < atMs + lengthMs)?.atMs ?? null // biome-ignore format: one line
  return {
    kind: phrase.kind,
    db,
    what: phrase.text,
    duckedMs: duckedAt === null ? null : duckedAt - atMs,
    stoppedMs: stoppedAt === null ? null : stoppedAt - atMs,
    silentForGoodMs: lastStopAt === null ? null : lastStopAt - atMs,
    silentMs: stoppedAt === null ? 0 : (resumedAt ?? nowMs) - stoppedAt,
    resumedMs: resumedAt === null ? null : resumedAt - atMs - lengthMs,
    lengthMs,
  }
}

const LEVELS_DB = [0, -4, -8]
/** The longest silence that nobody takes for a stop. */
const PAUSED_MS = 300

async function measure(report: Report): Promise<void> {
  const from = openVoices()
  const vad = await openSilero()
  const found: Outcome[] = []
  for (const [language, list] of Object.entries(phrases) as [Language, (typeof phrases)[Language]][])
    for (const name of list.voices) {
      const voice = voices[name] as Voice
      const own = await from.say(list.own, voice, language)
      for (const phrase of list.phrases.slice(0, Number(values.phrases ?? list.phrases.length))) {
        const over = await from.say(phrase.text, voice, language)
        for (const db of phrase.kind === 'interruption' ? [0] : LEVELS_DB) {
          const one = await outcomeOf(vad, own, over, phrase, db)
          found.push(one)
          if (values.each) note(`${name} ${JSON.stringify(one)}`)
        }
      }
    }
  await from.close()
  await vad.close()
  const interruptions = found.filter(({ kind }) => kind === 'interruption')
  const stops = interruptions.map(({ silentForGoodMs }) => silentForGoodMs ?? Number.POSITIVE_INFINITY)
  const ducks = interruptions.map(({ duckedMs }) => duckedMs ?? Number.POSITIVE_INFINITY)
  const figures = (all: readonly number[]) => [0.5, 0.95, 1].map((part) => percentile(all, part)?.toFixed(0) ?? '-').join(' / ') // biome-ignore format: one line
  report.text(
    `${interruptions.length} interruptions: ducked after p50 / p95 / worst ${figures(ducks)} ms, silent after ${figures(stops)} ms.`,
  )
  for (const db of LEVELS_DB) {
    const own = found.filter((one) => one.kind === 'backchannel' && one.db === db)
    const paused = own.filter(({ silentMs }) => silentMs > PAUSED_MS)
    const resumed = own.flatMap(({ resumedMs }) => resumedMs ?? [])
    report.text(
      `${own.length} backchannels at ${db} dB: ${own.filter(({ stoppedMs }) => stoppedMs !== null).length} silenced the agent, ` +
        `${paused.length} for more than ${PAUSED_MS} ms; it went on ${figures(resumed)} ms after their end.`,
    )
  }
}

await benchmark({ name: 'overlaps', title: 'Barge-in without words' }, values, measure)
