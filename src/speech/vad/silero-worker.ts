// Worker thread of Silero VAD for all streams of all threads. Exits on `close`.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { NICENESS, setThreadNiceness } from '../../base/process/thread-priority.ts'
import type { FromVad, ToVad, VadRate } from '../../voice/listening/vad-steps.ts'
import { freshMemory, loadSilero, type Memory, type Silero } from './silero-model.ts'

export type SileroSetup = { file: string }

/** Indices into the batch, split so that no stream occurs twice in one run. */
export function roundsOf(streams: Uint32Array): number[][] {
  const seen = new Map<number, number>()
  const rounds: number[][] = []
  streams.forEach((stream, place) => {
    const round = seen.get(stream) ?? 0
    seen.set(stream, round + 1)
    rounds[round] ??= []
    rounds[round].push(place)
  })
  return rounds
}

/** The streams of one thread. */
class Streams {
  readonly #model: Silero
  readonly #memories = new Map<number, Memory>()

  constructor(model: Silero) {
    this.#model = model
  }

  compute({ rateHz, count, streams, pcm }: ToVad & { do: 'steps' }): Float32Array {
    const values = new Float32Array(count)
    for (const places of roundsOf(streams.subarray(0, count))) {
      const memories = places.map((place) => this.#memoryOf(streams[place] as number, rateHz))
      const answers = this.#model.step(rateHz, memories, pcm, places)
      places.forEach((place, i) => {
        values[place] = answers[i] as number
      })
    }
    return values
  }

  forget(stream: number): void {
    this.#memories.delete(stream)
  }

  #memoryOf(stream: number, rateHz: VadRate): Memory {
    const memory = this.#memories.get(stream) ?? freshMemory(rateHz)
    this.#memories.set(stream, memory)
    return memory
  }
}

async function work(parent: MessagePort, { file }: SileroSetup): Promise<void> {
  const model = await loadSilero(file)
  const ports = new Set<MessagePort>()

  function obey(port: MessagePort, streams: Streams, message: ToVad): void {
    if (message.do === 'steps') {
      const values = streams.compute(message)
      const answer: FromVad = { type: 'probabilities', values, streams: message.streams, pcm: message.pcm }
      port.postMessage(
        answer,
        [values, message.streams, message.pcm].map(({ buffer }) => buffer as ArrayBuffer),
      )
    } else if (message.do === 'forget') streams.forget(message.stream)
    else if (message.do === 'connect') serve(message.port)
    else for (const one of ports) one.close()
  }

  function serve(port: MessagePort): void {
    const streams = new Streams(model)
    ports.add(port)
    port.on('message', (message: ToVad) => {
      try {
        obey(port, streams, message)
      } catch (error) {
        port.postMessage({ type: 'failed', message: String(error) } satisfies FromVad)
      }
    })
    port.once('close', () => ports.delete(port))
  }

  serve(parent)
  parent.postMessage({ type: 'ready' } satisfies FromVad)
}

if (parentPort) {
  const port = parentPort
  setThreadNiceness(NICENESS.vad)
  work(port, workerData as SileroSetup).catch((error) => {
    port.postMessage({ type: 'failed', message: String(error) } satisfies FromVad)
    port.close()
  })
}
