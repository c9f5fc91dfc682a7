// The protocol between main thread and worker: at most one message per tick and direction, all audio in one buffer.
import type { MessagePort } from 'node:worker_threads'
import type { HeardPosition, ListenEvent, SoundFeatures } from '../voice/ports.ts'
import type { DigitMode, InbandDigits, LegEvent, LegSettings, LegStats } from './leg.ts'

export type WorkerSetup = { host: string }

/** To the worker. The main thread assigns the numbers `leg`, `play`, `job` and `listening`. */
export type Command =
  | { do: 'open'; leg: number; port: number; detectInband: InbandDigits; lostAfterMs: number }
  | { do: 'configure'; leg: number; settings: LegSettings }
  /** Queues a play; its audio follows in the buffers. */
  | { do: 'play'; leg: number; play: number }
  | { do: 'drop'; leg: number; play: number }
  | { do: 'volume'; leg: number; gain: number }
  | { do: 'hold'; leg: number; isHeld: boolean }
  | { do: 'digits'; leg: number; job: number; digits: string; mode: DigitMode; toneMs: number; gapMs: number }
  | { do: 'record'; leg: number; job: number; path: string }
  | { do: 'stop-recording'; leg: number; job: number }
  /** Each leg is sent what the other hears, until one is closed. Both belong to this worker. */
  | { do: 'join'; leg: number; other: number }
  | { do: 'stats'; leg: number; job: number }
  /** Whether the main thread reads the received frames. */
  | { do: 'read'; leg: number; isRead: boolean }
  /** Tracks speech; see `ListenOptions` and `Listening` of voice/ports.ts. */
  | ({ do: 'listen'; leg: number; listening: number; vad: number } & ListenSettings)
  | { do: 'release'; leg: number; listening: number; starts: number }
  | { do: 'stop-time' | 'stop-listening'; leg: number; listening: number }
  /** A port to a VAD engine, new or restarted; or the engine could not be restarted. */
  | { do: 'vad-port'; vad: number; port: MessagePort }
  | { do: 'vad-stopped'; vad: number; problem: string }
  | { do: 'close'; leg: number }

export type ListenSettings = { keepMs: number; needsSilence: boolean; hasAmd: boolean }

/** To the main thread. */
export type Notification =
  | { is: 'ready' }
  | { is: 'opened'; leg: number }
  | { is: 'not-opened'; leg: number; isTaken: boolean; problem: string }
  | { is: 'event'; leg: number; event: LegEvent }
  /** `recordedMs`: the position in the recording at that moment; null without a recording. */
  | { is: 'heard'; leg: number; play: number; heardMs: number; isDone: boolean; recordedMs: number | null }
  | { is: 'done'; leg: number; job: number; stats?: LegStats }
  | { is: 'closed'; leg: number; stats: LegStats; problem?: string }
  /** Our own code failed on a packet, for the first time on this leg. */
  | { is: 'fault'; leg: number; problem: string }
  /** `arrivedAtMs`: of `sharedMs`. */
  | { is: 'listened'; listening: number; event: ListenEvent; position: HeardPosition }
  /** VAD failed: speech tracking has ended. */
  | { is: 'listen-failed'; listening: number; problem: string }
  | { is: 'vad-fault'; vad: number; problem: string }
  | { is: 'load'; lateMs: number; busy: number }

export type ToWorker<C = Command> = { commands: C[]; audio: ArrayBuffer | null }
/** `atMs`: when it was sent, of `sharedMs`. */
export type ToMain<N = Notification> = { notes: N[]; audio: ArrayBuffer | null; atMs: number }

/** A clock that all threads share, unlike performance.now. */
export const sharedMs = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * Fields of an entry: leg, play (for received audio: its age in ms), rate (0 for the end of a play), samples; for received audio, the
 * position in the recording and the sound features in hundredths; for speech, the position in media time.
 */
const FIELDS = 11
/** No position in the recording, or in media time. */
const NOWHERE = -1
/** A feature without a value; all are absent where the level is. */
const ABSENT = -(2 ** 31)
const HUNDREDTHS = 100

/**
 * Gathers runs of samples in one buffer to be transferred:
 *
 *   | count: i32 | leg, play, rateHz, samples, recordedMs, sound ..., fromMs: i32 each | ... | samples: i16 ... |
 */
