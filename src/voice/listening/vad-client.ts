// A thread's connection with the VAD engine: cuts the audio of its streams into steps, skips steady noise, and sends the others in batches.
// While one batch is computed the next one fills. Probabilities come back by callbacks.
import { type Energy, energyOf, SteadyNoise } from './steady-noise.ts'
import { type FromVad, StepQueue, stepSamples, type ToVad, type VadRate } from './vad-steps.ts'

/** A MessagePort to the engine, or its worker. */
export type VadPort = { postMessage(message: ToVad, transfer?: ArrayBuffer[]): void }

export type VadTrackEvents = {
  onProbability(probability: number): void
  /** No more probabilities come. */
  onFailed(cause: unknown): void
}

/** Consecutive lost batches that are bridged with the last probabilities; after that the streams fail. */
const MAX_LOST = 3

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

  /** Streams that are open. */
  size = 0

  get isComputing(): boolean {
    return this.#computing !== null
  }

  /** When the last batch was sent, of `performance.now`. */
  get sentAtMs(): number {
    return this.#sentAtMs
  }

  waitingAt(rateHz: VadRate): number {
    return this.#waiting[rateHz].count
  }

  /** `mostBehind`: a stream with more steps on their way repeats its last probability instead. */
  open(rateHz: VadRate, events: VadTrackEvents, mostBehind = Number.POSITIVE_INFINITY): VadTrack {
    this.size++
    return new VadTrack(this, { stream: ++this.#lastStream, rateHz, mostBehind }, events)
  }

  /** The engine is there, or there again: with the state of no stream. */
  connect(port: VadPort): void {
    if (this.#port) this.disconnect(new Error('the engine was restarted'))
    this.#port = port
    this.flush()
  }

  /** The engine has gone: what it was computing is lost. A port that was replaced may close later. */
  disconnect(cause: unknown, port: VadPort | null = this.#port): void {
    if (port !== this.#port) return
    this.#port = null
    const lost = this.#computing
    this.#computing = null
    if (lost) this.#bridge(lost, cause)
  }

  /** The engine will not come back soon: streams that wait for it fail. */
  fail(error: unknown): void {
    for (const queue of [this.#waiting[8000], this.#waiting[16000]])
      queue.each(this.#energy, (track) => track.fail(error))
  }

  /** Sends what waits, unless a batch is being computed: then its results do. */
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

  /** Steps of a stream, in order. */
  add(track: VadTrack, pcm: Int16Array, energy: Energy | null): void {
    this.#waiting[track.rateHz].add(track, track.stream, pcm, energy)
  }

  /** Its state in the engine is not needed any more. */
  forget(stream: number): void {
    this.#port?.postMessage({ do: 'forget', stream })
  }

  /** A lost batch ends no call: each stream repeats its last probability, unless several in a row were lost. */
  #bridge(queue: StepQueue<VadTrack>, error: unknown): void {
    this.#onFault(error)
    this.#lostInRow++
    const hasFailed = this.#lostInRow > MAX_LOST
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
  readonly #mostBehind: number
  readonly #step: Int16Array
  #filled = 0
  readonly #noise = new SteadyNoise()
  readonly #energy: Energy = { all: 0, high: 0 }
  /** The last step, if it was skipped: the model needs it as context for the next one. */
  readonly #skipped: Int16Array
  #hasSkipped = false
  /** Steps that wait or are computed; after those, steps that were given up. */
  #behind = 0
  #givenUp = 0
  #isClosed = false

  constructor(
    client: VadClient,
    { stream, rateHz, mostBehind }: { stream: number; rateHz: VadRate; mostBehind: number },
    events: VadTrackEvents,
  ) {
    this.#client = client
    this.#events = events
    this.#mostBehind = mostBehind
    this.stream = stream
    this.rateHz = rateHz
    this.#step = new Int16Array(stepSamples(rateHz))
    this.#skipped = new Int16Array(stepSamples(rateHz))
  }

  /** Returns how many steps it completed; each gets its probability, now or later. */
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
    // Steps on their way would recreate the stream in the engine.
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

  /** A step is no longer on its way. */
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
    // The engine does not keep up: the stream goes on without it, for now.
    if (this.#givenUp > 0 || this.#behind >= this.#mostBehind) {
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
