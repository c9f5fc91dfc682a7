// Which node monitors which trunk: rendezvous hashing, so that a node that joins or leaves moves only its own share.
import { hash } from 'node:crypto'

/** The node with the highest hash of (trunk, node) has the trunk; undefined without nodes. */
export function nodeFor(trunk: string, nodes: readonly string[]): string | undefined {
  let best: { node: string; score: string } | undefined
  for (const node of nodes) {
    const score = hash('sha256', JSON.stringify([trunk, node]))
    if (!best || score > best.score) best = { node, score }
  }
  return best?.node
}

/** `nodeFor`, computed once per trunk and set of nodes. */
export function trunkAssignment() {
  let known = new Map<string, string | undefined>()
  let current: readonly string[] = []
  return {
    setNodes(nodes: readonly string[]): void {
      const sorted = [...new Set(nodes)].sort()
      if (sorted.length === current.length && sorted.every((node, i) => node === current[i])) return
      current = sorted
      known = new Map()
    },
    nodeOf(trunk: string): string | undefined {
      const node = known.get(trunk) ?? nodeFor(trunk, current)
      known.set(trunk, node)
      return node
    },
    /** Forgets trunks that are gone. */
    keepOnly(trunks: ReadonlyMap<string, unknown>): void {
      for (const trunk of known.keys()) if (!trunks.has(trunk)) known.delete(trunk)
    },
  }
}
