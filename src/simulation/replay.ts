// Turns a past call into a script: its caller's steps, from the transcript or from the recording.
import { levelDb } from '../audio/pcm.ts'
import { resampleInSteps } from '../audio/resample-in-steps.ts'
import { parseWavHeader, pcmOf } from '../audio/wav.ts'
import { advance, initialVadState } from '../voice/listening/vad-segmenter.ts'
import type { Vad } from '../voice/ports.ts'
import type { RehearsedTurn } from './outcome.ts'
import type { ScriptStep } from './script.ts'
import { FRAME, RATE_HZ } from './scripted-stt.ts'
import { MS_PER_LETTER } from './scripted-tts.ts'

/** Where the agent was interrupted, the caller interrupts after the same amount of the answer. */
export function stepsOfTurns(turns: readonly RehearsedTurn[]): ScriptStep[] {
  return turns.flatMap(({ caller }, i): ScriptStep[] => {
    if (caller === null || caller.trim() === '') return []
    const before = turns[i - 1]
    if (!before) return [{ says: caller, afterMs: 0 }]
    if (!before.isCut || !before.agent) return [{ says: caller }]
    return [{ says: caller, interruptsAfterMs: before.agent.length * MS_PER_LETTER }]
  })
}

type Recorded = { caller: Int16Array; agent: Int16Array }

/** The two channels of a recording at 8 kHz; the caller is on the left. */
export async function channelsOf(wav: Buffer): Promise<Recorded> {
  const header = parseWavHeader(wav)
  if (header?.channels !== 2 || header.bits !== 16) throw new Error('the recording is not 16-bit stereo')
  const all = pcmOf(wav.subarray(header.dataAt, Math.min(wav.length, header.dataAt + header.dataBytes)))
  const pcmAt = (channel: number) => {
    const pcm = new Int16Array(Math.floor(all.length / 2))
    for (let i = 0; i < pcm.length; i++) pcm[i] = all[2 * i + channel] as number
    return resampleInSteps(pcm, header.rateHz, RATE_HZ)
  }
  return { caller: await pcmAt(0), agent: await pcmAt(1) }
}

type Span = { fromMs: number; toMs: number }

/** Shorter pauses are kept as recorded: the agent does not answer in them. */
const SAME_TURN_MS = 1200
const SOUND_DB = -45
/** Longest gap between two words of the agent. */
const WORD_GAP_MS = 400
const TAIL_MS = 100

export async function stepsOfRecording({ caller, agent }: Recorded, vad: Vad): Promise<ScriptStep[]> {
  const agentSpans = soundSpans(agent)
  const speech = await speechIn(caller, vad)
  const samples = (ms: number) => Math.round((ms * RATE_HZ) / 1000)
  return speech.map(({ fromMs, toMs }, i): ScriptStep => {
    const pcm = caller.subarray(samples(fromMs), samples(toMs + TAIL_MS))
    const gapMs = fromMs - (speech[i - 1]?.toMs ?? 0) - TAIL_MS
    if (i > 0 && gapMs < SAME_TURN_MS) return { says: '', pcm, afterMs: Math.max(0, gapMs) }
    const interrupted = agentSpans.find((span) => span.fromMs < fromMs && span.toMs > fromMs)
    if (interrupted) return { says: '', pcm, interruptsAfterMs: fromMs - interrupted.fromMs }
    // A caller who spoke before the agent does so again.
    const isFirst = i === 0 && !agentSpans.some((span) => span.fromMs < fromMs)
    return { says: '', pcm, ...(isFirst ? { afterMs: fromMs } : {}) }
  })
}

async function speechIn(pcm: Int16Array, vad: Vad): Promise<Span[]> {
  const stream = vad.open(RATE_HZ)
  const spans: Span[] = []
  let state = initialVadState
  let startedMs: number | null = null
  try {
    for (let at = 0; at < pcm.length; at += FRAME)
      for (const probability of await stream.push(pcm.slice(at, at + FRAME))) {
        const next = advance(state, probability)
        state = next.state
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

/** Spans with sound, by level. */
function soundSpans(pcm: Int16Array): Span[] {
  const spans: Span[] = []
  for (let at = 0; at + FRAME <= pcm.length; at += FRAME) {
    if (levelDb(pcm.subarray(at, at + FRAME)) < SOUND_DB) continue
    const fromMs = (at / RATE_HZ) * 1000
    const last = spans.at(-1)
    if (last && fromMs - last.toMs <= WORD_GAP_MS) last.toMs = fromMs + 20
    else spans.push({ fromMs, toMs: fromMs + 20 })
  }
  return spans
}
