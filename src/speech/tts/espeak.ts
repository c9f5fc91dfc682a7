// The small voice that always works: espeak-ng in one worker thread, sentence by sentence, so that streams take turns.
import { Worker } from 'node:worker_threads'
import { Channel } from '../../base/channel.ts'
import { AppError } from '../../base/errors.ts'
import type { AudioFrame, Tts } from '../../voice/ports.ts'
import { embeddedVoices } from '../catalogue.ts'
import { sentencesOf } from './clauses.ts'
import { espeakVoice } from './espeak-voices.ts'
import type { EspeakAnswer, EspeakJob } from './espeak-worker.ts'

export type EspeakTts = Tts & { close(): Promise<void> }

/** Sentences that may wait: at a factor of 0.03 the last of them starts within about five seconds. */
const MAX_WAITING = 64

type Job = Omit<EspeakJob, 'id'> & { frames: Channel<AudioFrame> }

/** Rejects when the optional package is not installed. */
export async function openEspeakTts(): Promise<EspeakTts> {
  const stopped = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('./espeak-worker.ts', import.meta.url), { workerData: { stopped } })
  const waiting: Job[] = []
  let current: { job: Job; id: number } | undefined
  let failure: AppError | undefined
  let lastId = 0
  let rateHz = 0

  const next = () => {
    if (current || failure) return
    const job = waiting.shift()
    if (!job) return
    current = { job, id: ++lastId }
    worker.postMessage({ id: lastId, text: job.text, voice: job.voice, speed: job.speed } satisfies EspeakJob)
  }
  const fail = (cause: unknown) => {
    failure ??= new AppError('unavailable', 'The small voice has stopped', { cause })
    for (const job of [...(current ? [current.job] : []), ...waiting.splice(0)]) job.frames.end(failure)
    current = undefined
  }
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (answer: EspeakAnswer) => {
      if ('ready' in answer) {
        rateHz = answer.rateHz
        resolve()
      } else if (current?.id === answer.id) {
        // Not waited for: espeak does not stop within a sentence, and the next one begins only when this one was taken.
        if ('pcm' in answer) void current.job.frames.push({ pcm: answer.pcm, rateHz })
        else {
          current.job.frames.end(
            'failed' in answer
              ? new AppError('unavailable', 'The small voice failed', { cause: answer.failed })
              : undefined,
          )
          current = undefined
          next()
        }
      }
    })
    worker.once('error', (error) => {
      fail(error)
      reject(error)
    })
    worker.once('exit', () => fail('exit'))
  })
  worker.unref()

  const say = (text: string, voice: string, speed: number): Job => {
    if (failure) throw failure
    if (waiting.length >= MAX_WAITING) throw new AppError('unavailable', 'Too many voices speak at once')
    const job: Job = { text, voice, speed, frames: new Channel() }
    waiting.push(job)
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
      for (const sentence of sentencesOf(text)) {
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
      fail('closed')
      await worker.terminate()
    },
  }
}
