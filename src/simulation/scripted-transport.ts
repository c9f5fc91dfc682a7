// The caller's end of a line on a virtual clock: what he lets be heard goes in by frames of 20 ms, what the agent says is noted.
import type { Audio, AudioFrame, CallAction, Clock, Played, Transport } from '../voice/ports.ts'
import { RATE_HZ } from './scripted-stt.ts'

const FRAME_MS = 20

/** What came out of the agent's mouth, and when. The text is known of a scripted voice only. */
export type Heard = { text: string; from: number; to: number; isCut: boolean }

export type ScriptedLine = {
  transport: Transport
  heard: readonly Heard[]
  acts: readonly CallAction[]
  volumes: readonly { at: number; gain: number }[]
  /** Something is being played now. */
  readonly isSounding: boolean
  press(digits: string): void
  leave(): void
  /** Fires when the caller has left. */
  signal: AbortSignal
}

/** `soundNow` is asked once in 20 ms for so much of the caller's sound at 8 kHz. */
export function scriptedLine(clock: Clock, soundNow: () => Int16Array): ScriptedLine {
  const caller = new AbortController()
  const heard: Heard[] = []
  const acts: CallAction[] = []
  const volumes: { at: number; gain: number }[] = []
  const keys: string[] = []
  let wakeKeys = () => {}
  let mouth: Promise<unknown> = Promise.resolve()
  let sounding = 0

  async function* input(): AsyncGenerator<AudioFrame> {
    while (!caller.signal.aborted) {
      await clock.sleep(FRAME_MS, caller.signal)
      // There is no recording: it would begin with the call.
      yield { pcm: soundNow(), rateHz: RATE_HZ, recordedMs: clock.now() - FRAME_MS }
    }
  }

  async function* digits(): AsyncGenerator<string> {
    caller.signal.addEventListener('abort', () => wakeKeys(), { once: true })
    while (!caller.signal.aborted) {
      const digit = keys.shift()
      if (digit !== undefined) yield digit
      else
        await new Promise<void>((wake) => {
          wakeKeys = wake
        })
    }
  }

  async function playNow(audio: Audio, signal: AbortSignal): Promise<Played> {
    let entry: Heard | undefined
    try {
      for await (const frame of audio as AsyncIterable<AudioFrame & { text?: string }>) {
        if (signal.aborted) break
        if (!entry) {
          entry = { text: frame.text ?? '', from: clock.now(), to: clock.now(), isCut: false }
          heard.push(entry)
          sounding++
        }
        await clock.sleep((frame.pcm.length / frame.rateHz) * 1000, signal)
        entry.to = clock.now()
        if (signal.aborted) break
      }
    } finally {
      if (entry) {
        entry.isCut = signal.aborted
        sounding--
      }
    }
    if (!entry) return { heardMs: 0 }
    const { from: fromMs, to: toMs } = entry
    return { heardMs: toMs - fromMs, beganAt: fromMs, recorded: { fromMs, toMs } }
  }

  return {
    transport: {
      input: input(),
      digits: digits(),
      play(audio, signal) {
        const played = mouth.then(() => playNow(audio, signal))
        mouth = played.catch(() => {})
        return played
      },
      volume: (gain) => void volumes.push({ at: clock.now(), gain }),
      async act(action) {
        acts.push(action)
        return { status: 'done' }
      },
    },
    heard,
    acts,
    volumes,
    get isSounding() {
      return sounding > 0
    },
    press(digits) {
      keys.push(...digits)
      wakeKeys()
    },
    leave: () => caller.abort(),
    signal: caller.signal,
  }
}
