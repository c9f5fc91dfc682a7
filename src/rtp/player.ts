// Main-thread side of playout: pulls audio from the sources, at most one second ahead.
import { isUsableRate } from '../audio/rate.ts'
import { appError } from '../base/errors/errors.ts'
import type { AudioFrame, PlayoutResult } from '../voice/ports.ts'
import type { MediaThread } from './thread.ts'
import type { Notification } from './wire.ts'

/** How far ahead the worker is fed: the main thread may stall this long without a gap. */
const AHEAD_MS = 1000
/** Longer frames are split, so that the limit above holds. */
const PART_MS = 100

type Play = {
  id: number
  sentMs: number
  heardMs: number
  /** When the first and last samples were sent, and where they are in the recording. */
  beganAt: number | null
  endedAt: number | null
  fromMs: number | null
  toMs: number | null
  /** Pulls no more. */
  isStopped: boolean
  /** The error that the source threw, as the only element. */
  thrown: unknown[]
  source: AsyncIterator<AudioFrame>
  wake: () => void
  done: PromiseWithResolvers<void>
}

/** Takes the samples of plays. */
export type PlaySink = Pick<MediaThread, 'tell' | 'say' | 'sayEnd'>

export class Player {
  readonly #leg: number
  readonly #thread: PlaySink
  readonly #plays = new Map<number, Play>()
  #lastId = 0
  #isStopped = false

  constructor(leg: number, thread: PlaySink) {
    this.#leg = leg
    this.#thread = thread
  }

  async play(audio: AsyncIterable<AudioFrame>, signal: AbortSignal): Promise<PlayoutResult> {
    if (this.#isStopped || signal.aborted) return { playedMs: 0 }
    const play: Play = {
      id: ++this.#lastId,
      sentMs: 0,
      heardMs: 0,
      beganAt: null,
      endedAt: null,
      fromMs: null,
      toMs: null,
      isStopped: false,
      thrown: [],
      source: audio[Symbol.asyncIterator](),
      wake: () => {},
      done: Promise.withResolvers(),
    }
    this.#plays.set(play.id, play)
    this.#thread.tell({ do: 'play', leg: this.#leg, play: play.id })
    const abort = () => {
      halt(play)
      this.#thread.tell({ do: 'drop', leg: this.#leg, play: play.id })
    }
    signal.addEventListener('abort', abort, { once: true })
    void this.#pump(play)
    await play.done.promise
    signal.removeEventListener('abort', abort)
    if (play.thrown.length > 0 && !signal.aborted) throw play.thrown[0]
    const { heardMs, beganAt, endedAt, fromMs, toMs } = play
    if (beganAt === null) return { playedMs: heardMs }
    const recorded = fromMs !== null && toMs !== null ? { recorded: { fromMs, toMs } } : {}
    return { playedMs: heardMs, startedAt: beganAt, ...(endedAt === null ? {} : { endedAt }), ...recorded }
  }

  /** A report of the worker, sent at `atMs`. */
  heard({ play: id, heardMs, isDone, recordedMs }: Notification & { is: 'heard' }, atMs: number): void {
    const play = this.#plays.get(id)
    if (!play) return
    if (heardMs > play.heardMs) {
      play.endedAt = atMs
      play.toMs = recordedMs
    }
    play.heardMs = heardMs
    if (heardMs > 0 && play.beganAt === null) {
      play.beganAt = atMs
      play.fromMs = recordedMs === null ? null : recordedMs - heardMs
    }
    play.wake()
    if (isDone) this.#finish(play)
  }

  /** Pulls no more; plays in progress end by the worker's report, or by `end`. */
  stop(): void {
    this.#isStopped = true
    for (const play of this.#plays.values()) halt(play)
  }

  end(): void {
    this.stop()
    for (const play of this.#plays.values()) this.#finish(play)
  }

  #finish(play: Play): void {
    this.#plays.delete(play.id)
    halt(play)
    play.done.resolve()
  }

  async #pump(play: Play): Promise<void> {
    try {
      for (;;) {
        while (!play.isStopped && play.sentMs - play.heardMs >= AHEAD_MS) await room(play)
        if (play.isStopped) return
        const { value, done } = await play.source.next()
        if (play.isStopped) return
        if (done) break
        await this.#send(play, value)
      }
    } catch (error) {
      play.thrown = [error]
    }
    if (!play.isStopped) this.#thread.sayEnd(this.#leg, play.id)
  }

  async #send(play: Play, { pcm, rateHz }: AudioFrame): Promise<void> {
    if (!isUsableRate(rateHz)) throw appError('audio_rate_invalid', { rate: rateHz })
    const most = Math.max(1, Math.round((rateHz * PART_MS) / 1000))
    for (let at = 0; at < pcm.length; at += most) {
      while (!play.isStopped && play.sentMs - play.heardMs >= AHEAD_MS) await room(play)
      if (play.isStopped) return
      const part = pcm.subarray(at, at + most)
      this.#thread.say(this.#leg, play.id, rateHz, part)
      play.sentMs += (part.length * 1000) / rateHz
    }
  }
}

const room = (play: Play) => new Promise<void>((resolve) => (play.wake = resolve))

/** Tells the source to stop, without waiting for it. */
function halt(play: Play): void {
  if (play.isStopped) return
  play.isStopped = true
  play.wake()
  void Promise.try(() => play.source.return?.()).catch(() => {})
}
