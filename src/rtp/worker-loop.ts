// The loop of a media worker: a tick every 20 ms, one message to the main thread per tick, and a load report every second.
import { performance } from 'node:perf_hooks'
import type { MessagePort } from 'node:worker_threads'
import { TickClock } from './clock.ts'
import { AudioBatch, type Notification, sharedMs, type ToMain } from './wire.ts'
import { WorkerVads } from './worker-vad.ts'

const TICKS_PER_REPORT = 50

/** Serves all legs. `nowMs`: of monotonicMs; `skipped`: ticks that the clock left out. */
export type OnTick = (nowMs: number, skipped: number) => void

export class WorkerLoop<Note extends { is: string } = Notification> {
  /** Audio of the next message. */
  readonly batch = new AudioBatch()
  readonly vads: WorkerVads
  readonly #port: MessagePort
  readonly #clock: TickClock
  #notes: (Note | Notification)[] = []
  #ticks = 0
  #usage = performance.eventLoopUtilization()

  constructor(port: MessagePort, onTick: OnTick) {
    this.#port = port
    this.vads = new WorkerVads(this.note, this.flush)
    this.#clock = new TickClock((nowMs, skipped) => {
      onTick(nowMs, skipped)
      this.vads.flush()
      if (++this.#ticks % TICKS_PER_REPORT === 0) this.#report()
      this.flush()
    })
  }

  readonly note = (one: Note | Notification): void => void this.#notes.push(one)

  /** Sends what has gathered; also done at the end of every tick. */
  readonly flush = (): void => {
    const audio = this.batch.take()
    if (!audio && this.#notes.length === 0) return
    const message: ToMain<Note | Notification> = { notes: this.#notes, audio, atMs: sharedMs() }
    this.#notes = []
    this.#port.postMessage(message, audio ? [audio] : [])
  }

  /** Runs while there is a leg. */
  start(): void {
    this.#clock.start()
  }

  stop(): void {
    this.#clock.stop()
  }

  #report(): void {
    const now = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(now, this.#usage).utilization
    this.note({ is: 'load', lateMs: this.#clock.lateMs(), busy })
    this.#usage = now
  }
}
