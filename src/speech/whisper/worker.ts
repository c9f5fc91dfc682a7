// Worker thread of Whisper, one utterance at a time. It exits when told, never during a run.
import { parentPort, workerData } from 'node:worker_threads'
import { MEL_RATE_HZ } from '../../audio/mel.ts'
import { toFloats } from '../../audio/pcm.ts'
import { resample } from '../../audio/resample.ts'
import { setThreadNiceness } from '../../base/process/thread-priority.ts'
import { chunksOf } from './chunks.ts'
import { isQuiet } from './guards.ts'
import { loadWhisper, type WhisperModel } from './model.ts'

export type WhisperSetup = { folder: string; threads: number; niceness: number }
export type ToWhisper =
  | {
      do: 'hear'
      id: number
      pcm: Int16Array
      rateHz: number
      language: string
      hints: readonly string[]
      names: readonly string[]
      words: readonly string[]
      prompt: string
    }
  | { do: 'forget'; id: number }
  | { do: 'close' }
export type WhisperOutput = {
  text: string
  logProbability: number
  hasSpeech: boolean
  isUnclear: boolean
  tookMs: number
}
export type FromWhisper =
  | { type: 'ready' }
  | { type: 'heard'; id: number; heard: WhisperOutput | undefined }
  | { type: 'failed'; id: number | undefined; message: string }

type Job = Extract<ToWhisper, { do: 'hear' }>

async function hear(model: WhisperModel, job: Job, isForgotten: () => boolean): Promise<WhisperOutput | undefined> {
  const startedMs = performance.now()
  const samples = toFloats(resample(job.pcm, job.rateHz, MEL_RATE_HZ))
  const texts: string[] = []
  let sum = 0
  let tokens = 0
  let hasSpeech = false
  let isUnclear = false
  for (const part of chunksOf(samples)) {
    if (isQuiet(part)) continue
    const result = await model.transcribe(part, job, isForgotten)
    if (!result) return undefined
    hasSpeech ||= result.hasSpeech
    if (result.text === '') continue
    texts.push(result.text)
    isUnclear ||= result.isUnclear
    sum += result.logProbability * (result.tokens + 1)
    tokens += result.tokens + 1
  }
  const logProbability = tokens > 0 ? sum / tokens : 0
  return { text: texts.join(' '), logProbability, hasSpeech, isUnclear, tookMs: performance.now() - startedMs }
}

async function work(port: NonNullable<typeof parentPort>, { folder, threads, niceness }: WhisperSetup): Promise<void> {
  const tell = (message: FromWhisper) => port.postMessage(message)
  const jobs: Job[] = []
  let running: number | undefined
  let isForgotten = false
  let isClosing = false
  let wake = () => {}
  port.on('message', (message: ToWhisper) => {
    if (message.do === 'hear') jobs.push(message)
    else if (message.do === 'forget') isForgotten ||= message.id === running
    else isClosing = true
    wake()
  })
  setThreadNiceness(niceness)
  const model = await loadWhisper(folder, threads)
  tell({ type: 'ready' })
  while (!isClosing) {
    const job = jobs.shift()
    if (!job) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      continue
    }
    running = job.id
    isForgotten = false
    try {
      tell({ type: 'heard', id: job.id, heard: await hear(model, job, () => isForgotten || isClosing) })
    } catch (error) {
      tell({ type: 'failed', id: job.id, message: String(error) })
    }
  }
  await model.release()
  port.close()
}

if (parentPort) {
  const port = parentPort
  work(port, workerData as WhisperSetup).catch((error) => {
    port.postMessage({ type: 'failed', id: undefined, message: String(error) } satisfies FromWhisper)
    port.close()
  })
}
