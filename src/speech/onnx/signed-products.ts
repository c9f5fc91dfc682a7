// Rewrites integer matrix products to signed weights: same results, ten times faster on processors with matrix tiles.
import { dropUnused } from './graph.ts'
import { dataType, type Graph, type Model, modelBytes, type Node } from './protobuf.ts'
import { loadRuntime, sessionOptions } from './runtime.ts'
import { node, setInitializer, tensor, valueInfo } from './values.ts'
import { intField } from './wire.ts'

/**
 * uint8 weights become int8: w and its zero point both minus 128, so every product stays the same. Measured on a
 * processor with AMX: Whisper's encoder on one thread went from 98 ms of products to 10.
 */
export function signProducts(model: Model): void {
  for (const product of productsOf(model.graph)) signProduct(product, model.graph)
  dropUnused(model.graph)
}

function productsOf(graph: Graph): Node[] {
  return graph.nodes.flatMap((item) => [
    ...(item.op === 'MatMulInteger' ? [item] : []),
    ...[...item.attributes.values()].flatMap((value) => (value.kind === 'graph' ? productsOf(value.value) : [])),
  ])
}

function signProduct(product: Node, outer: Graph): void {
  const names = [product.inputs[1], product.inputs[3]]
  const tensors = names.map((name) => (name ? outer.initializers.get(name) : undefined))
  if (!tensors.every((found) => found?.type === dataType.uint8)) return
  const [weights, zero] = tensors.map((found) => {
    const name = `${found?.name}/signed`
    if (!found || outer.initializers.has(name)) return name
    const signed = Buffer.from(found.data)
    for (let i = 0; i < signed.length; i++) signed[i] = (signed[i] as number) ^ 0x80
    return setInitializer(outer, tensor(name, dataType.int8, found.dims, signed))
  }) as [string, string]
  product.inputs = [product.inputs[0] as string, weights, product.inputs[2] as string, zero]
}

const DEPTH = 64
const WIDTH = 32

/**
 * Older processors add pairs of such products in 16 bits and saturate: there the weights must stay unsigned. Tested
 * with the largest values, on one row and on many, which use different kernels.
 */
export async function areSignedProductsExact(): Promise<boolean> {
  const runtime = await loadRuntime()
  const graph: Graph = {
    name: 'signed',
    nodes: [node('MatMulInteger', ['x', 'w'], ['y'])],
    initializers: new Map(),
    inputs: [valueInfo('x', dataType.uint8, ['rows', DEPTH])],
    outputs: [valueInfo('y', dataType.int32, ['rows', WIDTH])],
    valueInfo: [],
    rest: [],
  }
  setInitializer(graph, tensor('w', dataType.int8, [DEPTH, WIDTH], new Int8Array(DEPTH * WIDTH).fill(127)))
  const version = Buffer.concat(intField(1, 8).parts)
  const model = modelBytes({ graph, opsets: new Map([['', 13]]), rest: [version] })
  const session = await runtime.InferenceSession.create(model, sessionOptions(1))
  try {
    for (const rows of [1, 64]) {
      const x = new runtime.Tensor('uint8', new Uint8Array(rows * DEPTH).fill(255), [rows, DEPTH])
      const { y } = await session.run({ x })
      const sums = Array.from((y?.data ?? []) as Int32Array)
      if (sums.length === 0 || sums.some((sum) => sum !== 255 * 127 * DEPTH)) return false
    }
    return true
  } finally {
    await session.release()
  }
}
