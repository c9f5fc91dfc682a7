// Monitoring mix of a live call: 20 ms stereo frames, caller left, agent right.
// Without listeners a frame costs one check and no copy.
import { createResampler, type Resampler } from '../audio/resample.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Audio, AudioFrame, PlayoutResult, Transport } from '../voice/ports.ts'
import { DroppingQueue, Inbox } from './frame-inbox.ts'

export const LISTEN_HZ = 16_000
const FRAME_MS = 20
const SAMPLES = (LISTEN_HZ * FRAME_MS) / 1000
const MAX_LISTENERS = 10
/** Slow listeners lose the oldest frames. */
const MAX_BEHIND = 2000 / FRAME_MS
/** The caller's frames come in bursts, long ones on a busy machine: so much is waited for, and so much is kept at most. */
const FIRST_MS = 40
const MAX_HELD_MS = 1000
/** What was kept all this time was kept for nothing: it only makes what is heard late. */
const LOOK_BACK_MS = 2000
/** Of a play that was heard to its end so much may still be on its way to the listeners. */
const LATE_MS = 200
/** After a longer stall of the process what nobody has heard is left out. */
const MAX_STALL_MS = 500

type Sound = Pick<AudioFrame, 'pcm' | 'rateHz'>

/** Frames one after the other, read by time, never copied before. */
class Tape {
  #frames: Sound[] = []
  #at = 0

  get ms(): number {
    return this.#frames.reduce((sum, { pcm, rateHz }) => sum + (pcm.length / rateHz) * 1000, 0) - this.#goneMs
  }
  get #goneMs(): number {
    return (this.#at / (this.#frames[0]?.rateHz ?? 1)) * 1000
  }

  push({ pcm, rateHz }: Sound): void {
    if (pcm.length > 0) this.#frames.push({ pcm, rateHz })
  }
  clear(): void {
    this.#frames = []
    this.#at = 0
  }

