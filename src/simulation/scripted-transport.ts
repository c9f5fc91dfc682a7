// A transport on a virtual clock: the scripted caller's audio goes in as frames of 20 ms, and what the agent says is logged.
import { raceAbort } from '../base/concurrency/abort.ts'
import { Channel } from '../base/concurrency/channel.ts'
import type { Audio, AudioFrame, CallAction, Clock, PlayoutResult, Transport } from '../voice/ports.ts'
import { RATE_HZ } from './scripted-stt.ts'

const FRAME_MS = 20

/** A sentence of the agent, and when it was played. The text is known with a scripted voice only. */
export type PlayedSentence = { text: string; from: number; to: number; isCut: boolean }

export type ScriptedTransport = {
  transport: Transport
  played: readonly PlayedSentence[]
  acts: readonly CallAction[]
  volumes: readonly { at: number; gain: number }[]
  holds: readonly { at: number; isHeld: boolean }[]
  readonly isPlaying: boolean
  press(digits: string): void
  leave(): void
  /** Fires when the caller hangs up. */
  signal: AbortSignal
}

/** Playout that can be held: `playFor` takes as long as the audio and the time it was held. */
function heldPlayout(clock: Clock, onHold: (isHeld: boolean) => void) {
  /** Fires when playout is held; while it is, `released` is awaited. */
  let running = new AbortController()
  let released: PromiseWithResolvers<void> | undefined
  const whileHeld = (signal: AbortSignal) => released && raceAbort(signal, released.promise, () => {})
  return {
    get isHeld() {
      return released !== undefined
    },
    whileHeld,
    hold(isHeld: boolean): void {
      if (isHeld === (released !== undefined)) return
      onHold(isHeld)
      if (isHeld) {
        released = Promise.withResolvers()
        running.abort()
      } else {
        running = new AbortController()
        released?.resolve()
        released = undefined
      }
    },
    /** Calls `onPlayed` after each part. */
    async playFor(ms: number, signal: AbortSignal, onPlayed: (ms: number) => void): Promise<void> {
      // A remainder from rounding would never elapse.
      for (let leftMs = ms; leftMs > 0.001 && !signal.aborted; ) {
        const from = clock.now()
        await clock.sleep(leftMs, AbortSignal.any([signal, running.signal]))
        onPlayed(Math.min(leftMs, clock.now() - from))
        leftMs -= clock.now() - from
        await whileHeld(signal)
      }
    },
  }
}

/** `nextFrame` is called every 20 ms for the caller's audio at 8 kHz. */
export function scriptedTransport(clock: Clock, nextFrame: () => Int16Array): ScriptedTransport {
  const caller = new AbortController()
  const played: PlayedSentence[] = []
  const acts: CallAction[] = []
  const volumes: { at: number; gain: number }[] = []
  const holds: { at: number; isHeld: boolean }[] = []
  const playout = heldPlayout(clock, (isHeld) => holds.push({ at: clock.now(), isHeld }))
  const digits = new Channel<string>()
  caller.signal.addEventListener('abort', () => digits.end(), { once: true })
  let queue: Promise<unknown> = Promise.resolve()
  let playing = 0

  async function* input(): AsyncGenerator<AudioFrame> {
    while (!caller.signal.aborted) {
      await clock.sleep(FRAME_MS, caller.signal)
      // A recording would start with the call.
      yield { pcm: nextFrame(), rateHz: RATE_HZ, recordedMs: clock.now() - FRAME_MS }
    }
  }

  async function playNow(audio: Audio, signal: AbortSignal): Promise<PlayoutResult> {
    let entry: PlayedSentence | undefined
    let playedMs = 0
    try {
      for await (const frame of audio as AsyncIterable<AudioFrame & { text?: string }>) {
        await playout.whileHeld(signal)
        if (signal.aborted) break
        if (!entry) {
          entry = { text: frame.text ?? '', from: clock.now(), to: clock.now(), isCut: false }
          played.push(entry)
          playing++
        }
        const sentence = entry
        await playout.playFor((frame.pcm.length / frame.rateHz) * 1000, signal, (ms) => {
          playedMs += ms
          sentence.to = clock.now()
        })
        if (signal.aborted) break
      }
    } finally {
      if (entry) {
        entry.isCut = signal.aborted
        playing--
      }
    }
    if (!entry) return { playedMs: 0 }
    const { from: fromMs, to: toMs } = entry
    return { playedMs, startedAt: fromMs, endedAt: toMs, recorded: { fromMs, toMs } }
  }

  return {
    transport: {
      input: input(),
      digits,
      play(audio, signal) {
        const result = queue.then(() => playNow(audio, signal))
        queue = result.catch(() => {})
        return result
      },
      volume: (gain) => void volumes.push({ at: clock.now(), gain }),
      hold: playout.hold,
      async act(action) {
        acts.push(action)
        return { status: 'done' }
      },
    },
    played,
    acts,
    volumes,
    holds,
    get isPlaying() {
      return playing > 0 && !playout.isHeld
    },
    press(keys) {
      for (const key of keys) void digits.push(key)
    },
    leave: () => caller.abort(),
    signal: caller.signal,
  }
}
