// Questions one asks of an ONNX graph before cutting it: who makes a tensor, who takes it, what an output needs.
import type { Graph, Node } from './protobuf.ts'

/** Names used by the graphs inside a node (If, Loop): they see the outer graph's tensors. */
function innerInputs(node: Node): string[] {
  return [...node.attributes.values()].flatMap((attribute) =>
    attribute.kind === 'graph' ? usedBy(attribute.value) : [],
  )
}
const usedBy = (graph: Graph): string[] => [
  ...graph.nodes.flatMap((node) => [...node.inputs, ...innerInputs(node)]),
  ...graph.outputs.map((output) => output.name),
]
const inputsOf = (node: Node): string[] => [...node.inputs, ...innerInputs(node)].filter((name) => name !== '')

/** Tensor name to the node that makes it. */
export const producers = (graph: Graph): Map<string, Node> =>
  new Map(graph.nodes.flatMap((node) => node.outputs.map((name): [string, Node] => [name, node])))

/** Tensor name to the nodes that take it. */
export function consumers(graph: Graph): Map<string, Node[]> {
  const out = new Map<string, Node[]>()
  for (const node of graph.nodes)
    for (const name of new Set(inputsOf(node))) out.set(name, [...(out.get(name) ?? []), node])
  return out
}

/** The nodes and initializers that `outputs` need, looking no further back than the tensors named in `stops`. */
export function subgraph(graph: Graph, outputs: readonly string[], stops: readonly string[] = []) {
  const makers = producers(graph)
  const needed = new Set(outputs)
  const taken = new Set<Node>()
  const stopped = new Set(stops)
  const todo = [...outputs]
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const maker = stopped.has(name) ? undefined : makers.get(name)
    if (!maker || taken.has(maker)) continue
    taken.add(maker)
    for (const input of inputsOf(maker)) {
      if (needed.has(input)) continue
      needed.add(input)
      todo.push(input)
    }
  }
  return {
    nodes: graph.nodes.filter((node) => taken.has(node)),
    initializers: new Map([...graph.initializers].filter(([name]) => needed.has(name))),
    /** Every tensor name in use; the graph inputs among them are those that this part still takes. */
    needed,
  }
}

/** The nodes in an order in which each comes after those it needs; `given` are the names that no node makes. */
export function sorted(nodes: readonly Node[], given: Iterable<string>): Node[] {
  const ready = new Set(given)
  const local = new Set(nodes.flatMap((node) => node.outputs))
  const out: Node[] = []
  let left = [...nodes]
  while (left.length > 0) {
    const later: Node[] = []
    for (const node of left) {
      // Names that neither this list nor `given` knows belong to graphs inside the node.
      if (inputsOf(node).every((name) => ready.has(name) || !local.has(name))) {
        out.push(node)
        for (const name of node.outputs) ready.add(name)
      } else later.push(node)
    }
    if (later.length === left.length) throw new Error(`onnx: ${later[0]?.name} waits for itself`)
    left = later
  }
  return out
}

/** Removes the initializers that no node and no output uses; returns how many went. */
export function dropUnused(graph: Graph): number {
  const used = new Set(usedBy(graph))
  const before = graph.initializers.size
  for (const name of graph.initializers.keys()) if (!used.has(name)) graph.initializers.delete(name)
  return before - graph.initializers.size
}
