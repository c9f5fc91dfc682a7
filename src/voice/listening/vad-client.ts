// A thread's connection to the VAD engine: splits the audio of its streams into steps, skips steady noise, and sends the rest in batches.
// While one batch is computed, the next one fills. Probabilities arrive by callback.
import { type Energy, energyOf, SteadyNoise } from './steady-noise.ts'
import { type FromVad, StepQueue, stepSamples, type ToVad, type VadRate } from './vad-steps.ts'

/** A MessagePort to the engine, or its worker. */
export type VadPort = { postMessage(message: ToVad, transfer?: ArrayBuffer[]): void }

type VadTrackEvents = {
  onProbability(probability: number): void
  /** No more probabilities come. */
  onFailed(cause: unknown): void
}

/** Consecutive lost batches bridged by repeating the last probabilities; after that the streams fail. */
const MAX_LOST_BATCHES = 3

export class VadClient {
  readonly #onFault: (error: unknown) => void
  readonly #waiting: Record<VadRate, StepQueue<VadTrack>> = { 8000: new StepQueue(8000), 16000: new StepQueue(16000) }
  readonly #spare: Record<VadRate, StepQueue<VadTrack>> = { 8000: new StepQueue(8000), 16000: new StepQueue(16000) }
  readonly #energy: Energy = { all: 0, high: 0 }
  #computing: StepQueue<VadTrack> | null = null
  #port: VadPort | null = null
  #lastStream = 0
  #lostInRow = 0
  #sentAtMs = 0

  /** `onFault` reports every lost batch. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault
  }

  /** Open streams. */
  size = 0

  get isComputing(): boolean {
    return this.#computing !== null
  }

  /** When the last batch was sent, by `performance.now`. */
  get sentAtMs(): number {
    return this.#sentAtMs
  }

  waitingAt(rateHz: VadRate): number {
    return this.#waiting[rateHz].count
  }

