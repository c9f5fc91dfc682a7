// Embedded speech recognition: Whisper in worker threads. Decoding starts when the utterance ends.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { joinPcm } from '../../audio/pcm.ts'
import { raceAbort } from '../../base/concurrency/abort.ts'
import { appError } from '../../base/errors/errors.ts'
import { NICENESS } from '../../base/process/thread-priority.ts'
import type { Audio, Stt, SttOptions, Transcript } from '../../voice/ports.ts'
import { enqueue } from './job-queue.ts'
import type { FromWhisper, ToWhisper, WhisperOutput, WhisperSetup } from './worker.ts'

type WhisperSettings = {
  /** Written by prepareWhisper. */
  folder: string
  /** Threads per run; 2 if cores are idle. */
  threads?: number
  /** Concurrent utterances; each worker holds its own model (about 250 MB). */
  workers?: number
  /** Utterances that may wait for a worker. */
  maxWaiting?: number
  niceness?: number
}

export type WhisperStt = Stt & {
  /** Milliseconds that the last utterance took in its worker, for measurements. */
  readonly lastMs: number
  /** Waits for the current inference: terminating a worker during a run would abort the whole process. */
  close(): Promise<void>
}

/** The longest utterance; audio after that is ignored. */
const MAX_SECONDS = 300

/** Overlapping speech is short and the agent waits for it, so the queue of urgent jobs may be longer. */
const URGENT_FACTOR = 4

type Job = {
  id: number
  isUrgent: boolean
  overtaken: number
  message: ToWhisper & { do: 'hear' }
  done: (heard: WhisperOutput | undefined) => void
  fail: (error: Error) => void
}
type Ears = { worker: Worker; job: Job | undefined }

export async function openWhisper(settings: WhisperSettings): Promise<WhisperStt> {
  const workers = await whisperWorkers(settings)
  return {
    name: 'whisper',
    isEmbedded: true,
    get lastMs() {
      return workers.lastMs()
    },
    async *transcribe(audio, options, signal): AsyncGenerator<Transcript> {
      const { pcm, rateHz } = await gather(audio, signal)
      if (signal.aborted) return
      if (pcm.length === 0) {
        yield { text: '', isFinal: true }
        return
      }
      const heard = await workers.hear(pcm, rateHz, options, signal)
      if (!heard || signal.aborted) return
      const { text, logProbability, hasSpeech, isUnclear } = heard
      yield { text, isFinal: true, confidence: text === '' ? 0 : Math.exp(logProbability), isUnclear, hasSpeech }
    },
    close: workers.close,
  }
}

async function whisperWorkers(settings: WhisperSettings) {
  const { folder, threads = 2, workers = 1, maxWaiting = 8, niceness = NICENESS.background } = settings
  const setup: WhisperSetup = { folder, threads, niceness }
  const all: Ears[] = []
  const waiting: Job[] = []
  let nextId = 1
  let lastMs = 0
  let starting = 0
  let isClosed = false

  async function start(): Promise<void> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: setup })
    const [first] = (await once(worker, 'message')) as [FromWhisper]
    if (first.type !== 'ready') throw new Error(first.type === 'failed' ? first.message : 'whisper did not start')
    const ears: Ears = { worker, job: undefined }
    all.push(ears)
    worker.on('message', (message: FromWhisper) => answer(ears, message))
    worker.on('error', (error) => lost(ears, error))
    worker.on('exit', () => lost(ears, undefined))
  }

  function answer(ears: Ears, message: FromWhisper): void {
    const { job } = ears
    if (message.type === 'ready' || !job || message.id !== job.id) return
    ears.job = undefined
    if (message.type === 'failed') job.fail(new Error(message.message))
    else {
      lastMs = message.heard?.tookMs ?? lastMs
      job.done(message.heard)
    }
    dispatch()
  }

  /** A worker that dies loses its own utterance, not the others. */
  function lost(ears: Ears, cause: unknown): void {
    const at = all.indexOf(ears)
    if (at < 0) return
    all.splice(at, 1)
    ears.job?.fail(appError('recogniser_stopped', {}, { cause }))
    restart()
  }

  function restart(): void {
    if (isClosed) return
    starting++
    start()
      .finally(() => starting--)
      .then(dispatch, (error) => {
        if (all.length > 0) return
        for (const job of waiting.splice(0)) job.fail(error)
      })
  }

  function dispatch(): void {
    for (const ears of all) {
      if (ears.job) continue
      const job = waiting.shift()
      if (!job) return
      ears.job = job
      ears.worker.postMessage(job.message, [job.message.pcm.buffer as ArrayBuffer])
    }
  }

  function hear(pcm: Int16Array, rateHz: number, options: SttOptions, signal: AbortSignal) {
    return new Promise<WhisperOutput | undefined>((resolve, reject) => {
      if (isClosed) return reject(appError('recogniser_closed'))
      if (waiting.length >= (options.isUrgent ? URGENT_FACTOR : 1) * maxWaiting)
        return reject(appError('recogniser_busy'))
      const id = nextId++
      const { language, hints = [], names = [], words = [], prompt = '', isUrgent = false } = options
      const message = { do: 'hear' as const, id, pcm, rateHz, language, hints, names, words, prompt }
      const forget = () => {
        const at = waiting.findIndex((job) => job.id === id)
        if (at >= 0) waiting.splice(at, 1)
        all.find((ears) => ears.job?.id === id)?.worker.postMessage({ do: 'forget', id } satisfies ToWhisper)
        resolve(undefined)
      }
      signal.addEventListener('abort', forget, { once: true })
      const after = (finish: () => void) => {
        signal.removeEventListener('abort', forget)
        finish()
      }
      const done = (heard: WhisperOutput | undefined) => after(() => resolve(heard))
      const fail = (error: Error) => after(() => reject(error))
      enqueue(waiting, { id, message, isUrgent, overtaken: 0, done, fail })
      if (all.length === 0 && starting === 0) restart()
      dispatch()
    })
  }

  for (let i = 0; i < workers; i++) await start()

  return {
    hear,
    lastMs: () => lastMs,
    async close(): Promise<void> {
      isClosed = true
      for (const job of waiting.splice(0)) job.done(undefined)
      await Promise.all(
        all.map(async ({ worker }) => {
          const ended = once(worker, 'exit')
          worker.postMessage({ do: 'close' } satisfies ToWhisper)
          await ended
        }),
      )
    },
  }
}

/** All frames as one buffer of our own (transferred to the worker without a copy); stops at once on abort. */
export async function gather(audio: Audio, signal: AbortSignal): Promise<{ pcm: Int16Array; rateHz: number }> {
  const parts: Int16Array[] = []
  let rateHz = 0
  let samples = 0
  let isEnded = false
  const frames = audio[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await raceAbort(signal, frames.next(), () => ({ done: true }) as const)
      if (next.done) {
        isEnded = !signal.aborted
        break
      }
      if (rateHz !== 0 && next.value.rateHz !== rateHz) throw appError('audio_rate_changes')
      rateHz = next.value.rateHz
      if (samples < MAX_SECONDS * rateHz) parts.push(next.value.pcm)
      samples += next.value.pcm.length
    }
  } finally {
    if (!isEnded) void frames.return?.()?.catch(() => {})
  }
  // A single frame would be passed through as it is, and its buffer is not ours to transfer.
  return { pcm: parts.length === 1 ? (parts[0] as Int16Array).slice() : joinPcm(parts), rateHz }
}
