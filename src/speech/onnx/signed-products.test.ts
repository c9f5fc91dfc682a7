// Signed weights give exactly the same numbers as unsigned ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataType, type Model, modelBytes } from './protobuf.ts'
import { loadRuntime, sessionOptions } from './runtime.ts'
import { areSignedProductsExact, signProducts } from './signed-products.ts'
import { node, tensor, valueInfo } from './values.ts'
import { intField } from './wire.ts'

const [DEPTH, WIDTH, ROWS] = [96, 40, 24]
const spread = (length: number, step: number) => Uint8Array.from({ length }, (_, i) => (i * step) % 256)

function product(): Model {
  const initializers = [
    tensor('w', dataType.uint8, [DEPTH, WIDTH], spread(DEPTH * WIDTH, 37)),
    tensor('wz', dataType.uint8, [], Uint8Array.of(113)),
    tensor('xz', dataType.uint8, [], Uint8Array.of(97)),
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

async function run(model: Model): Promise<number[]> {
  const runtime = await loadRuntime()
  const session = await runtime.InferenceSession.create(modelBytes(model), sessionOptions(1))
  const { y } = await session.run({ x: new runtime.Tensor('uint8', spread(ROWS * DEPTH, 91), [ROWS, DEPTH]) })
  await session.release()
  assert.ok(y)
  return Array.from(y.data as Int32Array)
}

test('on a processor with exact int8 products, every result is unchanged', async () => {
  const [plain, signed] = [product(), product()]
  signProducts(signed)
  assert.deepEqual([...signed.graph.initializers.keys()].toSorted(), ['w/signed', 'wz/signed', 'xz'])
  assert.equal(signed.graph.initializers.get('w/signed')?.type, dataType.int8)
  const [before, after] = [await run(plain), await run(signed)]
  const isSame = before.every((value, i) => value === after[i])
  assert.equal(isSame, true, `the processor is ${(await areSignedProductsExact()) ? '' : 'not '}exact`)
})

test('a zero point that other nodes use is left unchanged', () => {
  const model = product()
  model.graph.nodes.push(node('Identity', ['wz'], ['copy']))
  signProducts(model)
  assert.equal(model.graph.initializers.get('wz')?.type, dataType.uint8)
})
