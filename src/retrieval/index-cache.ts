// LRU cache of knowledge-base indexes: built on first use, rebuilt when the base has changed.
import type { Indexable, PassageIndex } from './passage-index.ts'
import { buildPassageIndex } from './passage-index.ts'

export type IndexedBase = {
  id: string
  version: number
  language: string | null
  /** The model of its vectors; null: it has none. */
  model: string | null
}

const MAX_PASSAGES = 100_000 // about 150 MB; one base has 20,000 at most

export function indexCache(passagesOf: (base: IndexedBase) => AsyncIterable<Indexable>, maxPassages = MAX_PASSAGES) {
  const kept = new Map<string, { version: number; model: string | null; index: PassageIndex }>()
  const making = new Map<string, Promise<PassageIndex>>()

  function put(base: IndexedBase, index: PassageIndex): void {
    const before = kept.get(base.id)
    if (before && before.version > base.version) return
    kept.delete(base.id)
    kept.set(base.id, { version: base.version, model: base.model, index })
    let all = 0
    for (const { index: each } of kept.values()) all += each.keys.length
    for (const [id, { index: oldest }] of kept) {
      if (all <= maxPassages || id === base.id) break
      kept.delete(id)
      all -= oldest.keys.length
    }
  }

  return {
    async get(base: IndexedBase): Promise<PassageIndex> {
      const found = kept.get(base.id)
      if (found?.version === base.version && found.model === base.model) {
        kept.delete(base.id)
        kept.set(base.id, found)
        return found.index
      }
      const key = `${base.id} ${base.version} ${base.model ?? ''}`
      const begun =
        making.get(key) ??
        buildPassageIndex(passagesOf(base), base.language)
          .then((index) => {
            put(base, index)
            return index
          })
          .finally(() => making.delete(key))
      making.set(key, begun)
      return begun
    },
    /** How many passages are cached. */
    size: () => [...kept.values()].reduce((sum, { index }) => sum + index.keys.length, 0),
  }
}
