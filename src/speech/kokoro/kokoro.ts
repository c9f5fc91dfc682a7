// Kokoro synthesis in worker threads; streams are interleaved chunk by chunk so that none underruns.
import { availableParallelism } from 'node:os'
import { appError, notFound } from '../../base/errors/errors.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { AudioFrame, Tts } from '../../voice/ports.ts'
import { embeddedVoices } from '../catalog.ts'
import { preparedFor } from './files.ts'
import type { Utterance } from './model.ts'
import type { KokoroPackages } from './packages.ts'
import { playsWithoutGap } from './playout-simulation.ts'
import { supportsInt8 } from './processor.ts'
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
import { openThread, type Thread } from './thread.ts'
import type { Job } from './worker.ts'

export type KokoroOptions = {
  folder: string
  packages: KokoroPackages
  /** By default the fast path, if the processor suits it and the files exist. */
  way?: 'fast' | 'plain'
  /** Threads of the fast path, one run each; the plain path uses as many for its single run. */
  threads?: number
}
export type KokoroTts = Tts & {
  readonly way: 'fast' | 'plain'
  /** False when one more stream could make the playing ones stutter. */
  hasRoom(): boolean
  /** Waits for the current runs; playing streams end with an error. */
  close(): Promise<void>
}

/** Requests beyond this are refused: waiting would be pointless. */
const MAX_STREAMS = 24
const SLOWEST = 0.5
const FASTEST = 2

type OutputStream = Speech & {
  reply: object | undefined
  queue: AudioFrame[]
  held: AudioFrame[]
  heldMs: number
  failure: unknown
  wake(): void
}
const frameMs = (frame: AudioFrame) => (frame.pcm.length * 1000) / frame.rateHz

/** Rejects when nothing is prepared in `folder`, or an optional package is not installed. */
export async function openKokoroTts(options: KokoroOptions): Promise<KokoroTts> {
  const { folder, packages } = options
  const states = await Promise.all(embeddedVoices.map(async ({ id }) => ({ id, ...(await preparedFor(folder, id)) })))
  const way = options.way ?? ((await supportsInt8()) && states.some((state) => state.fast) ? 'fast' : 'plain')
  const isFast = way === 'fast'
  const ready = new Set(states.filter((state) => state[way]).map((state) => state.id))
  const [firstVoice] = embeddedVoices.filter((voice) => ready.has(voice.id))
  if (!firstVoice) throw appError('voice_not_prepared')

  const count = options.threads ?? Math.min(2, availableParallelism())
  const model = { folder, voicesFolder: packages.voices, isFast, threads: count }
  const warmUp: Utterance = { text: 'Olá, tudo bem?', voiceId: firstVoice.id, language: firstVoice.language, speed: 1 }
  const open = async (hasFront: boolean) => {
    const thread = await openThread({ ...model, hasFront }, warmUp)
    void thread.ended.then(() => replace(thread))
    return thread
  }
  const opened = await Promise.allSettled(Array.from({ length: isFast ? count : 1 }, (_, i) => open(i === 0)))
  let threads: Thread[] = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = opened.find((one) => one.status === 'rejected')
  if (failed) {
    await Promise.all(threads.map((thread) => thread.close()))
    throw appError('voice_not_started', {}, { cause: failed.reason })
  }
  const pace = realTimeFactor(threads.reduce((sum, thread) => sum + thread.pace, 0) / threads.length)
  const streams = new Set<OutputStream>()
  /** Threads that are being opened in the place of dead ones. */
  const replacing = new Set<Promise<void>>()
  let isClosed = false
  const canBegin = () => threads.some((thread) => thread.hasFront)
  /** Sentences of one reply are played one after another: only the first that is not complete is synthesized. */
  const speaking = () => {
    const replies = new Set<object>()
    return [...streams].filter((stream) => {
      const { reply = stream, pieces } = stream
      return pieces.length > 0 && !replies.has(reply) && replies.add(reply)
    })
  }

  /** Gives every idle thread the most urgent task. Chunks go to threads without a front first: a new stream needs the other one. */
  function dispatch(): void {
    for (const thread of threads.toSorted((a, b) => Number(a.hasFront) - Number(b.hasFront))) {
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
    const isReady = () =>
      stream.startedAt !== undefined ||
      playsWithoutGap(stream, stream.heldMs, speaking(), { threads: threads.length, pace: pace.at(now), now })
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

  function replace(dead: Thread): void {
    threads = threads.filter((thread) => thread !== dead)
    if (isClosed) return
    const replaced = open(dead.hasFront)
      .then(
        (thread) => {
          threads.push(thread)
          dispatch()
        },
        (error: unknown) => {
          if (!canBegin()) for (const stream of streams) fail(stream, error)
        },
      )
      .finally(() => replacing.delete(replaced))
    replacing.add(replaced)
  }

  async function* speak(
    text: string,
    { reply, ...voice }: Omit<Utterance, 'text'> & { reply: object | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<AudioFrame> {
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
    name: 'kokoro',
    way,
    voices: async () => embeddedVoices.filter((voice) => ready.has(voice.id)),
    hasRoom: () =>
      !isClosed &&
      canBegin() &&
      streams.size < MAX_STREAMS &&
      speaking().length < maxStreams(pace.at(monotonicMs()), way, threads.length),
    async *speak(text, given, signal) {
      const voice = embeddedVoices.find(({ id }) => id === given.voiceId && ready.has(id))
      if (!voice) throw notFound('Voice')
      const language = given.language ?? voice.language
      const speed = Math.min(FASTEST, Math.max(SLOWEST, given.speed ?? 1))
      yield* speak(text, { voiceId: voice.id, language, speed, reply: given.reply }, signal)
    },
    async close() {
      isClosed = true
      for (const stream of streams) fail(stream, 'closed')
      await Promise.all(replacing)
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

function jobOf(piece: SpeechSegment, part: Task['part'], isUrgent: boolean): Job {
  if (part === 'front' || part === 'plain') return { do: part, utterance: piece.utterance, isUrgent }
  const window = piece.windows[part]
  if (!piece.clip || !window) throw new Error('kokoro: a window before its front')
  return { do: 'window', clip: piece.clip, window, isUrgent }
}
