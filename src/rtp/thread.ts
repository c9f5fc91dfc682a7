// The main-thread side of a media worker: batches outgoing audio, dispatches incoming audio, restarts the worker.
import { type MessagePort, Worker } from 'node:worker_threads'
import { runUnowned } from '../base/errors/error-containment.ts'
import { countFault } from '../base/errors/faults.ts'
import type { Log } from '../base/process/log.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { HeardPosition, Vad, VadConnection } from '../voice/ports.ts'
import type { WebCommand, WebEvent, WebNotification } from './web-wire.ts'
import {
  AudioBatch,
  type BatchEntry,
  type Command,
  type Notification,
  readBatch,
  sharedMs,
  type ToMain,
  type ToWorker,
  type WorkerSetup,
} from './wire.ts'

/** A worker that died sooner than this after its start is not replaced at once. */
const SHORT_LIFE_MS = 2000
const NO_SAMPLES = new Int16Array(0)
const RTP_WORKER = new URL('./worker.ts', import.meta.url)

/** The main-thread end of a leg, which handles what the worker reports. */
export type LegEnd = {
  /** The cost to the thread, in legs of G.711: 1 if left out. */
  readonly weight?: number
  /** `atMs`: when the last of it arrived. */
  hear(entry: Required<BatchEntry>, atMs: number): void
  /** `atMs`: when it was sent. */
  take(note: LegNotification, atMs: number): void
  /** An event of a web call. */
  signal?(event: WebEvent): void
  fail(problem: string): void
  close(): Promise<unknown>
}
export type LegNotification = Exclude<
  Notification,
  { is: 'ready' | 'opened' | 'not-opened' | 'fault' | 'load' | 'listened' | 'listen-failed' | 'vad-fault' }
>
export type ListenNotification = Extract<Notification, { listening: number }>

/** The main-thread end of speech tracking. */
export type ListenEnd = {
  hear(entry: Required<BatchEntry>, arrivedAtMs: number): void
  take(note: ListenNotification, position: HeardPosition): void
}

const NO_POSITION: HeardPosition = { nowMs: 0, arrivedAtMs: 0, rateHz: 0 }

export type Opening = { isOpen: true } | { isOpen: false; isTaken: boolean; problem: string }

export class MediaThread {
  readonly legs = new Map<number, LegEnd>()
  readonly listeners = new Map<number, ListenEnd>()
  #lastListener = 0
  /** VAD engines that the worker has a port to. */
  readonly #vads = new Map<Vad, { number: number; connection: VadConnection }>()
  #lastVad = 0
  readonly #setup: WorkerSetup
  readonly #log: Log | undefined
  readonly #openings = new Map<number, (opening: Opening) => void>()
  readonly #batch = new AudioBatch()
  readonly #entry: URL
  #commands: (Command | WebCommand)[] = []
  #flushing: NodeJS.Immediate | undefined
  #worker: Worker | undefined
  #restart: NodeJS.Timeout | undefined
  #isClosing = false
  #load = { lateMs: 0, busy: 0 }

  constructor(setup: WorkerSetup, log?: Log, entry = RTP_WORKER) {
    this.#setup = setup
    this.#log = log
    this.#entry = entry
  }

  get isUp(): boolean {
    return this.#worker !== undefined
  }

  /** The weight of all legs that are open or opening. */
  get size(): number {
    let size = this.#openings.size
    for (const { weight = 1 } of this.legs.values()) size += weight
    return size
  }

  get load(): { lateMs: number; busy: number } {
    return this.legs.size > 0 ? this.#load : { lateMs: 0, busy: 0 }
  }

