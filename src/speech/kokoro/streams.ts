// The streams that speak at the same time, interleaved chunk by chunk over the threads so that none underruns.
import { appError } from '../../base/errors/errors.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { AudioFrame } from '../../voice/ports.ts'
import type { Utterance } from './model.ts'
import { playsWithoutGap } from './playout-simulation.ts'
import { maxStreams, realTimeFactor } from './real-time-factor.ts'
import { nextTask, type Task, taskCostMs } from './schedule.ts'
import {
  acceptChunk,
  acceptClip,
  acceptFp32,
  newSpeech,
  type Speech,
  type SpeechSegment,
  takeFrames,
} from './speech.ts'
import type { Thread } from './thread.ts'
import { threadPool } from './thread-pool.ts'
import type { Job } from './worker.ts'

/** Requests beyond this are refused: waiting would be pointless. */
const MAX_STREAMS = 24

type Request = Omit<Utterance, 'text'> & { reply: object | undefined }
type OutputStream = Speech & {
  reply: object | undefined
  queue: AudioFrame[]
  held: AudioFrame[]
  heldMs: number
  failure: unknown
  wake(): void
}
const frameMs = (frame: AudioFrame) => (frame.pcm.length * 1000) / frame.rateHz

export async function openStreams(isFast: boolean, size: number, open: (hasFront: boolean) => Promise<Thread>) {
  const streams = new Set<OutputStream>()
  let isClosed = false
  const onStopped = (error: unknown) => {
    for (const stream of streams) fail(stream, error)
  }
  const pool = await threadPool({ size, open, onReplaced: dispatch, onStopped })
  const pace = realTimeFactor(pool.pace)

  /** Sentences of one reply are played one after another: only the first that is not complete is synthesized. */
  function speaking(): OutputStream[] {
    const replies = new Set<object>()
    return [...streams].filter((stream) => {
      const { reply = stream, pieces } = stream
      return pieces.length > 0 && !replies.has(reply) && replies.add(reply)
    })
  }

  /** Gives every idle thread the most urgent task. Chunks go to threads without a front first: a new stream needs the other one. */
  function dispatch(): void {
    for (const thread of pool.threads.toSorted((a, b) => Number(a.hasFront) - Number(b.hasFront))) {
      if (thread.isBusy || thread.isDead || isClosed) continue
      const next = nextTask<SpeechSegment, OutputStream>(speaking(), monotonicMs(), thread.hasFront)
      if (!next) continue
      run(thread, next.stream, next.task).catch((error: unknown) => fail(next.stream, error))
    }
  }

  async function run(thread: Thread, stream: OutputStream, { piece, part }: Task<SpeechSegment>): Promise<void> {
    if (typeof part === 'number') piece.given = part + 1
    else piece.state = 'begun'
    const startedAt = monotonicMs()
    piece.begunAt?.set(part, startedAt)
    try {
      const answer = await thread.run(jobOf(piece, part, stream.startedAt === undefined))
      if ('clip' in answer) acceptClip(piece, answer.clip, stream.startedAt === undefined && stream.pieces[0] === piece)
      else if ('samples' in answer && typeof part === 'number') acceptChunk(piece, part, answer.samples)
      else if ('samples' in answer) acceptFp32(piece, answer.samples)
      // Its length is now known; it was estimated before.
      pace.note(taskCostMs({ piece, part }), monotonicMs() - startedAt, monotonicMs())
      release(stream, takeFrames(stream))
    } finally {
      dispatch()
    }
  }

  /** The first frames are held back until the following ones are certain to arrive in time. */
  function release(stream: OutputStream, frames: AudioFrame[]): void {
    stream.held.push(...frames)
    for (const frame of frames) stream.heldMs += frameMs(frame)
    const now = monotonicMs()
    const moment = { threads: pool.threads.length, pace: pace.at(now), now }
    const isReady = () => stream.startedAt !== undefined || playsWithoutGap(stream, stream.heldMs, speaking(), moment)
    if (stream.held.length > 0 && isReady()) {
      stream.startedAt ??= now
      stream.queue.push(...stream.held.splice(0))
      stream.unreadMs += stream.heldMs
      stream.producedMs += stream.heldMs
      stream.heldMs = 0
    }
    stream.wake()
  }

  function fail(stream: OutputStream, cause: unknown): void {
    stream.failure ??= appError('voice_failed', {}, { cause })
    stream.pieces = []
    streams.delete(stream)
    stream.wake()
  }

  async function* speak(text: string, { reply, ...voice }: Request, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    if (isClosed) throw appError('voice_closed')
    if (streams.size >= MAX_STREAMS) throw appError('voices_busy')
    const speech = newSpeech(text, voice, isFast, monotonicMs())
    const stream: OutputStream = {
      ...speech,
      reply,
      queue: [],
      held: [],
      heldMs: 0,
      failure: undefined,
      wake: () => {},
    }
    const onAbort = () => stream.wake()
    signal.addEventListener('abort', onAbort)
    streams.add(stream)
    dispatch()
    try {
      while (!signal.aborted) {
        const frame = stream.queue.shift()
        if (frame) {
          stream.unreadMs -= frameMs(frame)
          dispatch()
          yield frame
        } else if (stream.failure !== undefined) throw stream.failure
        else if (stream.pieces.length === 0) return
        else await new Promise<void>((wake) => (stream.wake = wake))
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      stream.pieces = []
      streams.delete(stream)
      dispatch() // the next sentence of the reply
    }
  }

  return {
    speak,
    hasRoom: (): boolean =>
      !isClosed &&
      pool.canBegin() &&
      streams.size < MAX_STREAMS &&
      speaking().length < maxStreams(pace.at(monotonicMs()), isFast ? 'fast' : 'plain', pool.threads.length),
    async close(): Promise<void> {
      isClosed = true
      for (const stream of streams) fail(stream, 'closed')
      await pool.close()
    },
  }
}

function jobOf(piece: SpeechSegment, part: Task['part'], isUrgent: boolean): Job {
  if (part === 'front' || part === 'plain') return { do: part, utterance: piece.utterance, isUrgent }
  const window = piece.windows[part]
  if (!piece.clip || !window) throw new Error('kokoro: a window before its front')
  return { do: 'window', clip: piece.clip, window, isUrgent }
}
