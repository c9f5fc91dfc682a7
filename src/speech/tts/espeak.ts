// The fallback voice: espeak-ng in one worker thread; streams are interleaved sentence by sentence.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Channel } from '../../base/concurrency/channel.ts'
import { type AppError, appError } from '../../base/errors/errors.ts'
import type { AudioFrame, Tts } from '../../voice/ports.ts'
import { embeddedVoices } from '../catalog.ts'
import { wholeSentences } from './clauses.ts'
import { espeakVoice } from './espeak-voices.ts'
import type { EspeakAnswer, EspeakJob } from './espeak-worker.ts'

export type EspeakTts = Tts & { close(): Promise<void> }

/** Queue limit in sentences: at a real-time factor of 0.03 the last one starts within about five seconds. */
const MAX_WAITING = 64

type Job = Omit<EspeakJob, 'id'> & { frames: Channel<AudioFrame> }

/** Rejects when the optional package is not installed. A thread that dies loses only the sentence it was speaking. */
export async function openEspeakTts(): Promise<EspeakTts> {
  const stopped = new Int32Array(new SharedArrayBuffer(4))
  const waiting: Job[] = []
  let worker: Worker | undefined
  let current: { job: Job; id: number } | undefined
  let isClosed = false
  let isStarting = false
  let lastId = 0
  let rateHz = 0

  const next = () => {
    if (current || !worker) return
    const job = waiting.shift()
    if (!job) return
    current = { job, id: ++lastId }
    worker.postMessage({ id: lastId, text: job.text, voice: job.voice, speed: job.speed } satisfies EspeakJob)
  }
  const end = (failure?: AppError) => {
    current?.job.frames.end(failure)
    current = undefined
  }
  const answered = (answer: EspeakAnswer) => {
    if ('ready' in answer || current?.id !== answer.id) return
    // Not awaited: espeak does not stop within a sentence, and the next one starts only after this one was consumed.
    if ('pcm' in answer) void current.job.frames.push({ pcm: answer.pcm, rateHz })
    else {
      end('failed' in answer ? failed(answer.failed) : undefined)
      next()
    }
  }
  const lost = (cause: unknown) => {
    worker = undefined
    end(failed(cause))
    restart()
  }
  const restart = () => {
    if (isClosed || isStarting) return
    isStarting = true
    start()
      .catch((error: unknown) => {
        for (const job of waiting.splice(0)) job.frames.end(failed(error))
      })
      .finally(() => {
        isStarting = false
      })
  }

  async function start(): Promise<void> {
    const thread = new Worker(new URL('./espeak-worker.ts', import.meta.url), { workerData: { stopped } })
    const [first] = (await once(thread, 'message')) as [EspeakAnswer]
    if (!('ready' in first)) throw new Error('espeak-ng did not start')
    rateHz = first.rateHz
    let cause: unknown
    thread.on('message', answered)
    thread.on('error', (error) => {
      cause = error
    })
    thread.once('exit', () => lost(cause))
    thread.unref()
    worker = thread
    if (isClosed) await thread.terminate()
    next()
  }
  await start()

  const say = (text: string, voice: string, speed: number): Job => {
    if (isClosed) throw failed('closed')
    if (waiting.length >= MAX_WAITING) throw appError('voices_busy')
    const job: Job = { text, voice, speed, frames: new Channel() }
    waiting.push(job)
    if (!worker) restart()
    next()
    return job
  }
  const stop = (job: Job) => {
    if (current?.job === job) Atomics.store(stopped, 0, current.id)
    const at = waiting.indexOf(job)
    if (at >= 0) waiting.splice(at, 1)
    job.frames.end()
  }

  return {
    name: 'espeak',
    voices: async () => [...embeddedVoices],
    async *speak(text, options, signal) {
      const voice = embeddedVoices.find((known) => known.id === options.voiceId)
      const name = espeakVoice(options.language ?? voice?.language ?? 'pt-BR', voice?.gender ?? 'female')
      for (const sentence of wholeSentences(text)) {
        if (signal.aborted) return
        const job = say(sentence, name, options.speed ?? 1)
        const abort = () => stop(job)
        signal.addEventListener('abort', abort, { once: true })
        try {
          let words: string | undefined = sentence
          for await (const frame of job.frames) {
            if (signal.aborted) return
            yield words === undefined ? frame : { ...frame, words }
            words = undefined
          }
        } finally {
          signal.removeEventListener('abort', abort)
          stop(job)
        }
      }
    },
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.frames.end(failed('closed'))
      await worker?.terminate()
    },
  }
}

const failed = (cause: unknown) => appError('small_voice_failed', {}, { cause })
