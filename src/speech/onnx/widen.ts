// Converts an fp16 model to fp32: tensors, casts and declared types.
import { type Attribute, dataType, type Graph, type Model, type Node, type Tensor, type ValueInfo } from './protobuf.ts'

export function widenModel(model: Model): void {
  widenGraph(model.graph)
}

function widenGraph(graph: Graph): void {
  for (const tensor of graph.initializers.values()) widenTensor(tensor)
  for (const info of [...graph.inputs, ...graph.outputs, ...graph.valueInfo]) widenInfo(info)
  for (const node of graph.nodes) for (const [name, value] of node.attributes) widenAttribute(node, name, value)
}

function widenAttribute(node: Node, name: string, attribute: Attribute): void {
  if (attribute.kind === 'tensor') widenTensor(attribute.value)
  if (attribute.kind === 'graph') widenGraph(attribute.value)
  const isCast = node.op === 'Cast' && name === 'to' && attribute.kind === 'int'
  if (isCast && attribute.value === dataType.float16) attribute.value = dataType.float
}

function widenInfo(info: ValueInfo): void {
  if (info.type === dataType.float16) info.type = dataType.float
}

function widenTensor(tensor: Tensor): void {
  if (tensor.type !== dataType.float16) return
  const { buffer, byteOffset, length } = tensor.data
  const halves = new Float16Array(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
  tensor.type = dataType.float
  tensor.data = Buffer.from(new Float32Array(halves).buffer)
}