  /** Rejects when the worker cannot start. */
  start(): Promise<void> {
    const startedMs = monotonicMs()
    // Without the flags of the process: --input-type and the like would end the thread at once.
    const options = { workerData: this.#setup, execArgv: [] }
    const worker = runUnowned(() => new Worker(this.#entry, options)) // many calls share it
    this.#worker = worker
    return new Promise((resolve, reject) => {
      let cause: unknown
      worker.on('message', (message: ToMain<Notification | WebNotification>) => {
        if (message.notes.some(({ is }) => is === 'ready')) resolve()
        this.#read(message)
      })
      worker.once('error', (error) => {
        cause = error
      })
      worker.once('exit', () => {
        reject(cause ?? new Error('the media thread ended'))
        if (!this.#isClosing) this.#replace(monotonicMs() - startedMs < SHORT_LIFE_MS, cause)
      })
    })
  }

  open(command: Command & { do: 'open' }): Promise<Opening> {
    return new Promise((resolve) => {
      this.#openings.set(command.leg, resolve)
      this.tell(command)
    })
  }

  tell(command: Command | WebCommand): void {
    this.#commands.push(command)
    this.#flushSoon()
  }

  addListener(listener: ListenEnd): number {
    this.listeners.set(++this.#lastListener, listener)
    return this.#lastListener
  }

  /** Connects a VAD engine directly to the worker and returns its number; undefined where that is not possible. */
  connectVad(vad: Vad): number | undefined {
    const known = this.#vads.get(vad)
    if (known) return known.number
    const number = ++this.#lastVad
    const connection = vad.connect?.({
      onPort: (port) => this.tell({ do: 'vad-port', vad: number, port }),
      onStopped: (error) => this.tell({ do: 'vad-stopped', vad: number, problem: String(error) }),
    })
    if (!connection) return undefined
    this.#vads.set(vad, { number, connection })
    return number
  }

  /** Samples of a play, copied at once. */
  say(leg: number, play: number, rateHz: number, pcm: Int16Array): void {
    this.#batch.add({ leg, play, rateHz, pcm })
    this.#flushSoon()
  }

  sayEnd(leg: number, play: number): void {
    this.say(leg, play, 0, NO_SAMPLES)
  }

  async close(): Promise<void> {
    await Promise.all([...this.legs.values()].map((leg) => leg.close()))
    this.#isClosing = true
    clearTimeout(this.#restart)
    clearImmediate(this.#flushing)
    await this.#worker?.terminate()
    this.#worker = undefined
    this.#endAll('closed')
  }

  #flushSoon(): void {
    this.#flushing ??= runUnowned(() => setImmediate(() => this.#flush()))
  }

  #flush(): void {
    this.#flushing = undefined
    const audio = this.#batch.take()
    const message: ToWorker<Command | WebCommand> = { commands: this.#commands, audio }
    this.#commands = []
    const moved: (ArrayBuffer | MessagePort)[] = audio ? [audio] : []
    for (const command of message.commands) if (command.do === 'vad-port') moved.push(command.port)
    this.#worker?.postMessage(message, moved)
  }

  #read({ notes, audio, atMs }: ToMain<Notification | WebNotification>): void {
    const offsetMs = monotonicMs() - sharedMs()
    const sentMs = atMs + offsetMs
    if (audio) {
      readBatch(audio, (entry) => {
        const to = entry.fromMs === null ? this.legs : this.listeners
        // Here `play` is the age of the audio.
        to.get(entry.leg)?.hear(entry, sentMs - entry.play)
      })
    }
    for (const note of notes) {
      if (note.is === 'listened') {
        const { nowMs, arrivedAtMs, rateHz } = note.position
        this.listeners.get(note.listening)?.take(note, { nowMs, arrivedAtMs: arrivedAtMs + offsetMs, rateHz })
      } else this.#take(note, sentMs)
    }
  }

  #take(note: Exclude<Notification, { is: 'listened' }> | WebNotification, sentMs: number): void {
    if (note.is === 'listen-failed') this.listeners.get(note.listening)?.take(note, NO_POSITION)
    else if (note.is === 'vad-fault') this.#vadFault(note.vad, note.problem)
    else if (note.is === 'fault') {
      countFault('rtp')
      this.#log?.error(
        { leg: note.leg, problem: note.problem },
        'failed to read an RTP packet; further ones of this leg are only counted',
      )
    } else if (note.is === 'load') this.#load = { lateMs: note.lateMs, busy: note.busy }
    else if (note.is === 'web') this.legs.get(note.leg)?.signal?.(note.event)
    else if (note.is === 'opened') this.#answerOpening(note.leg, { isOpen: true })
    else if (note.is === 'not-opened') {
      this.#answerOpening(note.leg, { isOpen: false, isTaken: note.isTaken, problem: note.problem })
    } else if (note.is !== 'ready') this.legs.get(note.leg)?.take(note, sentMs)
  }

  #vadFault(vad: number, problem: string): void {
    for (const { number, connection } of this.#vads.values()) if (number === vad) connection.fault(new Error(problem))
  }

  #answerOpening(leg: number, opening: Opening): void {
    this.#openings.get(leg)?.(opening)
    this.#openings.delete(leg)
  }

  #replace(isShortLived: boolean, cause: unknown): void {
    this.#worker = undefined
    this.#log?.error({ err: cause, legs: this.legs.size }, 'a media thread died')
    this.#endAll('the media thread died')
    const start = () =>
      void this.start().then(
        () => this.#log?.info('a media thread was replaced'),
        () => {},
      )
    if (isShortLived) this.#restart = setTimeout(start, SHORT_LIFE_MS).unref()
    else start()
  }

  #endAll(problem: string): void {
    this.#commands = []
    this.#batch.take()
    for (const { connection } of this.#vads.values()) connection.close()
    this.#vads.clear()
    for (const leg of [...this.#openings.keys()]) {
      this.#answerOpening(leg, { isOpen: false, isTaken: false, problem })
    }
    for (const leg of [...this.legs.values()]) leg.fail(problem)
  }
}
