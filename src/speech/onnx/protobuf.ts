// Reads ONNX model files into plain objects, which ordinary code can edit, and writes them back. No dependency.
//
//   const model = await readModel(file)             // tensors are views of the file's one buffer, nothing is copied
//   const { graph } = model                         // nodes[], initializers (a Map), inputs[], outputs[], valueInfo[]
//   graph.nodes = graph.nodes.filter((n) => n.op !== 'Identity')
//   graph.nodes.push(node('Cast', ['x'], ['y'], { to: int(dataType.float) }))
//   setInitializer(graph, tensor('w', dataType.float, [2, 3], new Float32Array(6)))
//   graph.inputs.push(valueInfo('stats', dataType.float, [1, 'frames']))
//   floatsOf(graph.initializers.get('w')); intsOf(some); attribute(some, 'axis', 'int')
//   await writeModel(file, model)                   // temporary name, fsync, rename: complete or absent
//   modelBytes(model)                               // or one Buffer (the only copy) for InferenceSession.create
//
// Helpers for values (node, int, tensor, floatsOf …) are in values.ts; producers, subgraph, sorted in graph.ts.
// Unknown fields (doc strings, metadata, functions …) are kept as bytes in `rest` and written back unchanged.
// Nodes must be in topological order. int64 is read as a number: exact within ±2^53, its two limits survive.
import { open, readFile, rename } from 'node:fs/promises'
import {
  type Bytes,
  bytesField,
  concat,
  type Field,
  fieldsOf,
  floatField,
  intField,
  intOf,
  joined,
  pushFloats,
  pushInts,
  rawBytes,
  textOf,
} from './wire.ts'

/** TensorProto.DataType. */
export const dataType = {
  float: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  double: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
} as const

/** `data` is always the raw little-endian content, whichever field of the file held it. */
export type Tensor = { name: string; type: number; dims: number[]; data: Buffer; rest: Buffer[] }
/** `dims` is absent if the file gives no shape; a string is a named dimension, '' an unspecified one. */
export type ValueInfo = { name: string; type: number; dims?: (number | string)[]; rest: Buffer[] }
export type Attribute =
  | { kind: 'float'; value: number }
  | { kind: 'int'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'tensor'; value: Tensor }
  | { kind: 'graph'; value: Graph }
  | { kind: 'floats'; value: number[] }
  | { kind: 'ints'; value: number[] }
  | { kind: 'strings'; value: string[] }
  | { kind: 'raw'; value: Buffer }
export type Node = {
  op: string
  domain: string
  name: string
  inputs: string[]
  outputs: string[]
  attributes: Map<string, Attribute>
  rest: Buffer[]
}
export type Graph = {
  name: string
  nodes: Node[]
  initializers: Map<string, Tensor>
  inputs: ValueInfo[]
  outputs: ValueInfo[]
  valueInfo: ValueInfo[]
  rest: Buffer[]
}
/** `opsets`: domain ('' is ONNX's own, 'com.microsoft' onnxruntime's) to version. */
export type Model = { graph: Graph; opsets: Map<string, number>; rest: Buffer[] }

// --- files

export const readModel = async (file: string): Promise<Model> => decodeModel(await readFile(file))

export async function writeModel(file: string, model: Model): Promise<void> {
  const partial = `${file}.part`
  const handle = await open(partial, 'w')
  try {
    for (const part of joined(encodeModel(model))) await handle.writeFile(part)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, file)
}

export const modelBytes = (model: Model): Buffer => Buffer.concat(encodeModel(model).parts)

// --- decoding

export function decodeModel(bytes: Buffer): Model {
  const opsets = new Map<string, number>()
  const rest: Buffer[] = []
  let graph: Graph | undefined
  for (const field of fieldsOf(bytes)) {
    if (field.id === 7) graph = decodeGraph(field.payload)
    else if (field.id === 8) {
      let domain = ''
      let version = 0
      for (const part of fieldsOf(field.payload)) {
        if (part.id === 1) domain = textOf(part)
        if (part.id === 2) version = intOf(part)
      }
      opsets.set(domain, version)
    } else rest.push(field.whole)
  }
  if (!graph) throw new Error('onnx: the file has no graph')
  return { graph, opsets, rest }
}

