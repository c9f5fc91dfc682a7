// A call's caller once more: the steps of a script, from what he said or from how he sounded. Pure but for voice activity.
import { levelDb } from '../audio/measure.ts'
import { resampleInSteps } from '../audio/resample-in-steps.ts'
import { parseWavHeader, pcmOf } from '../audio/wav.ts'
import type { Vad } from '../voice/ports.ts'
import { advance, quietActivity } from '../voice/vad-segmenter.ts'
import type { RehearsedTurn } from './outcome.ts'
import type { Step } from './script.ts'
import { FRAME, RATE_HZ } from './scripted-stt.ts'
import { MS_PER_LETTER } from './scripted-tts.ts'

/** Where the agent was cut off, he speaks when as much of its answer was heard as then. */
export function stepsOfTurns(turns: readonly RehearsedTurn[]): Step[] {
  return turns.flatMap(({ caller }, i): Step[] => {
    if (caller === null || caller.trim() === '') return []
    const before = turns[i - 1]
    if (!before) return [{ says: caller, afterMs: 0 }]
    if (!before.isCut || !before.agent) return [{ says: caller }]
    return [{ says: caller, interruptsAfterMs: before.agent.length * MS_PER_LETTER }]
  })
}

export type Recorded = { caller: Int16Array; agent: Int16Array }

/** The two sides of a recording at 8 kHz: the far side is left. */
export async function sidesOf(wav: Buffer): Promise<Recorded> {
  const header = parseWavHeader(wav)
  if (header?.channels !== 2 || header.bits !== 16) throw new Error('the recording has not two sides')
  const all = pcmOf(wav.subarray(header.dataAt, Math.min(wav.length, header.dataAt + header.dataBytes)))
  const side = (channel: number) => {
    const pcm = new Int16Array(Math.floor(all.length / 2))
    for (let i = 0; i < pcm.length; i++) pcm[i] = all[2 * i + channel] as number
    return resampleInSteps(pcm, header.rateHz, RATE_HZ)
  }
  return { caller: await side(0), agent: await side(1) }
}

type Span = { fromMs: number; toMs: number }

/** Pauses up to this are kept as they were: nobody answers in them. */
const SAME_BREATH_MS = 1200
const SOUND_DB = -45
/** Between two words of the agent. */
const BETWEEN_MS = 400
const TAIL_MS = 100

export async function stepsOfRecording({ caller, agent }: Recorded, vad: Vad): Promise<Step[]> {
  const agentSpans = soundOf(agent)
  const voices = await voicesIn(caller, vad)
  const samples = (ms: number) => Math.round((ms * RATE_HZ) / 1000)
  return voices.map(({ fromMs, toMs }, i): Step => {
    const pcm = caller.subarray(samples(fromMs), samples(toMs + TAIL_MS))
    const gapMs = fromMs - (voices[i - 1]?.toMs ?? 0) - TAIL_MS
    if (i > 0 && gapMs < SAME_BREATH_MS) return { says: '', pcm, afterMs: Math.max(0, gapMs) }
    const over = agentSpans.find((span) => span.fromMs < fromMs && span.toMs > fromMs)
    if (over) return { says: '', pcm, interruptsAfterMs: fromMs - over.fromMs }
    // Who spoke before the agent did speaks before it again.
    const isFirst = i === 0 && !agentSpans.some((span) => span.fromMs < fromMs)
    return { says: '', pcm, ...(isFirst ? { afterMs: fromMs } : {}) }
  })
}

async function voicesIn(pcm: Int16Array, vad: Vad): Promise<Span[]> {
  const stream = vad.open(RATE_HZ)
  const spans: Span[] = []
  let activity = quietActivity
  let startedMs: number | null = null
  try {
    for (let at = 0; at < pcm.length; at += FRAME)
      for (const probability of await stream.push(pcm.slice(at, at + FRAME))) {
        const next = advance(activity, probability)
        activity = next.activity
        if (next.event?.type === 'start') startedMs = next.event.fromMs
        if (next.event?.type !== 'end') continue
        spans.push({ fromMs: startedMs ?? 0, toMs: next.event.toMs })
        startedMs = null
      }
  } finally {
    stream.close()
  }
  if (startedMs !== null) spans.push({ fromMs: startedMs, toMs: (pcm.length / RATE_HZ) * 1000 })
  return spans
}

/** Where there is sound, by its level. */
function soundOf(pcm: Int16Array): Span[] {
  const spans: Span[] = []
  for (let at = 0; at + FRAME <= pcm.length; at += FRAME) {
    if (levelDb(pcm.subarray(at, at + FRAME)) < SOUND_DB) continue
    const fromMs = (at / RATE_HZ) * 1000
    const last = spans.at(-1)
    if (last && fromMs - last.toMs <= BETWEEN_MS) last.toMs = fromMs + 20
    else spans.push({ fromMs, toMs: fromMs + 20 })
  }
  return spans
}
