// The platform's own clock: what the agent heard, frame by frame, with the position of each frame in the recording. A
// busy machine shows as ticks that the clock skipped, a fault of the platform as missing or misplaced audio.
import assert from 'node:assert/strict'
import { joinPcm } from '../../src/audio/pcm.ts'
import type { AudioFrame } from '../../src/voice/ports.ts'
import type { Sound } from '../phones/spectrum.ts'

export type Span = { fromMs: number; toMs: number }

const TICK_MS = 20
/** The agent is played a second ahead: a main thread blocked for longer leaves a silence. */
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

    /** Passes on the audio to play; notes when the media thread has received its first frame. */
    async *said(audio: AsyncIterable<AudioFrame>): AsyncGenerator<AudioFrame> {
      // The first callback runs before the effects of the frame, the second after them.
      setImmediate(() => setImmediate(() => (handedMs = performance.now())))
      yield* audio
    },

    /** At the sample rate of the first codec, or at this one. */
    heard(rateHz = frames[0]?.rateHz ?? 8000): Sound {
      const pcm = joinPcm(frames.filter((frame) => frame.rateHz === rateHz).map((frame) => frame.pcm))
      return { pcm, rateHz }
    },

    /** How long the clock has run: one frame per tick. */
    ms: (): number => frames.length * TICK_MS,

    /** How long, by its clock, the media thread has had the audio that begins at this position in the recording. */
    lateMs(atMs: number): number {
      const fromMs = placed().find((frame) => (frame.atMs ?? 0) >= handedMs)?.recordedMs ?? Number.NaN
      return atMs > fromMs ? restMs({ fromMs, toMs: atMs }, skipped()) : 0
    },

    /** The position in the recording of the first frame at this sample rate. */
    firstAt: (rateHz: number): number => placed().find((frame) => frame.rateHz === rateHz)?.recordedMs ?? Number.NaN,

    /** Ticks that the clock skipped: they are silent in the recording. */
    skipped,

    /** Where the machine, not the platform, may have left a silence in the recording. */
    heldUp: (): Span[] => [...skipped(), ...stalls],

    /** The longest block of the main thread that can leave a silence in the sent audio. */
    stalledMs: (): number => Math.max(0, ...stalls.map(({ fromMs, toMs }) => toMs - fromMs)),

    /** The recording up to the last frame that the agent heard: beyond it the clock is unknown. */
    asHeard({ pcm, rateHz }: Sound): Sound {
      const endMs = (placed().at(-1)?.recordedMs ?? 0) + TICK_MS
      return { pcm: pcm.subarray(0, (endMs * rateHz) / 1000), rateHz }
    },

    /** The recording without the ticks that the clock skipped. */
    asRun({ pcm, rateHz }: Sound): Sound {
      const at = (ms: number) => Math.round((ms * rateHz) / 1000)
      const all = skipped()
      const parts = [...all, undefined].map((next, i) =>
        pcm.subarray(at(all[i - 1]?.toMs ?? 0), next && at(next.fromMs)),
      )
      return { pcm: joinPcm(parts), rateHz }
    },

    /**
     * Asserts that the caller's side of the recording is what the agent heard, each frame in its position, to the
     * sample.
     */
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

/** How much of a span lies outside the others. */
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
