// Whisper's encoder in a thread of its own: the next utterance is encoded while the decoder still reads the one before.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { EncodedSound, FromEncoder, ToEncoder } from './encoder-worker.ts'
import type { WhisperSetup } from './worker.ts'

export type Encoder = {
  encode(samples: Float32Array): Promise<EncodedSound>
  /** Waits for what is under way. */
  close(): Promise<void>
}

export async function openEncoder(setup: WhisperSetup): Promise<Encoder> {
  const worker = new Worker(new URL('./encoder-worker.ts', import.meta.url), { workerData: setup })
  const [first] = (await once(worker, 'message')) as [FromEncoder]
  if (first.type !== 'ready') throw new Error(first.type === 'failed' ? first.message : 'whisper: no encoder')
  const pending = new Map<number, PromiseWithResolvers<EncodedSound>>()
  let nextId = 1
  let isClosing = false
  worker.on('message', (message: FromEncoder) => {
    if (message.type === 'ready' || message.id === undefined) return
    const asked = pending.get(message.id)
    pending.delete(message.id)
    if (message.type === 'encoded') asked?.resolve(message.encoded)
    else asked?.reject(new Error(message.message))
  })
  worker.on('exit', () => {
    if (isClosing) return
    // This thread is of no use without it: whoever started it starts another.
    throw new Error('whisper: the encoder thread has stopped')
  })
  return {
    encode(samples) {
      const id = nextId++
      const asked = Promise.withResolvers<EncodedSound>()
      pending.set(id, asked)
      worker.postMessage({ do: 'encode', id, samples } satisfies ToEncoder)
      return asked.promise
    },
    async close() {
      isClosing = true
      const ended = once(worker, 'exit')
      worker.postMessage({ do: 'close' } satisfies ToEncoder)
      await ended
    },
  }
}
