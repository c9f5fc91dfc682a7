// Helpers to build and read ONNX nodes, attributes and tensors.
import { type Attribute, dataType, type Graph, type Node, type Tensor, toInt64, type ValueInfo } from './protobuf.ts'

export const int = (value: number): Attribute => ({ kind: 'int', value })
export const float = (value: number): Attribute => ({ kind: 'float', value })
export const text = (value: string): Attribute => ({ kind: 'string', value })
export const ints = (value: readonly number[]): Attribute => ({ kind: 'ints', value: [...value] })
export const floats = (value: readonly number[]): Attribute => ({ kind: 'floats', value: [...value] })

export function node(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, Attribute>> = {},
  domain = '',
): Node {
  return {
    op,
    domain,
    name: `made/${op}/${outputs[0]}`,
    inputs: [...inputs],
    outputs: [...outputs],
    attributes: new Map(Object.entries(attributes)),
    rest: [],
  }
}

/** A view of `data`, whose element type must match `type`; a Buffer is taken as raw bytes. */
export function tensor(name: string, type: number, dims: readonly number[], data: NodeJS.ArrayBufferView): Tensor {
  const bytes = Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)
  return { name, type, dims: [...dims], data: bytes, rest: [] }
}

export const int64Tensor = (
  name: string,
  values: readonly number[],
  dims: readonly number[] = [values.length],
): Tensor => tensor(name, dataType.int64, dims, BigInt64Array.from(values, toInt64))

export const valueInfo = (name: string, type: number, dims?: readonly (number | string)[]): ValueInfo => ({
  name,
  type,
  dims: dims && [...dims],
  rest: [],
})

export function setInitializer(graph: Graph, value: Tensor): string {
  graph.initializers.set(value.name, value)
  return value.name
}

const halves = (() => {
  let table: Float32Array | undefined
  return () => {
    table ??= Float32Array.from({ length: 65536 }, (_, bits) => {
      const sign = bits & 0x8000 ? -1 : 1
      const exponent = (bits >> 10) & 31
      const fraction = bits & 1023
      if (exponent === 0) return sign * fraction * 2 ** -24
      if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
      return sign * 2 ** (exponent - 25) * (1024 + fraction)
    })
    return table
  }
})()

/** A typed view needs an aligned start, which a position in a file may not be. */
const aligned = (data: Buffer): ArrayBuffer =>
  data.buffer.slice(data.byteOffset, data.byteOffset + data.length) as ArrayBuffer

/** A copy of a float or float16 tensor's values. */
export function floatsOf(value: Tensor | undefined): Float32Array {
  if (value?.type === dataType.float) return new Float32Array(aligned(value.data))
  if (value?.type === dataType.double) return Float32Array.from(new Float64Array(aligned(value.data)))
  if (value?.type !== dataType.float16) throw new Error(`onnx: ${value?.name ?? 'a missing tensor'} holds no floats`)
  const table = halves()
  const { data } = value
  return Float32Array.from({ length: data.length / 2 }, (_, i) => table[data.readUInt16LE(i * 2)] as number)
}

const intArrays: Record<number, (data: ArrayBuffer) => ArrayLike<number | bigint>> = {
  [dataType.uint8]: (data) => new Uint8Array(data),
  [dataType.bool]: (data) => new Uint8Array(data),
  [dataType.int8]: (data) => new Int8Array(data),
  [dataType.int32]: (data) => new Int32Array(data),
  [dataType.int64]: (data) => new BigInt64Array(data),
}

export function intsOf(value: Tensor | undefined): number[] {
  const read = value && intArrays[value.type]
  if (!value || !read) throw new Error(`onnx: ${value?.name ?? 'a missing tensor'} holds no integers`)
  return Array.from(read(aligned(value.data)), Number)
}

type AttributeValues = { [A in Attribute as A['kind']]: A['value'] }

/** The value of a node's attribute of that kind, or undefined. */
export function attribute<K extends keyof AttributeValues>(
  of: Node,
  name: string,
  kind: K,
): AttributeValues[K] | undefined {
  const found = of.attributes.get(name)
  return found?.kind === kind ? (found.value as AttributeValues[K]) : undefined
}
