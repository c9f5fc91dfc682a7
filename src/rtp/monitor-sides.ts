// The two sides of a monitored call: the caller as received, and the agent as it is played at this moment.
import type { Audio, AudioFrame, PlayoutResult, Transport } from '../voice/ports.ts'
import { Tape } from './monitor-tape.ts'

/** Frames of the caller arrive in bursts, longer ones on a busy machine: this much is buffered at first, and at most. */
const FIRST_MS = 40
const MAX_HELD_MS = 1000
/** A buffer that was never empty over this time only adds delay: it is shortened. */
const LOOK_BACK_MS = 2000
/** This much of a completed play may still be on its way to the listeners. */
const LATE_MS = 200

export function callerSide() {
  const tape = new Tape()
  let isFlowing = false
  let least = { ms: Number.POSITIVE_INFINITY, since: 0 }
  return {
    put(frame: AudioFrame): void {
      tape.push(frame)
      const tooMuchMs = tape.ms - MAX_HELD_MS
      if (tooMuchMs > 0) tape.read(tooMuchMs)
    },

    /** The tape for the frame at `atMs`; undefined while it is buffering. */
    at(atMs: number): Tape | undefined {
      const { ms } = tape
      isFlowing = ms > 0 && (isFlowing || ms >= FIRST_MS)
      least.ms = Math.min(least.ms, ms)
      if (atMs - least.since >= LOOK_BACK_MS) {
        if (least.ms > 2 * FIRST_MS) tape.read(least.ms - FIRST_MS)
        least = { ms: Number.POSITIVE_INFINITY, since: atMs }
      }
      return isFlowing ? tape : undefined
    },

    restart(atMs: number): void {
      tape.clear()
      isFlowing = false
      least = { ms: 0, since: atMs }
    },

    clear: (): void => tape.clear(),
  }
}

type Play = { tape: Tape; isOver: boolean }

/** `isUnheard`: nobody listens, so the plays pass by the clock. */
export function agentSide(now: () => number, isUnheard: () => boolean) {
  /** In playout order; the first is playing now, and was played up to `playedMs` on the clock. */
  let plays: Play[] = []
  let playedMs = now()
  /** The agent's playout is frozen. The word that it repeats afterwards is not repeated here. */
  let isHeld = false

  /** The play in progress; plays that are over and were heard are dropped. */
  function playing(): Tape | undefined {
    while (plays[0]?.isOver && plays[0].tape.rateHz === undefined) plays.shift()
    return plays[0]?.tape
  }

  function remove(play: Play): void {
    plays = plays.filter((each) => each !== play)
  }

  /** While nobody listens: moves on to what is played by now. */
  function catchUp(): void {
    if (!isUnheard()) return
    const at = now()
    while (playedMs < at && !isHeld) {
      const step = playing()?.read(at - playedMs) ?? 0
      // A fraction of a sample is left for the next time.
      if (step <= 0) break
      playedMs += step
    }
    if (isHeld || playing()?.rateHz === undefined) playedMs = at
  }

  async function* recorded(audio: Audio, tape: Tape): AsyncGenerator<AudioFrame> {
    for await (const frame of audio) {
      catchUp()
      tape.push(frame)
      yield frame
    }
  }

  return {
    catchUp,

    async play(transport: Transport, audio: Audio, signal: AbortSignal): Promise<PlayoutResult> {
      catchUp()
      const play: Play = { tape: new Tape(), isOver: false }
      plays.push(play)
      const cut = () => remove(play)
      signal.addEventListener('abort', cut, { once: true })
      try {
        return await transport.play(recorded(audio, play.tape), signal)
      } finally {
        signal.removeEventListener('abort', cut)
        catchUp()
        play.isOver = true
        if (signal.aborted || play.tape.ms > LATE_MS) remove(play)
      }
    },

    hold(on: boolean): void {
      catchUp()
      isHeld = on
    },

    /** The tape for the next frame; undefined while nothing is played. */
    current: (): Tape | undefined => (isHeld ? undefined : playing()),

    /** The listeners have heard the agent up to here. */
    heardUpTo(ms: number): void {
      playedMs = ms
    },
  }
}
