// Worker thread of Silero VAD for all streams. It exits when told, never during a run.
import { parentPort, workerData } from 'node:worker_threads'
import { freshMemory, loadSilero, type Memory, stepSamples, type VadRate } from './silero-model.ts'

export type SileroSetup = { file: string }
/**
 * Steps at one sample rate: `streams` names the stream of each (a stream may have several, in order), `pcm` holds them
 * one after another.
 */
export type ToSilero =
  | { do: 'steps'; rateHz: VadRate; streams: Uint32Array; pcm: Int16Array }
  | { do: 'forget'; stream: number }
  | { do: 'close' }
export type FromSilero =
  | { type: 'ready' }
  | { type: 'probabilities'; values: Float32Array }
  | { type: 'failed'; message: string }

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

async function work(port: NonNullable<typeof parentPort>, { file }: SileroSetup): Promise<void> {
  const model = await loadSilero(file)
  const memories = new Map<number, Memory>()
  const memoryOf = (stream: number, rateHz: VadRate): Memory => {
    const memory = memories.get(stream) ?? freshMemory(rateHz)
    memories.set(stream, memory)
    return memory
  }

  async function compute({ rateHz, streams, pcm }: ToSilero & { do: 'steps' }): Promise<Float32Array> {
    const size = stepSamples(rateHz)
    const values = new Float32Array(streams.length)
    for (const places of roundsOf(streams)) {
      const sound = new Int16Array(places.length * size)
      places.forEach((place, i) => {
        sound.set(pcm.subarray(place * size, (place + 1) * size), i * size)
      })
      const known = places.map((place) => memoryOf(streams[place] as number, rateHz))
      const answers = await model.step(rateHz, known, sound)
      places.forEach((place, i) => {
        values[place] = answers[i] as number
      })
    }
    return values
  }

  async function obey(message: ToSilero): Promise<void> {
    if (message.do === 'steps') {
      const values = await compute(message)
      port.postMessage({ type: 'probabilities', values } satisfies FromSilero, [values.buffer as ArrayBuffer])
    } else if (message.do === 'forget') memories.delete(message.stream)
    else {
      await model.release()
      port.close()
    }
  }

  let last = Promise.resolve()
  port.on('message', (message: ToSilero) => {
    last = last
      .then(() => obey(message))
      .catch((error) => port.postMessage({ type: 'failed', message: String(error) } satisfies FromSilero))
  })
  port.postMessage({ type: 'ready' } satisfies FromSilero)
}

if (parentPort) {
  const port = parentPort
  work(port, workerData as SileroSetup).catch((error) => {
    port.postMessage({ type: 'failed', message: String(error) } satisfies FromSilero)
    port.close()
  })
}
