// A hand-made model, written, read back and run; and the edits that graph surgery needs.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { consumers, dropUnused, producers, sorted, subgraph } from './graph.ts'
import { dataType, decodeModel, type Graph, type Model, modelBytes, readModel, writeModel } from './protobuf.ts'
import {
  attribute,
  float,
  floatsOf,
  int,
  int64Tensor,
  ints,
  intsOf,
  node,
  setInitializer,
  tensor,
  text,
  valueInfo,
} from './values.ts'
import { bytesField, concat, fieldsOf, intField, intOf, joined, rawBytes } from './wire.ts'

const folder = await mkdtemp(join(tmpdir(), 'onnx-'))
after(() => rm(folder, { recursive: true }))

const emptyGraph = (): Graph => ({
  name: 'g',
  nodes: [],
  initializers: new Map(),
  inputs: [],
  outputs: [],
  valueInfo: [],
  rest: [],
})

/** y = x * w + b */
function line(): Model {
  const graph = emptyGraph()
  graph.inputs.push(valueInfo('x', dataType.float, ['n', 2]))
  graph.outputs.push(valueInfo('y', dataType.float, ['n', 2]))
  setInitializer(graph, tensor('w', dataType.float, [2], Float32Array.of(2, 3)))
  setInitializer(graph, tensor('b', dataType.float, [], Float32Array.of(0.5)))
  graph.nodes.push(node('Mul', ['x', 'w'], ['xw']), node('Add', ['xw', 'b'], ['y']))
  const irVersion = Buffer.concat(intField(1, 8).parts)
  return { graph, opsets: new Map([['', 13]]), rest: [irVersion] }
}

async function run(model: Model, x: number[]): Promise<number[]> {
  const ort = await import('onnxruntime-node')
  const session = await ort.InferenceSession.create(modelBytes(model), { intraOpNumThreads: 1 })
  const { y } = await session.run({ x: new ort.Tensor('float32', Float32Array.from(x), [x.length / 2, 2]) })
  assert.ok(y)
  const out = [...(y.data as Float32Array)]
  await session.release()
  return out
}

test('a model built from scratch runs, also after a round trip through a file', async () => {
  const model = line()
  assert.deepEqual(await run(model, [1, 1, 2, 10]), [2.5, 3.5, 4.5, 30.5])
  const file = join(folder, 'line.onnx')
  await writeModel(file, model)
  assert.deepEqual(await readdir(folder), ['line.onnx'])
  const read = await readModel(file)
  assert.deepEqual(modelBytes(read), modelBytes(model))
  assert.deepEqual(await run(read, [1, 1]), [2.5, 3.5])
})

test('a node is replaced, unused parts are removed, and the rest stays', async () => {
  const { graph, ...others } = decodeModel(modelBytes(line()))
  const add = graph.nodes.findIndex((item) => item.op === 'Add')
  graph.nodes.splice(add, 1, node('Sub', ['xw', 'b'], ['y']))
  setInitializer(graph, tensor('unused', dataType.float, [1], new Float32Array(1)))
  assert.equal(dropUnused(graph), 1)
  assert.deepEqual(await run({ graph, ...others }, [1, 1]), [1.5, 2.5])
})

test('every kind of attribute and value survives a round trip', () => {
  const model = line()
  const inner = emptyGraph()
  inner.nodes.push(node('Identity', ['xw'], ['z']))
  inner.outputs.push(valueInfo('z', dataType.float))
  model.graph.nodes.push(
    node('Odd', ['xw', '', 'w'], ['odd'], {
      ratio: float(0.25),
      axis: int(-1),
      end: int(2 ** 63),
      mode: text('açaí'),
      pads: ints([0, -2, 3]),
      branch: { kind: 'graph', value: inner },
      value: { kind: 'tensor', value: int64Tensor('t', [-5, 2 ** 63]) },
    }),
  )
  const odd = decodeModel(modelBytes(model)).graph.nodes.at(-1)
  assert.ok(odd)
  assert.deepEqual(odd.inputs, ['xw', '', 'w'])
  assert.equal(attribute(odd, 'ratio', 'float'), 0.25)
  assert.equal(attribute(odd, 'axis', 'int'), -1)
  assert.equal(attribute(odd, 'axis', 'float'), undefined)
  assert.equal(attribute(odd, 'end', 'int'), 2 ** 63)
  assert.equal(attribute(odd, 'mode', 'string'), 'açaí')
  assert.deepEqual(attribute(odd, 'pads', 'ints'), [0, -2, 3])
  assert.deepEqual(intsOf(attribute(odd, 'value', 'tensor')), [-5, 2 ** 63])
  assert.equal(attribute(odd, 'value', 'tensor')?.data.readBigInt64LE(8), 2n ** 63n - 1n)
  assert.equal(attribute(odd, 'branch', 'graph')?.nodes[0]?.op, 'Identity')
})

test('half floats widen exactly', () => {
  const bits = Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000)
  assert.deepEqual([...floatsOf(tensor('h', dataType.float16, [5], bits))], [1, -2, 2 ** -24, 65504, -0])
})

test('packed numbers and typed data of other writers are read', () => {
  const packed = (id: number, bytes: number[]) => bytesField(id, Buffer.from(bytes))
  const initializer = concat([packed(1, [2, 1]), intField(2, dataType.int32), bytesField(8, 'p'), packed(5, [7, 9])])
  const model = concat([bytesField(7, bytesField(5, initializer))])
  const { graph } = decodeModel(Buffer.concat(model.parts))
  assert.deepEqual(graph.initializers.get('p')?.dims, [2, 1])
  assert.deepEqual(intsOf(graph.initializers.get('p')), [7, 9])
})

test('bytes that are not a model are refused with a reason', () => {
  assert.throws(() => decodeModel(Buffer.from([0x3a, 0x7f, 1])), /longer than its message/)
  assert.throws(() => decodeModel(Buffer.from([0xff, 0xff])), /varint/)
  assert.throws(() => decodeModel(Buffer.alloc(0)), /no graph/)
})

test('int64 values of any size keep their sign', () => {
  for (const value of [0, 1, 127, 128, -1, -128, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 63)]) {
    const [field] = [...fieldsOf(Buffer.concat(intField(3, value).parts))]
    assert.equal(field && intOf(field), value)
  }
})

test('large parts are written without a copy, small ones are joined', () => {
  const large = Buffer.alloc(70000)
  const parts = joined(concat([intField(1, 1), bytesField(2, 'x'), rawBytes(large), intField(1, 1)]))
  assert.equal(parts.length, 3)
  assert.equal(parts[1], large)
})

test('a graph is cut at a tensor, and nodes are sorted topologically', () => {
  const { graph } = line()
  assert.equal(producers(graph).get('y')?.op, 'Add')
  assert.deepEqual(
    consumers(graph)
      .get('xw')
      ?.map((item) => item.op),
    ['Add'],
  )
  const tail = subgraph(graph, ['y'], ['xw'])
  assert.deepEqual([...tail.initializers.keys()], ['b'])
  assert.deepEqual(
    sorted([...graph.nodes].reverse(), ['x', 'w', 'b']).map((item) => item.op),
    ['Mul', 'Add'],
  )
  assert.throws(() => sorted([node('A', ['q'], ['p']), node('B', ['p'], ['q'])], []), /waits for itself/)
})
