// An edited graph is a model that onnxruntime runs, with the new nodes in place and no leftovers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf } from './draft.ts'
import { dataType, type Model, modelBytes } from './protobuf.ts'
import { loadRuntime, sessionOptions } from './runtime.ts'
import { int, node, setInitializer, tensor, valueInfo } from './values.ts'
import { widenModel } from './widen.ts'

/** y = (x + 1) * 2, and an unused output z. */
function example(type: number, one: NodeJS.ArrayBufferView, two: NodeJS.ArrayBufferView): Model {
  const graph: Model['graph'] = {
    name: 'example',
    nodes: [
      node('Cast', ['x'], ['x1'], { to: int(type) }),
      node('Add', ['x1', 'one'], ['sum']),
      node('Mul', ['sum', 'two'], ['y']),
      node('Neg', ['y'], ['z']),
    ],
    initializers: new Map(),
    inputs: [valueInfo('x', dataType.float, ['n'])],
    outputs: [valueInfo('y', type, ['n']), valueInfo('z', type, ['n'])],
    valueInfo: [],
    rest: [],
  }
  setInitializer(graph, tensor('one', type, [1], one))
  setInitializer(graph, tensor('two', type, [1], two))
  // ir_version 8, which the runtime requires.
  return { graph, opsets: new Map([['', 17]]), rest: [Buffer.from([0x08, 0x08])] }
}
const floats = () => example(dataType.float, Float32Array.of(1), Float32Array.of(2))

async function run(model: Model, x: number[]): Promise<number[]> {
  const runtime = await loadRuntime()
  const session = await runtime.InferenceSession.create(modelBytes(model), sessionOptions(1))
  const { y } = await session.run({ x: new runtime.Tensor('float32', Float32Array.from(x), [x.length]) })
  await session.release()
  return Array.from((y?.data ?? []) as Float32Array)
}

test('a draft without changes, for one output, is the model without the unused part', async () => {
  const model = floats()
  const made = draftOf(model).finish(model.graph.inputs, model.graph.outputs.slice(0, 1))
  assert.deepEqual(
    made.graph.nodes.map((known) => known.op),
    ['Cast', 'Add', 'Mul'],
  )
  assert.deepEqual(await run(made, [0, 3]), [2, 8])
})

test('a replaced node is gone, the new one is in its place, and the original model is unchanged', async () => {
  const model = floats()
  const draft = draftOf(model)
  const name = model.graph.nodes[1]?.name ?? ''
  draft.replace(name)
  draft.add('Sub', ['x1', draft.floats('five', [5])], ['sum'])
  const made = draft.finish(model.graph.inputs, model.graph.outputs.slice(0, 1))
  assert.deepEqual(
    made.graph.nodes.map((known) => known.op),
    ['Cast', 'Sub', 'Mul'],
  )
  assert.deepEqual([...made.graph.initializers.keys()].toSorted(), ['five', 'two'])
  assert.deepEqual(await run(made, [0, 3]), [-10, -4])
  assert.deepEqual(await run(model, [0, 3]), [2, 8])
})

test('a graph can be cut: nodes before a given tensor are left out', () => {
  const model = floats()
  const made = draftOf(model).finish([valueInfo('sum', dataType.float, ['n'])], model.graph.outputs.slice(0, 1))
  assert.deepEqual(
    made.graph.nodes.map((known) => known.op),
    ['Mul'],
  )
  assert.deepEqual(
    made.graph.inputs.map((input) => input.name),
    ['sum'],
  )
})

test('an unknown tensor is named in the error', () => {
  const draft = draftOf(floats())
  assert.throws(() => draft.node('absent'), /no node absent/)
  assert.throws(() => draft.values('absent'), /no tensor absent/)
})

test('an fp16 model is widened in its tensors, casts and types, and is more precise', async () => {
  const model = example(dataType.float16, Float16Array.of(1), Float16Array.of(0.333))
  widenModel(model)
  assert.ok([...model.graph.initializers.values()].every((known) => known.type === dataType.float))
  assert.ok(model.graph.outputs.every((output) => output.type === dataType.float))
  const [y] = await run(model, [2048.5])
  assert.ok(Math.abs((y ?? 0) - 2049.5 * Math.f16round(0.333)) < 0.001)
})
