// Our Silero VAD inference against onnxruntime's, and files that hold another model.
// @run rest
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { robotSpeech, sounds } from '../../../test/sounds.ts'
import { joinPcm } from '../../audio/pcm.ts'
import { resample } from '../../audio/resample.ts'
import { stepSamples, type VadRate } from '../../voice/listening/vad-steps.ts'
import { type Graph, readModel, type Tensor, writeModel } from '../onnx/protobuf.ts'
import { loadRuntime, sessionOptions } from '../onnx/runtime.ts'
import { attribute } from '../onnx/values.ts'
import { thisMachine } from './silero-kernels.ts'
import { findSilero, freshMemory, loadSilero, type Memory, type Silero } from './silero-model.ts'

const found = findSilero()
const file = 'file' in found ? found.file : assert.fail('the package of Silero is not installed')
const folder = await mkdtemp(join(tmpdir(), 'silero-'))
after(() => rm(folder, { recursive: true }))

type Reference = (rateHz: VadRate, memories: readonly Memory[], pcm: Int16Array) => Promise<Float32Array>
let reference: Reference & AsyncDisposable
let ours: Silero
let speech: Int16Array
after(() => reference[Symbol.asyncDispose]())
before(async () => {
  ours = await loadSilero(file)
  reference = await onnxruntime()
  speech = await robotSpeech('Good morning. I would like to know when my order will arrive.', 'en-us', 16000)
})

async function onnxruntime(): Promise<Reference & AsyncDisposable> {
  const { InferenceSession, Tensor } = await loadRuntime()
  const session = await InferenceSession.create(file, sessionOptions(1))
  const step: Reference = async (rateHz, memories, pcm) => {
    const [count, size] = [memories.length, stepSamples(rateHz)]
    const rows = memories.map(({ context }, i) => [
      ...context,
      ...Array.from(pcm.subarray(i * size, (i + 1) * size), (sample) => sample / 32768),
    ])
    const states = [0, 128].flatMap((from) => memories.flatMap(({ state }) => [...state.subarray(from, from + 128)]))
    const { output, stateN } = await session.run({
      input: new Tensor('float32', Float32Array.from(rows.flat()), [count, rows[0]?.length as number]),
      state: new Tensor('float32', Float32Array.from(states), [2, count, 128]),
      sr: new Tensor('int64', [BigInt(rateHz)], []),
    })
    const next = stateN?.data as Float32Array
    memories.forEach(({ state, context }, i) => {
      for (const half of [0, 1])
        state.set(next.subarray((half * count + i) * 128, (half * count + i + 1) * 128), half * 128)
      context.set((rows[i] as number[]).slice(-context.length))
    })
    return output?.data as Float32Array
  }
  return Object.assign(step, { [Symbol.asyncDispose]: () => session.release() })
}

/** Speech, noise, silence, tones, speech that clips, and faint speech. */
function sound(rateHz: VadRate): Int16Array {
  const said = resample(speech, 16000, rateHz)
  const loud = said.map((sample) => Math.max(-32768, Math.min(32767, 30 * sample)))
  const others = Object.values(sounds).map((make) => make(rateHz, 0.5))
  return joinPcm([
    said,
    ...others,
    loud,
    Int16Array.from({ length: 2000 }, (_, i) => (i % 9 < 4 ? 32767 : -32768)),
    said.map((sample) => sample / 100),
  ])
}

/** One step of each stream; the streams start at different offsets in the sound. */
function batchOf(pcm: Int16Array, size: number, { step, count }: { step: number; count: number }): Int16Array {
  const all = new Int16Array(count * size)
  for (let i = 0; i < count; i++)
    for (let k = 0; k < size; k++) all[i * size + k] = pcm[(i * 1237 + step * size + k) % pcm.length] as number
  return all
}

const furthest = (a: Float32Array, b: Float32Array): number =>
  a.reduce(
    (most, value, i) => (Math.abs(value - (b[i] as number)) <= most ? most : Math.abs(value - (b[i] as number))),
    0,
  )

const rates = [8000, 16000] as const
const batches = [
  { count: 1, steps: 250 },
  { count: 3, steps: 250 },
  { count: 17, steps: 250 },
  { count: 64, steps: 120 },
]

for (const rateHz of rates)
  test(`probabilities and states are those of onnxruntime over many steps at ${rateHz} Hz`, async () => {
    const pcm = sound(rateHz)
    const size = stepSamples(rateHz)
    let highest = 0
    for (const { count, steps } of batches) {
      const memories = Array.from({ length: count }, () => freshMemory(rateHz))
      const theirs = Array.from({ length: count }, () => freshMemory(rateHz))
      for (let step = 0; step < steps; step++) {
        const batch = batchOf(pcm, size, { step, count })
        const values = ours.step(rateHz, memories, batch, [...memories.keys()])
        const expected = await reference(rateHz, theirs, batch)
        const tells = `step ${step} of ${count} streams`
        assert.equal(values.length, count)
        assert.ok(furthest(values, expected) < 1e-4, `${tells}: ${values}, not ${expected}`)
        memories.forEach(({ state, context }, i) => {
          assert.ok(furthest(state, theirs[i]?.state as Float32Array) < 1e-3, `the state, ${tells}`)
          assert.deepEqual(context, theirs[i]?.context)
        })
        highest = Math.max(highest, ...values)
      }
    }
    assert.ok(highest > 0.9, `the highest probability was ${highest}`)
  })