export class AudioBatch {
  #entries = new Int32Array(64)
  #count = 0
  #pcm = new Int16Array(4096)
  #filled = 0

  add({ leg, play, rateHz, pcm, recordedMs = null, sound = null, fromMs = null }: BatchEntry): void {
    const at = this.#count++ * FIELDS
    if (at + FIELDS > this.#entries.length) {
      const larger = new Int32Array(2 * this.#entries.length)
      larger.set(this.#entries)
      this.#entries = larger
    }
    this.#entries[at] = leg
    this.#entries[at + 1] = play
    this.#entries[at + 2] = rateHz
    this.#entries[at + 3] = pcm.length
    this.#entries[at + 4] = recordedMs ?? NOWHERE
    writeSound(this.#entries, at + 5, sound)
    this.#entries[at + 10] = fromMs ?? NOWHERE
    if (this.#filled + pcm.length > this.#pcm.length) {
      const larger = new Int16Array(2 * Math.max(this.#pcm.length, pcm.length))
      larger.set(this.#pcm.subarray(0, this.#filled))
      this.#pcm = larger
    }
    this.#pcm.set(pcm, this.#filled)
    this.#filled += pcm.length
  }

  take(): ArrayBuffer | null {
    if (this.#count === 0) return null
    const head = 4 * (1 + this.#count * FIELDS)
    const buffer = new ArrayBuffer(head + 2 * this.#filled)
    new Int32Array(buffer, 0, 1)[0] = this.#count
    new Int32Array(buffer, 4, this.#count * FIELDS).set(this.#entries.subarray(0, this.#count * FIELDS))
    new Int16Array(buffer, head).set(this.#pcm.subarray(0, this.#filled))
    this.#count = 0
    this.#filled = 0
    return buffer
  }
}

export type BatchEntry = {
  /** For speech: the number of the listener instead. */
  leg: number
  /** For received audio: its age in ms. */
  play: number
  rateHz: number
  pcm: Int16Array
  recordedMs?: number | null
  sound?: SoundFeatures | null
  /** For speech: where it starts in media time. */
  fromMs?: number | null
}

/** `pcm` is a view of the buffer. */
export type OnAudio = (entry: Required<BatchEntry>) => void

export function readBatch(buffer: ArrayBuffer, onAudio: OnAudio): void {
  const count = new Int32Array(buffer, 0, 1)[0] as number
  const entries = new Int32Array(buffer, 4, count * FIELDS)
  let at = 4 * (1 + count * FIELDS)
  for (let i = 0; i < entries.length; i += FIELDS) {
    const samples = entries[i + 3] as number
    const pcm = new Int16Array(buffer, at, samples)
    const recordedMs = entries[i + 4] === NOWHERE ? null : (entries[i + 4] as number)
    onAudio({
      leg: entries[i] as number,
      play: entries[i + 1] as number,
      rateHz: entries[i + 2] as number,
      pcm,
      recordedMs,
      sound: readSound(entries, i + 5),
      fromMs: entries[i + 10] === NOWHERE ? null : (entries[i + 10] as number),
    })
    at += 2 * samples
  }
}

function writeSound(entries: Int32Array, at: number, sound: SoundFeatures | null): void {
  entries[at] = sound ? Math.round(sound.levelDb * HUNDREDTHS) : ABSENT
  if (!sound) return
  entries[at + 1] = Math.round(sound.noiseDb * HUNDREDTHS)
  entries[at + 2] = sound.nearDb === null ? ABSENT : Math.round(sound.nearDb * HUNDREDTHS)
  entries[at + 3] = sound.pitchHz === null ? ABSENT : Math.round(sound.pitchHz * HUNDREDTHS)
  entries[at + 4] = sound.isFar ? 1 : 0
}

function readSound(entries: Int32Array, at: number): SoundFeatures | null {
  if (entries[at] === ABSENT) return null
  const value = (field: number) => (entries[at + field] as number) / HUNDREDTHS
  return {
    levelDb: value(0),
    noiseDb: value(1),
    nearDb: entries[at + 2] === ABSENT ? null : value(2),
    pitchHz: entries[at + 3] === ABSENT ? null : value(3),
    isFar: entries[at + 4] === 1,
  }
}
