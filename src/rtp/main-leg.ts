// The main-thread side of a leg: audio streams, and promises for the worker's actions.
import { ownedListener } from '../base/errors/error-containment.ts'
import { appError } from '../base/errors/errors.ts'
import { countContained } from '../base/errors/faults.ts'
import type { AudioFrame, Listening, ListenOptions, ListenSink, PlayoutResult } from '../voice/ports.ts'
import { legWeights } from './codecs.ts'
import { DroppingQueue, FrameRing, frameOf, Inbox } from './frame-inbox.ts'
import type { DigitMode, LegEvent, LegOptions, LegSettings, LegStats, MediaLeg } from './leg.ts'
import { LegListening } from './leg-listening.ts'
import { Player } from './player.ts'
import type { LegEnd, LegNotification, MediaThread } from './thread.ts'
import type { BatchEntry, Command } from './wire.ts'

/** Two seconds of frames. */
const INPUT_FRAMES = 100
const MAX_DIGITS = 256
const TONE_MS = 120
const GAP_MS = 80

const noStats: LegStats = {
  packetsReceived: 0,
  packetsSent: 0,
  lost: 0,
  concealed: 0,
  late: 0,
  duplicates: 0,
  refused: 0,
  faults: 0,
  jitterMs: 0,
  bufferMs: 0,
  remoteLossFraction: null,
  roundTripMs: null,
}

export class MainLeg implements MediaLeg, LegEnd {
  readonly port: number
  readonly input: Inbox<AudioFrame>
  readonly digits: Inbox<string>
  /** That of G.711 until a codec is negotiated. */
  weight = legWeights.PCMU
  readonly #id: number
  readonly #thread: MediaThread
  readonly #onEvent: (event: LegEvent) => void
  readonly #onGone: () => void
  readonly #frames = new FrameRing(INPUT_FRAMES)
  readonly #digits = new DroppingQueue<string>(MAX_DIGITS)
  readonly #player: Player
  readonly #jobs = new Map<number, () => void>()
  #lastJob = 0
  #stats = noStats
  #isGone = false
  #hasStoppedListening = false
  #listening: LegListening | undefined
  #closing: Promise<LegStats> | undefined
  #closed = Promise.withResolvers<LegStats>()

