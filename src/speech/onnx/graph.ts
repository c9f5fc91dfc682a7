// Queries on an ONNX graph: producers and consumers of a tensor, and the subgraph that an output needs.
import type { Graph, Node } from './protobuf.ts'

/** Names used by the graphs inside a node (If, Loop), which see the outer graph's tensors. */
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

/** Tensor name to the node that produces it. */
export const producers = (graph: Graph): Map<string, Node> =>
  new Map(graph.nodes.flatMap((node) => node.outputs.map((name): [string, Node] => [name, node])))

/** Tensor name to the nodes that consume it. */
export function consumers(graph: Graph): Map<string, Node[]> {
  const out = new Map<string, Node[]>()
  for (const node of graph.nodes)
    for (const name of new Set(inputsOf(node))) out.set(name, [...(out.get(name) ?? []), node])
  return out
}

/** The nodes and initializers that `outputs` need, going no further back than the tensors in `stops`. */
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
    /** Every tensor name in use; the graph inputs among them are those that this subgraph still needs. */
    needed,
  }
}

/** The nodes in topological order; `given` are the names that no node produces. */
export function sorted(nodes: readonly Node[], given: Iterable<string>): Node[] {
  const ready = new Set(given)
  const local = new Set(nodes.flatMap((node) => node.outputs))
  const out: Node[] = []
  let left = [...nodes]
  while (left.length > 0) {
    const later: Node[] = []
    for (const node of left) {
      // Names that are neither in this list nor in `given` belong to graphs inside the node.
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

/** Removes the initializers that no node and no output uses; returns how many were removed. */
export function dropUnused(graph: Graph): number {
  const used = new Set(usedBy(graph))
  const before = graph.initializers.size
  for (const name of graph.initializers.keys()) if (!used.has(name)) graph.initializers.delete(name)
  return before - graph.initializers.size
}
