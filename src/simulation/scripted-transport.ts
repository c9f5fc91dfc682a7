// A transport on a virtual clock: the scripted caller's audio goes in as frames of 20 ms, and what the agent says is logged.
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
  readonly isPlaying: boolean
  press(digits: string): void
  leave(): void
  /** Fires when the caller hangs up. */
  signal: AbortSignal
}

/** `nextFrame` is called every 20 ms for the caller's audio at 8 kHz. */
export function scriptedTransport(clock: Clock, nextFrame: () => Int16Array): ScriptedTransport {
  const caller = new AbortController()
  const played: PlayedSentence[] = []
  const acts: CallAction[] = []
  const volumes: { at: number; gain: number }[] = []
  const pressed: string[] = []
  let wakeDigits = () => {}
  let queue: Promise<unknown> = Promise.resolve()
  let playing = 0

  async function* input(): AsyncGenerator<AudioFrame> {
    while (!caller.signal.aborted) {
      await clock.sleep(FRAME_MS, caller.signal)
      // A recording would start with the call.
      yield { pcm: nextFrame(), rateHz: RATE_HZ, recordedMs: clock.now() - FRAME_MS }
    }
  }

  async function* digits(): AsyncGenerator<string> {
    caller.signal.addEventListener('abort', () => wakeDigits(), { once: true })
    while (!caller.signal.aborted) {
      const digit = pressed.shift()
      if (digit !== undefined) yield digit
      else
        await new Promise<void>((wake) => {
          wakeDigits = wake
        })
    }
  }

  async function playNow(audio: Audio, signal: AbortSignal): Promise<PlayoutResult> {
    let entry: PlayedSentence | undefined
    try {
      for await (const frame of audio as AsyncIterable<AudioFrame & { text?: string }>) {
        if (signal.aborted) break
        if (!entry) {
          entry = { text: frame.text ?? '', from: clock.now(), to: clock.now(), isCut: false }
          played.push(entry)
          playing++
        }
        await clock.sleep((frame.pcm.length / frame.rateHz) * 1000, signal)
        entry.to = clock.now()
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
    return { playedMs: toMs - fromMs, startedAt: fromMs, recorded: { fromMs, toMs } }
  }

  return {
    transport: {
      input: input(),
      digits: digits(),
      play(audio, signal) {
        const result = queue.then(() => playNow(audio, signal))
        queue = result.catch(() => {})
        return result
      },
      volume: (gain) => void volumes.push({ at: clock.now(), gain }),
      async act(action) {
        acts.push(action)
        return { status: 'done' }
      },
    },
    played,
    acts,
    volumes,
    get isPlaying() {
      return playing > 0
    },
    press(digits) {
      pressed.push(...digits)
      wakeDigits()
    },
    leave: () => caller.abort(),
    signal: caller.signal,
  }
}
