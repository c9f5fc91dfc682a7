// The platform's own clock: what the agent heard, frame by frame, each with its place in the recording.
// A busy machine shows as ticks that the clock gave up, a fault of the platform as audio that is missing or at another place.
import assert from 'node:assert/strict'
import { joinPcm } from '../../src/audio/pcm.ts'
import type { AudioFrame } from '../../src/voice/ports.ts'
import type { Sound } from '../phones/spectrum.ts'

export type Span = { fromMs: number; toMs: number }

const TICK_MS = 20
/** The agent is played a second ahead: a main thread that is held up for longer leaves a silence. */
const SAFE_MS = 800

export type MediaTime = ReturnType<typeof mediaTime>

export function mediaTime() {
  const frames: AudioFrame[] = []
  const stalls: Span[] = []
  let lastMs = Number.NaN
  let handedMs = Number.NaN
  const placed = () => frames.filter((frame) => frame.recordedMs !== undefined) as Placed[]
  const skipped = (): Span[] => {
    const all = placed()
    return all.slice(1).flatMap(({ recordedMs: toMs }, i) => {
      const fromMs = (all[i]?.recordedMs ?? 0) + TICK_MS
      return toMs > fromMs ? [{ fromMs, toMs }] : []
    })
  }

  return {
    hear(frame: AudioFrame): void {
      const nowMs = performance.now()
      const fromMs = frames.at(-1)?.recordedMs
      if (fromMs !== undefined && nowMs - lastMs > SAFE_MS) stalls.push({ fromMs, toMs: fromMs + nowMs - lastMs + 500 })
      lastMs = nowMs
      frames.push(frame)
    },

    /** What is to be played; notes when the media thread has the first of it. */
    async *said(audio: AsyncIterable<AudioFrame>): AsyncGenerator<AudioFrame> {
      // The first of these comes before what the frame sets off, the second after it.
      setImmediate(() => setImmediate(() => (handedMs = performance.now())))
      yield* audio
    },

    /** At the rate of the first codec, or of this one. */
    heard(rateHz = frames[0]?.rateHz ?? 8000): Sound {
      const pcm = joinPcm(frames.filter((frame) => frame.rateHz === rateHz).map((frame) => frame.pcm))
      return { pcm, rateHz }
    },

    /** How long the clock has run: one frame at each tick. */
    ms: (): number => frames.length * TICK_MS,

    /** How long the media thread has had it, by its clock, when what is said begins at this place in the recording. */
    lateMs(atMs: number): number {
      const fromMs = placed().find((frame) => (frame.atMs ?? 0) >= handedMs)?.recordedMs ?? Number.NaN
      return atMs > fromMs ? restMs({ fromMs, toMs: atMs }, skipped()) : 0
    },

    /** The place in the recording of the first frame at this rate. */
    firstAt: (rateHz: number): number => placed().find((frame) => frame.rateHz === rateHz)?.recordedMs ?? Number.NaN,

    /** The ticks that the clock gave up: they are silent in the recording. */
    skipped,

    /** Where the machine, not the platform, may have left a silence in the recording. */
    heldUp: (): Span[] => [...skipped(), ...stalls],

    /** How long the main thread was held up at most, where that can leave a silence in what is sent. */
    stalledMs: (): number => Math.max(0, ...stalls.map(({ fromMs, toMs }) => toMs - fromMs)),

    /** The recording as far as the agent heard: of what is after that, the clock is not known. */
    asHeard({ pcm, rateHz }: Sound): Sound {
      const endMs = (placed().at(-1)?.recordedMs ?? 0) + TICK_MS
      return { pcm: pcm.subarray(0, (endMs * rateHz) / 1000), rateHz }
    },

    /** The recording without the ticks that the clock gave up. */
    asRun({ pcm, rateHz }: Sound): Sound {
      const at = (ms: number) => Math.round((ms * rateHz) / 1000)
      const all = skipped()
      const parts = [...all, undefined].map((next, i) =>
        pcm.subarray(at(all[i - 1]?.toMs ?? 0), next && at(next.fromMs)),
      )
      return { pcm: joinPcm(parts), rateHz }
    },

    /** The caller's side of the recording is what the agent heard, each frame at its place, to the sample. */
    isAll(left: Sound): void {
      const all = placed()
      assert.ok(all.length > 0 && all[0] === frames.at(-all.length), 'all is recorded from the first one on')
      for (const { pcm, rateHz, recordedMs } of all) {
        assert.equal(rateHz, left.rateHz)
        const from = (recordedMs * rateHz) / 1000
        const there = left.pcm.subarray(from, from + pcm.length)
        assert.ok(Buffer.compare(bytesOf(there), bytesOf(pcm)) === 0, `another sound is recorded at ${recordedMs} ms`)
      }
    },
  }
}

type Placed = AudioFrame & { recordedMs: number }

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) => new Uint8Array(buffer, byteOffset, byteLength)

/** How long a span lasts outside of the others. */
export function restMs(span: Span, others: readonly Span[]): number {
  const parts = others.reduce(
    (left, { fromMs, toMs }) =>
      left
        .flatMap((part) => [
          { fromMs: part.fromMs, toMs: Math.min(part.toMs, fromMs) },
          { fromMs: Math.max(part.fromMs, toMs), toMs: part.toMs },
        ])
        .filter((part) => part.toMs > part.fromMs),
    [span],
  )
  return parts.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
}
