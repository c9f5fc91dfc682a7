// Edits an ONNX graph: adds and replaces nodes, then keeps only what the outputs need.
import { sorted, subgraph } from './graph.ts'
import { type Attribute, dataType, type Graph, type Model, type Node, type Tensor, type ValueInfo } from './protobuf.ts'
import { floatsOf, int64Tensor, node, setInitializer, tensor } from './values.ts'

export type Draft = ReturnType<typeof draftOf>

/** The given model is not changed; its tensors are shared, not copied. */
export function draftOf(model: Model) {
  const base = model.graph
  const initializers = new Map(base.initializers)
  const byName = new Map(base.nodes.map((known) => [known.name, known]))
  const replaced = new Set<string>()
  const added: Node[] = []
  const keep = (made: Tensor): string => {
    initializers.set(made.name, made)
    return made.name
  }
  return {
    nodes: base.nodes as readonly Node[],
    node(name: string): Node {
      const known = byName.get(name)
      if (!known) throw new Error(`onnx: the graph has no node ${name}`)
      return known
    },
    tensor(name: string | undefined): Tensor | undefined {
      return name === undefined ? undefined : initializers.get(name)
    },
    values(name: string | undefined): Float32Array {
      const known = name === undefined ? undefined : initializers.get(name)
      if (!known) throw new Error(`onnx: the graph has no tensor ${name}`)
      return floatsOf(known)
    },
    /** Adds a node and returns the name of its first output. */
    add(
      op: string,
      inputs: string[],
      outputs: string[],
      attributes: Record<string, Attribute> = {},
      domain = '',
    ): string {
      added.push(node(op, inputs, outputs, attributes, domain))
      return outputs[0] as string
    },
    replace(name: string): void {
      replaced.add(name)
    },
    floats: (name: string, values: ArrayLike<number>, dims: readonly number[] = [values.length]): string =>
      keep(tensor(name, dataType.float, dims, Float32Array.from(values))),
    ints: (name: string, values: readonly number[], dims: readonly number[] = [values.length]): string =>
      keep(int64Tensor(name, values, dims)),
    bytes: (name: string, values: Int8Array | Uint8Array, dims: readonly number[]): string =>
      keep(tensor(name, values instanceof Int8Array ? dataType.int8 : dataType.uint8, dims, values)),
    int32s: (name: string, values: Int32Array): string => keep(tensor(name, dataType.int32, [values.length], values)),
    /** The model that computes `outputs` from `inputs`, without the nodes before those. */
    finish(inputs: readonly ValueInfo[], outputs: readonly ValueInfo[]): Model {
      const whole: Graph = {
        ...base,
        nodes: [...base.nodes.filter((known) => !replaced.has(known.name)), ...added],
        initializers,
      }
      const given = inputs.map((input) => input.name)
      const part = subgraph(
        whole,
        outputs.map((output) => output.name),
        given,
      )
      const graph: Graph = {
        name: base.name,
        nodes: sorted(part.nodes, [...part.initializers.keys(), ...given]),
        initializers: part.initializers,
        inputs: inputs.filter((input) => part.needed.has(input.name)),
        outputs: [...outputs],
        valueInfo: [],
        rest: [],
      }
      return { graph, opsets: new Map([...model.opsets, ['com.microsoft', 1]]), rest: model.rest }
    },
  }
}

/** A model of a single node, to test what the runtime's operator does. */
export function modelOfOne(
  like: Model,
  made: Node,
  constants: Tensor[],
  inputs: ValueInfo[],
  outputs: ValueInfo[],
): Model {
  const graph: Graph = { name: 'one', nodes: [made], initializers: new Map(), inputs, outputs, valueInfo: [], rest: [] }
  for (const constant of constants) setInitializer(graph, constant)
  return { graph, opsets: like.opsets, rest: like.rest }
}