  /** A stream with more than `maxBehind` steps in flight repeats its last probability instead. */
  open(rateHz: VadRate, events: VadTrackEvents, maxBehind = Number.POSITIVE_INFINITY): VadTrack {
    this.size++
    return new VadTrack(this, { stream: ++this.#lastStream, rateHz, maxBehind }, events)
  }

  /** The engine has started or restarted, without the state of any stream. */
  connect(port: VadPort): void {
    if (this.#port) this.disconnect(new Error('the engine was restarted'))
    this.#port = port
    this.flush()
  }

  /** The engine is gone, and the batch it was computing is lost. Ignores ports that were already replaced. */
  disconnect(cause: unknown, port: VadPort | null = this.#port): void {
    if (port !== this.#port) return
    this.#port = null
    const lost = this.#computing
    this.#computing = null
    if (lost) this.#bridge(lost, cause)
  }

  /** The engine will not come back soon: waiting streams fail. */
  fail(error: unknown): void {
    for (const queue of [this.#waiting[8000], this.#waiting[16000]])
      queue.each(this.#energy, (track) => track.fail(error))
  }

  /** Sends the waiting steps, unless a batch is being computed: then its results trigger this again. */
  flush(): void {
    if (!this.#port || this.#computing) return
    const rateHz = this.#waiting[8000].count >= this.#waiting[16000].count ? 8000 : 16000
    const queue = this.#waiting[rateHz]
    if (queue.count === 0) return
    this.#waiting[rateHz] = this.#spare[rateHz]
    this.#spare[rateHz] = queue
    this.#computing = queue
    this.#sentAtMs = performance.now()
    const { count, streams, pcm } = queue
    this.#port.postMessage({ do: 'steps', rateHz, count, streams, pcm }, [
      streams.buffer as ArrayBuffer,
      pcm.buffer as ArrayBuffer,
    ])
  }

  answered(message: FromVad): void {
    const queue = this.#computing
    this.#computing = null
    if (message.type === 'failed' && queue) this.#bridge(queue, new Error(message.message))
    if (message.type === 'probabilities' && queue) {
      this.#lostInRow = 0
      const { values, streams, pcm } = message
      queue.streams = streams
      queue.pcm = pcm
      queue.each(this.#energy, (track, place, energy) => {
        if (energy) track.take(values[place] as number, energy)
        else track.settle()
      })
    }
    this.flush()
  }

  /** Called in order for the steps of a stream. */
  add(track: VadTrack, pcm: Int16Array, energy: Energy | null): void {
    this.#waiting[track.rateHz].add(track, track.stream, pcm, energy)
  }

  /** The engine may drop the state of this stream. */
  forget(stream: number): void {
    this.#port?.postMessage({ do: 'forget', stream })
  }

  /** A lost batch must not end calls: each stream repeats its last probability, unless several batches in a row were lost. */
  #bridge(queue: StepQueue<VadTrack>, error: unknown): void {
    this.#onFault(error)
    this.#lostInRow++
    const hasFailed = this.#lostInRow > MAX_LOST_BATCHES
    queue.each(this.#energy, (track, _place, energy) => {
      if (hasFailed) track.fail(error)
      else if (energy) track.repeat()
      else track.settle()
    })
  }
}

export class VadTrack {
  readonly stream: number
  readonly rateHz: VadRate
  /** Of the last computed step. */
  probability = 0
  readonly #client: VadClient
  readonly #events: VadTrackEvents
  readonly #maxBehind: number
  readonly #step: Int16Array
  #filled = 0
  readonly #noise = new SteadyNoise()
  readonly #energy: Energy = { all: 0, high: 0 }
  /** The last step, if it was skipped: the model needs it as context for the next step. */
  readonly #skipped: Int16Array
  #hasSkipped = false
  /** Steps in flight, and steps given up after them. */
  #behind = 0
  #givenUp = 0
  #isClosed = false

  constructor(
    client: VadClient,
    { stream, rateHz, maxBehind }: { stream: number; rateHz: VadRate; maxBehind: number },
    events: VadTrackEvents,
  ) {
    this.#client = client
    this.#events = events
    this.#maxBehind = maxBehind
    this.stream = stream
    this.rateHz = rateHz
    this.#step = new Int16Array(stepSamples(rateHz))
    this.#skipped = new Int16Array(stepSamples(rateHz))
  }

  /** Returns the number of completed steps; each gets its probability, now or later. */
  push(pcm: Int16Array): number {
    if (this.#isClosed) return 0
    const step = this.#step
    let whole = 0
    for (let at = 0; at < pcm.length; ) {
      const length = Math.min(step.length - this.#filled, pcm.length - at)
      for (let i = 0; i < length; i++) step[this.#filled + i] = pcm[at + i] as number
      this.#filled += length
      at += length
      if (this.#filled < step.length) break
      this.#filled = 0
      whole++
      this.#complete()
    }
    return whole
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#client.size--
    // Steps in flight would recreate the stream in the engine.
    if (this.#behind === 0) this.#client.forget(this.stream)
  }

  /** The result of a step. */
  take(probability: number, energy: Energy): void {
    this.probability = probability
    this.#noise.computed(energy, probability)
    this.repeat()
  }

  /** A step whose result was lost. */
  repeat(): void {
    if (!this.#isClosed) this.#events.onProbability(this.probability)
    this.settle()
  }

  /** A step is no longer in flight. */
  settle(): void {
    this.#behind--
    if (this.#behind > 0) return
    if (this.#isClosed) this.#client.forget(this.stream)
    for (; this.#givenUp > 0 && !this.#isClosed; this.#givenUp--) this.#events.onProbability(this.probability)
  }

  fail(cause: unknown): void {
    this.#behind--
    if (this.#isClosed) return
    this.#isClosed = true
    this.#client.size--
    this.#events.onFailed(cause)
  }

  #complete(): void {
    const step = this.#step
    const isNoise = this.#noise.goesOn(energyOf(step, this.#energy))
    // The engine lags behind: skip steps until it has caught up.
    if (this.#givenUp > 0 || this.#behind >= this.#maxBehind) {
      this.#givenUp++
      return
    }
    if (isNoise && this.#behind === 0) {
      this.#skipped.set(step)
      this.#hasSkipped = true
      this.#events.onProbability(this.#noise.probability)
      return
    }
    if (this.#hasSkipped) {
      this.#behind++
      this.#client.add(this, this.#skipped, null)
    }
    this.#hasSkipped = false
    this.#behind++
    this.#client.add(this, step, this.#energy)
  }
}
