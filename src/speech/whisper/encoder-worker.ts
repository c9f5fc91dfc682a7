// Thread of Whisper's encoder: samples to the sound that the decoder reads. It exits when told, never during a run.
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { logMel, MEL_BANDS, MEL_HOP, MEL_RATE_HZ } from '../../audio/mel.ts'
import { NICENESS, setThreadNiceness } from '../../base/thread-priority.ts'
import { loadRuntime, sessionOptions } from '../onnx/runtime.ts'
import { condition } from './conditioning.ts'
import { whisperFiles } from './folder.ts'
import type { WhisperSetup } from './worker.ts'

/** Samples of -1 to 1 at 16 kHz, at most 27 s. */
export type ToEncoder = { do: 'encode'; id: number; samples: Float32Array } | { do: 'close' }
/** `sound`: [1, positions, size]. */
export type EncodedSound = { sound: Float32Array; dims: readonly number[]; seconds: number; voicedSeconds: number }
export type FromEncoder =
  | { type: 'ready' }
  | { type: 'encoded'; id: number; encoded: EncodedSound }
  | { type: 'failed'; id: number | undefined; message: string }

/** Trailing silence, in s: with less, the ends of telephone utterances are misheard (measured: 3 is best). */
const PADDING_SECONDS = 3
/** The encoder produces one position from two mel frames. */
const POSITIONS_PER_SECOND = MEL_RATE_HZ / MEL_HOP / 2
const MOST_POSITIONS = 1500

async function loadEncoder({ folder, threads }: WhisperSetup) {
  const runtime = await loadRuntime()
  const session = await runtime.InferenceSession.create(join(folder, whisperFiles.encoder), sessionOptions(threads))
  return {
    async encode(given: Float32Array): Promise<EncodedSound> {
      const { samples, voicedSeconds } = condition(given)
      const seconds = samples.length / MEL_RATE_HZ
      const positions = Math.ceil((seconds + PADDING_SECONDS) * POSITIONS_PER_SECOND)
      const frames = 2 * Math.min(MOST_POSITIONS, positions)
      const mel = new runtime.Tensor('float32', logMel(samples, frames), [1, MEL_BANDS, frames])
      const { last_hidden_state: made } = await session.run({ input_features: mel })
      if (!made) throw new Error('whisper: the encoder gave nothing')
      return { sound: Float32Array.from(made.data as Float32Array), dims: made.dims, seconds, voicedSeconds }
    },
    release: () => session.release(),
  }
}

async function work(port: NonNullable<typeof parentPort>, setup: WhisperSetup): Promise<void> {
  const tell = (message: FromEncoder, owned: ArrayBuffer[] = []) => port.postMessage(message, owned)
  setThreadNiceness(NICENESS.background)
  const encoder = await loadEncoder(setup)
  let running: Promise<void> = Promise.resolve()
  const encode = async ({ id, samples }: ToEncoder & { do: 'encode' }) => {
    try {
      const encoded = await encoder.encode(samples)
      tell({ type: 'encoded', id, encoded }, [encoded.sound.buffer as ArrayBuffer])
    } catch (error) {
      tell({ type: 'failed', id, message: String(error) })
    }
  }
  port.on('message', (message: ToEncoder) => {
    running = running.then(async () => {
      if (message.do === 'encode') return encode(message)
      await encoder.release()
      port.close()
    })
  })
  tell({ type: 'ready' })
}

if (parentPort) {
  const port = parentPort
  work(port, workerData as WhisperSetup).catch((error) => {
    port.postMessage({ type: 'failed', id: undefined, message: String(error) } satisfies FromEncoder)
    port.close()
  })
}
