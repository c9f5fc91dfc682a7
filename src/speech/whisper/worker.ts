// Worker thread of Whisper: decodes one utterance while the next is encoded in a thread of its own. It exits when told, never during a run.
import { parentPort, workerData } from 'node:worker_threads'
import { MEL_RATE_HZ } from '../../audio/mel.ts'
import { toFloats } from '../../audio/pcm.ts'
import { resample } from '../../audio/resample.ts'
import { NICENESS, setThreadNiceness } from '../../base/thread-priority.ts'
import { chunksOf } from './chunks.ts'
import { type Encoder, openEncoder } from './encoder.ts'
import { isQuiet } from './guards.ts'
import { loadWhisper, type WhisperModel } from './model.ts'

export type WhisperSetup = { folder: string; threads: number }
export type ToWhisper =
  | {
      do: 'hear'
      id: number
      pcm: Int16Array
      rateHz: number
      language: string
      hints: readonly string[]
      prompt: string
      utterance: string | undefined
    }
  | { do: 'forget'; id: number }
  | { do: 'close' }
export type WhisperOutput = { text: string; logProbability: number; hasSpeech: boolean; tookMs: number }
export type FromWhisper =
  | { type: 'ready' }
  /** The next utterance may be sent. */
  | { type: 'encoded'; id: number }
  | { type: 'heard'; id: number; heard: WhisperOutput | undefined }
  | { type: 'failed'; id: number | undefined; message: string }

type Job = Extract<ToWhisper, { do: 'hear' }>

type Engine = {
  model: WhisperModel
  encoder: Encoder
  /** Runs one decoding after another: two at a time would both be late. */
  inTurn: <T>(decode: () => Promise<T>) => Promise<T>
}
type Hearing = { isForgotten: () => boolean; onEncoded: () => void }

async function hear(
  { model, encoder, inTurn }: Engine,
  job: Job,
  { isForgotten, onEncoded }: Hearing,
): Promise<WhisperOutput | undefined> {
  const startedMs = performance.now()
  model.checkLanguage(job.language)
  const samples = toFloats(resample(job.pcm, job.rateHz, MEL_RATE_HZ))
  const texts: string[] = []
  let sum = 0
  let tokens = 0
  let hasSpeech = false
  const parts = chunksOf(samples)
  for (const [i, part] of parts.entries()) {
    if (isForgotten()) return undefined
    if (isQuiet(part)) continue
    const encoded = await encoder.encode(part)
    if (i === parts.length - 1) onEncoded()
    const utterance = job.utterance && `${job.utterance}/${i}`
    const result = await inTurn(() => model.decode(encoded, { ...job, utterance }, isForgotten))
    if (!result) return undefined
    hasSpeech ||= result.hasSpeech
    if (result.text === '') continue
    texts.push(result.text)
    sum += result.logProbability * (result.tokens + 1)
    tokens += result.tokens + 1
  }
  const logProbability = tokens > 0 ? sum / tokens : 0
  return { text: texts.join(' '), logProbability, hasSpeech, tookMs: performance.now() - startedMs }
}

function serial(): Engine['inTurn'] {
  let last: Promise<unknown> = Promise.resolve()
  return (decode) => {
    const next = last.then(decode)
    last = next.catch(() => {})
    return next
  }
}

async function work(port: NonNullable<typeof parentPort>, setup: WhisperSetup): Promise<void> {
  const tell = (message: FromWhisper) => port.postMessage(message)
  const forgotten = new Set<number>()
  const running = new Map<number, Promise<void>>()
  const closing = Promise.withResolvers<void>()
  let isClosing = false
  setThreadNiceness(NICENESS.background)
  const [model, encoder] = await Promise.all([loadWhisper(setup.folder, setup.threads), openEncoder(setup)])
  const engine: Engine = { model, encoder, inTurn: serial() }

  async function run(job: Job): Promise<void> {
    const { id } = job
    const isForgotten = () => isClosing || forgotten.has(id)
    try {
      const heard = await hear(engine, job, { isForgotten, onEncoded: () => tell({ type: 'encoded', id }) })
      tell({ type: 'heard', id, heard })
    } catch (error) {
      tell({ type: 'failed', id, message: String(error) })
    } finally {
      forgotten.delete(id)
      running.delete(id)
    }
  }

  port.on('message', (message: ToWhisper) => {
    if (message.do === 'hear') running.set(message.id, run(message))
    else if (message.do === 'close') {
      isClosing = true
      closing.resolve()
    } else if (running.has(message.id)) forgotten.add(message.id)
  })
  tell({ type: 'ready' })
  await closing.promise
  await Promise.all(running.values())
  await encoder.close()
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