  /** Moves on by so much at most, and says by how much; the sound goes to `into`, of whose rate it must be. */
  read(ms: number, into?: { pcm: Int16Array; from: number; rateHz: number }): number {
    let leftMs = ms
    for (let frame = this.#frames[0]; frame; frame = this.#frames[0]) {
      const { pcm, rateHz } = frame
      if (into && into.rateHz !== rateHz) break
      const room = into ? into.pcm.length - into.from : Number.POSITIVE_INFINITY
      const wanted = Math.min(room, Math.round((leftMs * rateHz) / 1000))
      const count = Math.min(wanted, pcm.length - this.#at)
      if (count <= 0) break
      if (into) {
        into.pcm.set(pcm.subarray(this.#at, this.#at + count), into.from)
        into.from += count
      }
      this.#at += count
      leftMs -= (count / rateHz) * 1000
      if (this.#at < pcm.length) break
      this.#frames.shift()
      this.#at = 0
    }
    return ms - leftMs
  }

  get rateHz(): number | undefined {
    return this.#frames[0]?.rateHz
  }
}

/** Anything at any rate in, 20 ms at the listeners' rate out. */
class Side {
  #rateHz = LISTEN_HZ
  #resampler: Resampler = createResampler(LISTEN_HZ, LISTEN_HZ)
  #ready = new Int16Array(0)

  next(tape: Tape | undefined): Int16Array {
    const rateHz = tape?.rateHz ?? this.#rateHz
    if (rateHz !== this.#rateHz) {
      this.#rateHz = rateHz
      this.#resampler = createResampler(rateHz, LISTEN_HZ)
      this.#ready = new Int16Array(0)
    }
    const pcm = new Int16Array(Math.round((rateHz * FRAME_MS) / 1000))
    tape?.read(FRAME_MS, { pcm, from: 0, rateHz })
    const made = this.#resampler.push(pcm)
    const all = new Int16Array(Math.max(SAMPLES, this.#ready.length + made.length))
    // What a filter holds back at its beginning is silence before the sound, not a hole in it.
    all.set(this.#ready, all.length - made.length - this.#ready.length)
    all.set(made, all.length - made.length)
    this.#ready = all.slice(SAMPLES).slice(-SAMPLES)
    return all.subarray(0, SAMPLES)
  }
}

type Play = { tape: Tape; isOver: boolean }

export type Listener = {
  /** Ends with the conversation. */
  frames: AsyncIterable<Uint8Array>
  stop(): void
}

export type MonitorMixer = ReturnType<typeof monitorMixer>

export function monitorMixer(now: () => number = monotonicMs) {
  const listeners = new Set<{ queue: DroppingQueue<Uint8Array>; inbox: Inbox<Uint8Array> }>()
  const caller = new Tape()
  let isFlowing = false
  let least = { ms: Number.POSITIVE_INFINITY, since: 0 }
  /** In the order in which they are heard; the first is heard now, and was heard up to `playedMs` on the clock. */
  let plays: Play[] = []
  let playedMs = now()
  let gain = 1
  /** The agent's playout is frozen; the word that it repeats afterwards is not repeated here. */
  let isHeld = false
  let left = new Side()
  let right = new Side()
  let ticking: NodeJS.Timeout | undefined
  let sentMs = 0
  let isEnded = false
  let callerInput: Audio | undefined
  let stopReading = () => {}

  /** Where the agent's sound is by now, when nobody hears it. */
  function passUnheard(): void {
    if (listeners.size > 0) return
    const at = now()
    while (playedMs < at && !isHeld) {
      const step = nowPlaying()?.tape.read(at - playedMs) ?? 0
      // A fraction of a sample is left for the next time.
      if (step <= 0) break
      playedMs += step
    }
    if (isHeld || nowPlaying() === undefined || nowPlaying()?.tape.rateHz === undefined) playedMs = at
  }

  /** Those that are over and were heard make room for the next. */
  function nowPlaying(): Play | undefined {
    while (plays[0]?.isOver && plays[0].tape.rateHz === undefined) plays.shift()
    return plays[0]
  }

  function remove(play: Play): void {
    plays = plays.filter((each) => each !== play)
  }

  async function play(transport: Transport, audio: Audio, signal: AbortSignal): Promise<PlayoutResult> {
    passUnheard()
    const one: Play = { tape: new Tape(), isOver: false }
    plays.push(one)
    const cut = () => remove(one)
    signal.addEventListener('abort', cut, { once: true })
    try {
      return await transport.play(noted(audio, one), signal)
    } finally {
      signal.removeEventListener('abort', cut)
      passUnheard()
      one.isOver = true
      if (signal.aborted || one.tape.ms > LATE_MS) remove(one)
    }
  }

  async function* noted(audio: Audio, { tape }: Play): AsyncGenerator<AudioFrame> {
    for await (const frame of audio) {
      passUnheard()
      tape.push(frame)
      yield frame
    }
  }

  function heard(frame: AudioFrame): void {
    if (listeners.size === 0) return
    caller.push(frame)
    const tooMuchMs = caller.ms - MAX_HELD_MS
    if (tooMuchMs > 0) caller.read(tooMuchMs)
  }

  /** Begins with a little in hand, and has no more in hand than is needed. */
  function followCaller(): void {
    const { ms } = caller
    isFlowing = ms > 0 && (isFlowing || ms >= FIRST_MS)
    least.ms = Math.min(least.ms, ms)
    if (sentMs - least.since < LOOK_BACK_MS) return
    if (least.ms > 2 * FIRST_MS) caller.read(least.ms - FIRST_MS)
    least = { ms: Number.POSITIVE_INFINITY, since: sentMs }
  }

  function mix(): Uint8Array {
    followCaller()
    const [far, near] = [left.next(isFlowing ? caller : undefined), right.next(isHeld ? undefined : nowPlaying()?.tape)]
    const both = new Int16Array(2 * SAMPLES)
    for (let i = 0; i < SAMPLES; i++) {
      both[2 * i] = far[i] as number
      both[2 * i + 1] = (near[i] as number) * gain
    }
    return new Uint8Array(both.buffer)
  }

  function tick(): void {
    const at = now()
    if (at - sentMs > MAX_STALL_MS) sentMs = at - FRAME_MS
    for (; sentMs + FRAME_MS <= at; sentMs += FRAME_MS) {
      const frame = mix()
      for (const { queue, inbox } of listeners) {
        queue.put(frame)
        inbox.wake()
      }
    }
    playedMs = sentMs
  }

  /** Where the transport listens in place, its frames are read only while somebody monitors. */
  function callerSide(transport: Transport): Pick<Transport, 'input' | 'listen'> {
    const { input, listen } = transport
    if (!listen) return { input: overheard(input, heard) }
    callerInput = input
    return { input, listen: (options, sink) => listen.call(transport, options, sink) }
  }

  async function readCaller(input: Audio): Promise<void> {
    const reader = input[Symbol.asyncIterator]()
    stopReading = () => void reader.return?.()
    for (let one = await reader.next(); !one.done; one = await reader.next()) heard(one.value)
  }

  function begin(): void {
    passUnheard()
    if (callerInput) void readCaller(callerInput).catch(() => {})
    caller.clear()
    isFlowing = false
    least = { ms: 0, since: now() }
    left = new Side()
    right = new Side()
    sentMs = now()
    ticking = setInterval(tick, FRAME_MS)
  }

  function stop(): void {
    stopReading()
    clearInterval(ticking)
    ticking = undefined
    caller.clear()
  }

  return {
    /** The same transport, monitored. */
    watched: (transport: Transport): Transport => ({
      ...callerSide(transport),
      digits: transport.digits,
      play: (audio, signal) => play(transport, audio, signal),
      ...(transport.volume
        ? {
            volume(level: number) {
              gain = level
              transport.volume?.(level)
            },
          }
        : {}),
      ...(transport.hold
        ? {
            hold(on: boolean) {
              passUnheard()
              isHeld = on
              transport.hold?.(on)
            },
          }
        : {}),
      act: (action) => transport.act(action),
    }),
    /** Undefined when too many do so already, or there is nothing more to hear. */
    listen(): Listener | undefined {
      if (isEnded || listeners.size >= MAX_LISTENERS) return undefined
      if (listeners.size === 0) begin()
      const queue = new DroppingQueue<Uint8Array>(MAX_BEHIND)
      const one = { queue, inbox: new Inbox(queue) }
      listeners.add(one)
      return {
        frames: one.inbox,
        stop() {
          if (!listeners.delete(one)) return
          one.inbox.end()
          if (listeners.size === 0) stop()
        },
      }
    },
    end(): void {
      isEnded = true
      for (const { inbox } of listeners) inbox.end()
      listeners.clear()
      stop()
    },
  }
}

function overheard(input: Audio, heard: (frame: AudioFrame) => void): Audio {
  return {
    [Symbol.asyncIterator]() {
      const from = input[Symbol.asyncIterator]()
      return {
        async next() {
          const one = await from.next()
          if (!one.done) heard(one.value)
          return one
        },
        return: async () => (await from.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}