function decodeGraph(bytes: Buffer): Graph {
  const graph: Graph = {
    name: '',
    nodes: [],
    initializers: new Map(),
    inputs: [],
    outputs: [],
    valueInfo: [],
    rest: [],
  }
  for (const field of fieldsOf(bytes)) {
    if (field.id === 1) graph.nodes.push(decodeNode(field.payload))
    else if (field.id === 2) graph.name = textOf(field)
    else if (field.id === 5) addTensor(graph, decodeTensor(field.payload))
    else if (field.id === 11) graph.inputs.push(decodeValueInfo(field.payload))
    else if (field.id === 12) graph.outputs.push(decodeValueInfo(field.payload))
    else if (field.id === 13) graph.valueInfo.push(decodeValueInfo(field.payload))
    else graph.rest.push(field.whole)
  }
  return graph
}

function addTensor(graph: Graph, item: Tensor): void {
  graph.initializers.set(item.name, item)
}

function decodeNode(bytes: Buffer): Node {
  const made: Node = { op: '', domain: '', name: '', inputs: [], outputs: [], attributes: new Map(), rest: [] }
  for (const field of fieldsOf(bytes)) {
    if (field.id === 1) made.inputs.push(textOf(field))
    else if (field.id === 2) made.outputs.push(textOf(field))
    else if (field.id === 3) made.name = textOf(field)
    else if (field.id === 4) made.op = textOf(field)
    else if (field.id === 5) made.attributes.set(...decodeAttribute(field.payload))
    else if (field.id === 7) made.domain = textOf(field)
    else made.rest.push(field.whole)
  }
  return made
}

function decodeAttribute(bytes: Buffer): [string, Attribute] {
  let name = ''
  let type = 0
  let one: Attribute | undefined
  const manyInts: number[] = []
  const manyFloats: number[] = []
  const manyTexts: string[] = []
  for (const field of fieldsOf(bytes)) {
    if (field.id === 1) name = textOf(field)
    else if (field.id === 2) one = { kind: 'float', value: field.payload.readFloatLE() }
    else if (field.id === 3) one = { kind: 'int', value: intOf(field) }
    else if (field.id === 4) one = { kind: 'string', value: textOf(field) }
    else if (field.id === 5) one = { kind: 'tensor', value: decodeTensor(field.payload) }
    else if (field.id === 6) one = { kind: 'graph', value: decodeGraph(field.payload) }
    else if (field.id === 7) pushFloats(field, manyFloats)
    else if (field.id === 8) pushInts(field, manyInts)
    else if (field.id === 9) manyTexts.push(textOf(field))
    else if (field.id === 20) type = intOf(field)
  }
  if (type === attributeType.floats) return [name, { kind: 'floats', value: manyFloats }]
  if (type === attributeType.ints) return [name, { kind: 'ints', value: manyInts }]
  if (type === attributeType.strings) return [name, { kind: 'strings', value: manyTexts }]
  // proto3 omits a zero; the type still identifies the value.
  if (type === attributeType.float) return [name, one ?? { kind: 'float', value: 0 }]
  if (type === attributeType.int) return [name, one ?? { kind: 'int', value: 0 }]
  if (type === attributeType.string) return [name, one ?? { kind: 'string', value: '' }]
  return [name, one && type <= attributeType.graph ? one : { kind: 'raw', value: bytes }]
}

function decodeValueInfo(bytes: Buffer): ValueInfo {
  const info: ValueInfo = { name: '', type: 0, rest: [] }
  for (const field of fieldsOf(bytes)) {
    if (field.id === 1) info.name = textOf(field)
    else if (field.id === 2 && decodeTensorType(field, info)) continue
    else info.rest.push(field.whole)
  }
  return info
}

/** False for sequences, maps and the like, which are left unchanged. */
function decodeTensorType(type: Field, info: ValueInfo): boolean {
  for (const field of fieldsOf(type.payload)) {
    if (field.id !== 1) return false
    for (const part of fieldsOf(field.payload)) {
      if (part.id === 1) info.type = intOf(part)
      if (part.id === 2) info.dims = [...fieldsOf(part.payload)].map(decodeDimension)
    }
  }
  return info.type > 0
}

function decodeDimension(dimension: Field): number | string {
  for (const field of fieldsOf(dimension.payload)) {
    if (field.id === 1) return intOf(field)
    if (field.id === 2) return textOf(field)
  }
  return ''
}

/** Number(2^63 - 1) is 2^63, one too many. */
export const toInt64 = (value: number): bigint => (value >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(value))

const viewOf = (data: NodeJS.ArrayBufferView): Buffer =>
  Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)

/** int32_data holds several types, each as wide as its type when raw. */
function narrowed(type: number, values: number[]): NodeJS.ArrayBufferView {
  if (type === dataType.int32) return Int32Array.from(values)
  if (type === dataType.uint16 || type === dataType.float16 || type === dataType.bfloat16)
    return Uint16Array.from(values)
  if (type === dataType.int16) return Int16Array.from(values)
  return Uint8Array.from(values)
}

