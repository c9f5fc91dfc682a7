// Distributes the received audio of a leg inside the worker: to its speech tracker, to the main thread while it is read there, and
// otherwise to a short backlog for the next reader.
import { SpeechTracker } from '../voice/listening/speech-tracker.ts'
import type { VadClient, VadTrack } from '../voice/listening/vad-client.ts'
import type { AudioFrame, HeardAudio, HeardPosition, ListenEvent, ListenSink } from '../voice/ports.ts'
import { FrameRing } from './frame-inbox.ts'
import type { ReceivedFrame } from './rtp-leg.ts'
import { type AudioBatch, type Command, type Notification, sharedMs } from './wire.ts'
import type { WorkerVads } from './worker-vad.ts'

/** Two seconds of frames. */
const BACKLOG_FRAMES = 100
/** Audio of speech crosses to the main thread in pieces of this length. */
const PIECE_MS = 60
/** Two seconds: a stream further behind continues without VAD. */
const MAX_STEPS_BEHIND = 62

/** The next message to the main thread. */
export type ToMainQueue = { batch: AudioBatch; note(note: Notification): void }

type Listen = Command & { do: 'listen' }
export type InputCommand = Extract<Command, { do: 'read' } | { listening: number }>
export const isInputCommand = <C extends { do: string }>(command: C | InputCommand): command is InputCommand =>
  'listening' in command || command.do === 'read'

export class LegInput {
  readonly #leg: number
  readonly #out: ToMainQueue
  #isRead = false
  #tracker: TrackedLeg | null = null
  #backlog: FrameRing | null = null

  constructor(leg: number, out: ToMainQueue) {
    this.#leg = leg
    this.#out = out
  }

  obey(command: InputCommand, vads: WorkerVads): void {
    if (command.do === 'read') this.read(command.isRead)
    else if (command.do === 'listen') this.listen(command, vads.of(command.vad))
    else if (command.do === 'release') this.trackerOf(command.listening)?.release(command.starts)
    else if (command.do === 'stop-time') this.trackerOf(command.listening)?.stopTime()
    else this.stop(command.listening)
  }

  /** A frame of this tick. */
  take(frame: ReceivedFrame, nowMs: number): void {
    const { pcm, rateHz, ageMs, recordedMs, sound } = frame
    const atMs = nowMs - ageMs
    if (this.#tracker) this.#tracker.push(frame, atMs)
    if (this.#isRead) this.#send({ pcm, rateHz, atMs, sound, recordedMs }, nowMs)
    if (this.#tracker || this.#isRead) return
    this.#backlog ??= new FrameRing(BACKLOG_FRAMES)
    this.#backlog.put({ pcm, rateHz, atMs, ...(recordedMs === null ? {} : { recordedMs }), ...soundOf(sound) })
  }

  read(isRead: boolean): void {
    this.#isRead = isRead
    if (!isRead) return
    const nowMs = sharedMs()
    this.#drain((frame) => this.#send({ ...frame, recordedMs: frame.recordedMs ?? null }, nowMs))
  }

  listen(command: Listen, vad: VadClient): void {
    this.#tracker?.close()
    const tracker = new TrackedLeg(command, vad, this.#out)
    this.#tracker = tracker
    this.#drain((frame) => {
      const { pcm, rateHz, atMs = 0, recordedMs = null, sound = null } = frame
      tracker.push({ pcm, rateHz, ageMs: 0, recordedMs, sound }, atMs)
    })
  }

  /** Undefined when it was replaced by another listener. */
  trackerOf(listening: number): SpeechTracker | undefined {
    return this.#tracker?.id === listening ? this.#tracker.tracker : undefined
  }

  stop(listening: number): void {
    if (this.#tracker?.id === listening) this.close()
  }

  /** Flushes the audio that is still buffered. */
  close(): void {
    this.#tracker?.close()
    this.#tracker = null
  }

  #drain(take: (frame: AudioFrame) => void): void {
    const backlog = this.#backlog
    this.#backlog = null
    for (let frame = backlog?.take(); frame; frame = backlog?.take()) take(frame)
  }

  #send({ pcm, rateHz, atMs = 0, sound, recordedMs }: SentFrame, nowMs: number): void {
    this.#out.batch.add({
      leg: this.#leg,
      play: Math.round(nowMs - atMs),
      rateHz,
      pcm,
      recordedMs,
      sound: sound ?? null,
    })
  }
}

type SentFrame = Pick<AudioFrame, 'pcm' | 'rateHz' | 'atMs'> & {
  sound?: AudioFrame['sound'] | null
  recordedMs: number | null
}

/** A copy: the features of a frame are overwritten by those of the next. */
function soundOf(sound: ReceivedFrame['sound']): Pick<AudioFrame, 'sound'> {
  if (!sound) return {}
  const { levelDb, noiseDb, nearDb, pitchHz, isFar } = sound
  return { sound: { levelDb, noiseDb, nearDb, pitchHz, isFar } }
}

/** A speech tracker with its VAD stream; its results go to the main thread. */
class TrackedLeg implements ListenSink {
  readonly id: number
  readonly tracker: SpeechTracker
  readonly #vad: VadClient
  readonly #out: ToMainQueue
  #stream: VadTrack | null = null
  #isOver = false

  constructor({ listening, keepMs, needsSilence, hasAmd }: Listen, vad: VadClient, out: ToMainQueue) {
    this.id = listening
    this.#vad = vad
    this.#out = out
    this.tracker = new SpeechTracker(this, { keepMs, needsSilence, hasAmd, pieceMs: PIECE_MS })
  }

  push(frame: ReceivedFrame, arrivedAtMs: number): void {
    if (this.#isOver) return
    if (frame.rateHz !== this.tracker.rateHz || !this.#stream) this.#open(frame.rateHz)
    this.#stream?.push(this.tracker.push(frame, arrivedAtMs))
  }

  close(): void {
    if (!this.#isOver) this.tracker.flush()
    this.#isOver = true
    this.#stream?.close()
  }

  onAudio({ pcm, rateHz, fromMs, recordedMs }: HeardAudio, { arrivedAtMs }: HeardPosition): void {
    const play = Math.round(sharedMs() - arrivedAtMs)
    this.#out.batch.add({ leg: this.id, play, rateHz, pcm, recordedMs, fromMs })
  }

  onEvent(event: ListenEvent, { nowMs, arrivedAtMs, rateHz }: HeardPosition): void {
    this.#out.note({ is: 'listened', listening: this.id, event, position: { nowMs, arrivedAtMs, rateHz } })
  }

  #open(rateHz: number): void {
    this.#stream?.close()
    const onFailed = (cause: unknown) => {
      this.#isOver = true
      this.#out.note({ is: 'listen-failed', listening: this.id, problem: String(cause) })
    }
    const onProbability = (probability: number) => {
      // An error in one leg ends that leg alone.
      try {
        this.tracker.advance(probability)
      } catch (error) {
        onFailed(error)
      }
    }
    this.#stream = this.#vad.open(rateHz === 8000 ? 8000 : 16_000, { onProbability, onFailed }, MAX_STEPS_BEHIND)
  }
}