test('the kernels of other machines give the same results', async () => {
  const { arch } = thisMachine()
  const others = [
    { arch, hasMadd: false },
    { arch: 'x64', hasMadd: false },
    { arch: 'x64', hasMadd: thisMachine().hasMadd },
    { arch: 'arm64', hasMadd: false },
  ]
  for (const rateHz of rates)
    for (const machine of others) {
      const other = await loadSilero(file, machine)
      const pcm = sound(rateHz)
      // The groups are of 4, 8 and 16 streams, or of 4 and 8.
      for (const count of [2, 6, 13, 21]) {
        const [here, there] = [0, 1].map(() => Array.from({ length: count }, () => freshMemory(rateHz)))
        for (let step = 0; step < 20; step++) {
          const batch = batchOf(pcm, stepSamples(rateHz), { step, count })
          const places = Array.from({ length: count }, (_, i) => i)
          const expected = ours.step(rateHz, here as Memory[], batch, places)
          const values = other.step(rateHz, there as Memory[], batch, places)
          assert.ok(furthest(values, expected) < 1e-4, `${JSON.stringify(machine)}: ${values}, not ${expected}`)
        }
      }
    }
})

test('a stream has the same result at every place of a batch of any size', () => {
  const pcm = sound(8000)
  const batch = batchOf(pcm, 256, { step: 9, count: 40 })
  const alone = Array.from({ length: 40 }, (_, i) => ours.step(8000, [freshMemory(8000)], batch, [i])[0])
  const places = Array.from({ length: 40 }, (_, i) => 39 - i)
  const together = ours.step(
    8000,
    places.map(() => freshMemory(8000)),
    batch,
    places,
  )
  assert.deepEqual([...together].reverse(), alone)
})

test('an unknown sample rate is refused', () => {
  assert.throws(() => ours.step(44100 as VadRate, [freshMemory(8000)], new Int16Array(256), [0]), /44100 Hz/)
})

const branchOf = (graph: Graph, name: string): Graph => {
  const choice = graph.nodes.find(({ op }) => op === 'If')
  return (choice && attribute(choice, name, 'graph')) ?? assert.fail(`no ${name}`)
}
const constantOf = (graph: Graph, name: string): Tensor =>
  graph.nodes.map((node) => attribute(node, 'value', 'tensor')).find((item) => item?.name === name) ?? assert.fail(name)

const changes: [what: string, change: (graph: Graph) => void, because: RegExp][] = [
  [
    'shape',
    (graph) => {
      constantOf(branchOf(graph, 'then_branch'), 'encoder.1.reparam_conv.weight').dims = [128, 64, 3]
    },
    /encoder\.1\.reparam_conv\.weight at 16000 Hz is \[128,64,3\], not \[64,128,3\]/,
  ],
  [
    'missing weights',
    (graph) => {
      constantOf(branchOf(graph, 'else_branch'), 'decoder.rnn.weight_hh').name = 'another'
    },
    /decoder\.rnn\.weight_hh at 8000 Hz is \[missing\]/,
  ],
  [
    'first layer',
    (graph) => constantOf(branchOf(graph, 'else_branch'), 'stft.forward_basis_buffer').data.writeFloatLE(0.5, 4),
    /no Fourier transform/,
  ],
  [
    'strides',
    (graph) => {
      const convolution = branchOf(graph, 'then_branch').nodes.find(({ op }) => op === 'Conv')
      convolution?.attributes.set('strides', { kind: 'ints', value: [64] })
    },
    /strides of 64,1,2,2,1,1, not 128,1,2,2,1,1/,
  ],
  ['without a branch for each rate', (graph) => void graph.nodes.splice(0), /no graph for 8000 Hz/],
]

for (const [what, change, because] of changes)
  test(`a file that is another model is refused: ${what}`, async () => {
    const model = await readModel(file)
    change(model.graph)
    const changed = join(folder, `${what}.onnx`)
    await writeModel(changed, model)
    await assert.rejects(loadSilero(changed), (error: Error) => {
      assert.match(error.message, /is not Silero VAD v5/)
      assert.match(error.message, because)
      return true
    })
  })

test("a file that is no model, and the package's model for one rate only, are refused", async () => {
  const text = join(folder, 'text.onnx')
  await writeFile(text, 'This is no model.')
  await assert.rejects(loadSilero(text), /is not Silero VAD v5/)
  await assert.rejects(loadSilero(join(dirname(file), 'silero_vad_16k_op15.onnx')), /is not Silero VAD v5/)
})