function decodeTensor(bytes: Buffer): Tensor {
  const made: Tensor = { name: '', type: 0, dims: [], data: Buffer.alloc(0), rest: [] }
  const int32s: number[] = []
  const int64s: number[] = []
  const fixed: Buffer[] = []
  for (const field of fieldsOf(bytes)) {
    if (field.id === 1) pushInts(field, made.dims)
    else if (field.id === 2) made.type = intOf(field)
    else if (field.id === 4 || field.id === 10) fixed.push(field.payload)
    else if (field.id === 5) pushInts(field, int32s)
    else if (field.id === 7) pushInts(field, int64s)
    else if (field.id === 8) made.name = textOf(field)
    else if (field.id === 9) made.data = field.payload
    else made.rest.push(field.whole)
  }
  if (fixed.length > 0) made.data = fixed.length === 1 ? (fixed[0] as Buffer) : Buffer.concat(fixed)
  if (int64s.length > 0) made.data = viewOf(BigInt64Array.from(int64s, toInt64))
  if (int32s.length > 0) made.data = viewOf(narrowed(made.type, int32s))
  return made
}

// --- encoding

const attributeType = { float: 1, int: 2, string: 3, tensor: 4, graph: 5, floats: 6, ints: 7, strings: 8 } as const

function encodeModel({ graph, opsets, rest }: Model): Bytes {
  return concat([
    ...rest.map(rawBytes),
    ...[...opsets].map(([domain, version]) => bytesField(8, concat([bytesField(1, domain), intField(2, version)]))),
    bytesField(7, encodeGraph(graph)),
  ])
}

function encodeGraph(graph: Graph): Bytes {
  return concat([
    ...graph.nodes.map((item) => bytesField(1, encodeNode(item))),
    bytesField(2, graph.name),
    ...[...graph.initializers.values()].map((item) => bytesField(5, encodeTensor(item))),
    ...graph.inputs.map((item) => bytesField(11, encodeValueInfo(item))),
    ...graph.outputs.map((item) => bytesField(12, encodeValueInfo(item))),
    ...graph.valueInfo.map((item) => bytesField(13, encodeValueInfo(item))),
    ...graph.rest.map(rawBytes),
  ])
}

function encodeNode(item: Node): Bytes {
  return concat([
    ...item.inputs.map((name) => bytesField(1, name)),
    ...item.outputs.map((name) => bytesField(2, name)),
    bytesField(3, item.name),
    bytesField(4, item.op),
    ...[...item.attributes].map(([name, value]) => bytesField(5, encodeAttribute(name, value))),
    ...(item.domain ? [bytesField(7, item.domain)] : []),
    ...item.rest.map(rawBytes),
  ])
}

function encodeAttribute(name: string, item: Attribute): Bytes {
  if (item.kind === 'raw') return rawBytes(item.value)
  return concat([bytesField(1, name), ...attributeFields(item), intField(20, attributeType[item.kind])])
}

function attributeFields(item: Exclude<Attribute, { kind: 'raw' }>): Bytes[] {
  switch (item.kind) {
    case 'float':
      return [floatField(2, item.value)]
    case 'int':
      return [intField(3, item.value)]
    case 'string':
      return [bytesField(4, item.value)]
    case 'tensor':
      return [bytesField(5, encodeTensor(item.value))]
    case 'graph':
      return [bytesField(6, encodeGraph(item.value))]
    case 'floats':
      return item.value.map((value) => floatField(7, value))
    case 'ints':
      return item.value.map((value) => intField(8, value))
    case 'strings':
      return item.value.map((value) => bytesField(9, value))
  }
}

function encodeTensor(item: Tensor): Bytes {
  return concat([
    ...item.dims.map((size) => intField(1, size)),
    intField(2, item.type),
    bytesField(8, item.name),
    // Strings have no raw form; they are in `rest`.
    ...(item.type === dataType.string ? [] : [bytesField(9, item.data)]),
    ...item.rest.map(rawBytes),
  ])
}

function encodeValueInfo(item: ValueInfo): Bytes {
  const shape = item.dims?.map((size) =>
    bytesField(1, typeof size === 'number' ? intField(1, size) : size ? bytesField(2, size) : Buffer.alloc(0)),
  )
  const type = concat([intField(1, item.type), ...(shape ? [bytesField(2, concat(shape))] : [])])
  return concat([
    bytesField(1, item.name),
    ...(item.type > 0 ? [bytesField(2, bytesField(1, type))] : []),
    ...item.rest.map(rawBytes),
  ])
}
