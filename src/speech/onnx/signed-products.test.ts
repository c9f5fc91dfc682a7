// Products with the weights chosen for this processor equal those computed one by one, on any processor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataType, type Model, modelBytes } from './protobuf.ts'
import { loadRuntime, sessionOptions } from './runtime.ts'
import { areSignedProductsExact, signProducts, unsignProducts } from './signed-products.ts'
import { node, tensor, valueInfo } from './values.ts'
import { intField } from './wire.ts'

const [DEPTH, WIDTH, ROWS] = [96, 40, 24]
const [WEIGHT_ZERO, INPUT_ZERO] = [113, 97]
const spread = (length: number, step: number) => Uint8Array.from({ length }, (_, i) => (i * step) % 256)
const [weights, inputs] = [spread(DEPTH * WIDTH, 37), spread(ROWS * DEPTH, 91)]
const signed = (values: Uint8Array) => values.map((value) => value ^ 0x80)
const isExact = await areSignedProductsExact()

/** The same product with unsigned or signed weights. */
function product(kind: 'uint8' | 'int8' = 'uint8'): Model {
  const as = (values: Uint8Array) => (kind === 'int8' ? signed(values) : values)
  const initializers = [
    tensor('w', dataType[kind], [DEPTH, WIDTH], as(weights)),
    tensor('wz', dataType[kind], [], as(Uint8Array.of(WEIGHT_ZERO))),
    tensor('xz', dataType.uint8, [], Uint8Array.of(INPUT_ZERO)),
  ]
  return {
    graph: {
      name: 'product',
      nodes: [node('MatMulInteger', ['x', 'w', 'xz', 'wz'], ['y'])],
      initializers: new Map(initializers.map((item) => [item.name, item])),
      inputs: [valueInfo('x', dataType.uint8, ['rows', DEPTH])],
      outputs: [valueInfo('y', dataType.int32, ['rows', WIDTH])],
      valueInfo: [],
      rest: [],
    },
    opsets: new Map([['', 13]]),
    rest: [Buffer.concat(intField(1, 8).parts)],
  }
}

const expected = Array.from({ length: ROWS * WIDTH }, (_, at) => {
  const [row, column] = [Math.floor(at / WIDTH), at % WIDTH]
  let sum = 0
  for (let k = 0; k < DEPTH; k++)
    sum += ((inputs[row * DEPTH + k] as number) - INPUT_ZERO) * ((weights[k * WIDTH + column] as number) - WEIGHT_ZERO)
  return sum
})

async function run(model: Model): Promise<number[]> {
  const runtime = await loadRuntime()
  const session = await runtime.InferenceSession.create(modelBytes(model), sessionOptions(1))
  const { y } = await session.run({ x: new runtime.Tensor('uint8', inputs, [ROWS, DEPTH]) })
  await session.release()
  assert.ok(y)
  return Array.from(y.data as Int32Array)
}

/** Compared here: thousands of numbers would make an unreadable assertion message. */
const isSame = (found: readonly number[]) =>
  found.length === expected.length && found.every((value, i) => value === expected[i])

test('unsigned weights are exact on every processor, also those that were signed', async () => {
  assert.equal(isSame(await run(product('uint8'))), true)
  const model = product('int8')
  unsignProducts(model)
  assert.deepEqual([...model.graph.initializers.keys()].toSorted(), ['w/unsigned', 'wz/unsigned', 'xz'])
  assert.equal(model.graph.initializers.get('w/unsigned')?.type, dataType.uint8)
  assert.equal(isSame(await run(model)), true)
})

test('signed weights are exact on the processors that are found to be, and on no other', async () => {
  const model = product('uint8')
  signProducts(model)
  assert.deepEqual([...model.graph.initializers.keys()].toSorted(), ['w/signed', 'wz/signed', 'xz'])
  assert.equal(model.graph.initializers.get('w/signed')?.type, dataType.int8)
  const [signedNow, signedBefore] = [await run(model), await run(product('int8'))]
  assert.deepEqual([isSame(signedNow), isSame(signedBefore)], [isExact, isExact])
})

test('a rewrite and its reverse give the weights of the beginning', () => {
  const model = product('uint8')
  signProducts(model)
  unsignProducts(model)
  const [first] = model.graph.nodes
  const found = model.graph.initializers.get(first?.inputs[1] ?? '')
  assert.equal(found?.type, dataType.uint8)
  assert.deepEqual(Uint8Array.from(found.data), weights)
})

test('a zero point that other nodes use is left unchanged', () => {
  const model = product()
  model.graph.nodes.push(node('Identity', ['wz'], ['copy']))
  signProducts(model)
  assert.equal(model.graph.initializers.get('wz')?.type, dataType.uint8)
})