  constructor(id: number, port: number, thread: MediaThread, options: LegOptions, onGone: () => void) {
    this.#id = id
    this.port = port
    this.#thread = thread
    this.#onEvent = ownedListener(options.onEvent ?? (() => {}))
    this.#onGone = onGone
    this.input = new Inbox(this.#frames, (isRead) => {
      if (!this.#isOver) this.#thread.tell({ do: 'read', leg: id, isRead })
    })
    this.digits = new Inbox(this.#digits)
    this.#player = new Player(id, thread)
  }

  configure(settings: LegSettings): void {
    this.weight = legWeights[settings.codec]
    if (!this.#isOver) this.#thread.tell({ do: 'configure', leg: this.#id, settings })
  }

  play(audio: AsyncIterable<AudioFrame>, signal: AbortSignal): Promise<PlayoutResult> {
    return this.#player.play(audio, signal)
  }

  async sendDigits(digits: string, mode: DigitMode, toneMs = TONE_MS, gapMs = GAP_MS): Promise<void> {
    const wanted = digits.toUpperCase().replaceAll('W', 'w')
    // The error does not repeat the digits: they may be a password.
    if (!/^[0-9*#A-Dw]*$/.test(wanted)) throw appError('digits_invalid')
    await this.#ask((job) => ({ do: 'digits', leg: this.#id, job, digits: wanted, mode, toneMs, gapMs }))
  }

  volume(gain: number): void {
    if (!this.#isOver) this.#thread.tell({ do: 'volume', leg: this.#id, gain })
  }

  hold(isHeld: boolean): void {
    if (!this.#isOver) this.#thread.tell({ do: 'hold', leg: this.#id, isHeld })
  }

  join(other: MediaLeg): void {
    if (this.#isOver || !(other instanceof MainLeg)) return
    if (other.#thread !== this.#thread) throw new Error('legs of two threads cannot be joined')
    this.#thread.tell({ do: 'join', leg: this.#id, other: other.#id })
  }

  listen(options: ListenOptions, sink: ListenSink): Listening | undefined {
    const vad = this.#isOver ? undefined : this.#thread.connectVad(options.vad)
    if (vad === undefined) return undefined
    this.#listening?.stop()
    const listening = new LegListening(this.#thread, this.#id, { options, vad, sink })
    this.#listening = listening
    if (this.#hasStoppedListening) listening.stop()
    return listening
  }

  stopListening(): void {
    this.#hasStoppedListening = true
    if (this.#isOver) this.#listening?.over()
    else this.#listening?.stop()
    this.input.end()
    this.digits.end()
  }

  pushDigit(digit: string): void {
    if (this.#isOver) return
    this.#digits.put(digit)
    this.digits.wake()
  }

  async record(path: string): Promise<void> {
    await this.#ask((job) => ({ do: 'record', leg: this.#id, job, path }))
  }

  async stopRecording(): Promise<void> {
    await this.#ask((job) => ({ do: 'stop-recording', leg: this.#id, job }))
  }

  async stats(): Promise<LegStats> {
    await this.#ask((job) => ({ do: 'stats', leg: this.#id, job }))
    return this.#stats
  }

  close(): Promise<LegStats> {
    if (this.#closing) return this.#closing
    this.#closing = this.#closed.promise
    if (!this.#isGone) this.#thread.tell({ do: 'close', leg: this.#id })
    this.#endStreams()
    return this.#closing
  }

  isOf(thread: MediaThread): boolean {
    return this.#thread === thread
  }

  /** A received frame, from the worker. */
  hear({ pcm, rateHz, recordedMs, sound }: Required<BatchEntry>, atMs: number): void {
    if (this.#isOver) return
    const frame = frameOf({ pcm, rateHz, atMs }, recordedMs, sound)
    if (!this.input.hand(frame)) this.#frames.put(frame)
  }

  take(note: LegNotification, atMs: number): void {
    if (note.is === 'heard') this.#player.heard(note, atMs)
    else if (note.is === 'event') {
      if (note.event.type === 'failed') countContained('call') // its worker closes it
      this.#tell(note.event)
    } else if (note.is === 'done') {
      if (note.stats) this.#stats = note.stats
      this.#jobs.get(note.job)?.()
      this.#jobs.delete(note.job)
    } else {
      this.#stats = note.stats
      if (note.problem === undefined) this.#end()
      else {
        countContained('call') // its worker closed it because of a fault
        this.fail(note.problem)
      }
    }
  }

  /** The leg ended without being closed. */
  fail(problem: string): void {
    if (this.#isGone) return
    const isClosing = this.#closing !== undefined
    this.#end()
    if (!isClosing) this.#tell({ type: 'failed', problem })
  }

  get #isOver(): boolean {
    return this.#isGone || this.#closing !== undefined
  }

  #tell(event: LegEvent): void {
    if (event.type === 'digit') this.pushDigit(event.digit)
    this.#onEvent(event)
  }

  #ask(command: (job: number) => Command): Promise<void> {
    if (this.#isOver) return Promise.resolve()
    const job = ++this.#lastJob
    return new Promise((resolve) => {
      this.#jobs.set(job, resolve)
      this.#thread.tell(command(job))
    })
  }

  #endStreams(): void {
    this.stopListening()
    this.#player.stop()
  }

  #end(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#thread.legs.delete(this.#id)
    this.#endStreams()
    this.#player.end()
    for (const done of this.#jobs.values()) done()
    this.#jobs.clear()
    this.#onGone()
    this.#closed.resolve(this.#stats)
  }
}
