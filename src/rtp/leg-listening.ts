// The main-thread side of a speech tracker in a media worker.
import { ownedListener } from '../base/errors/error-containment.ts'
import { appError } from '../base/errors/errors.ts'
import type { HeardPosition, Listening, ListenOptions, ListenSink } from '../voice/ports.ts'
import type { ListenEnd, ListenNotification, MediaThread } from './thread.ts'
import type { BatchEntry } from './wire.ts'

export class LegListening implements Listening, ListenEnd {
  readonly ended: Promise<void>
  readonly #end = Promise.withResolvers<void>()
  readonly #leg: number
  readonly #listening: number
  readonly #thread: MediaThread
  readonly #onAudio: ListenSink['onAudio']
  readonly #onEvent: ListenSink['onEvent']

  constructor(thread: MediaThread, leg: number, { options, vad, sink }: ListenRequest) {
    this.ended = this.#end.promise
    this.ended.catch(() => {}) // the listener handles it
    this.#thread = thread
    this.#leg = leg
    this.#onAudio = ownedListener((audio, position) => sink.onAudio(audio, position))
    this.#onEvent = ownedListener((event, position) => sink.onEvent(event, position))
    this.#listening = thread.addListener(this)
    const { keepMs, needsSilence, hasAmd } = options
    const listening = this.#listening
    thread.tell({ do: 'listen', leg, listening, vad, keepMs, needsSilence, hasAmd })
  }

  release(starts: number): void {
    this.#thread.tell({ do: 'release', leg: this.#leg, listening: this.#listening, starts })
  }

  stopTime(): void {
    this.#thread.tell({ do: 'stop-time', leg: this.#leg, listening: this.#listening })
  }

  stop(): void {
    this.#thread.tell({ do: 'stop-listening', leg: this.#leg, listening: this.#listening })
    this.over()
  }

  over(): void {
    this.#thread.listeners.delete(this.#listening)
    this.#end.resolve()
  }

  hear({ pcm, rateHz, fromMs, recordedMs }: Required<BatchEntry>, arrivedAtMs: number): void {
    if (fromMs === null) return
    const nowMs = fromMs + (pcm.length * 1000) / rateHz
    this.#onAudio({ pcm, rateHz, fromMs, recordedMs }, { nowMs, arrivedAtMs, rateHz })
  }

  take(note: ListenNotification, position: HeardPosition): void {
    if (note.is === 'listened') this.#onEvent(note.event, position)
    else {
      this.#end.reject(appError('vad_stopped', {}, { cause: note.problem }))
      this.over()
    }
  }
}

type ListenRequest = { options: ListenOptions; vad: number; sink: ListenSink }
