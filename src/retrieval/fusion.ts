// Reciprocal rank fusion of keyword and vector rankings: by rank alone, because their scores are not comparable.

const RANK_CONSTANT = 60 // as in the paper of Cormack et al.

export type Ranked<K> = { key: K; score: number }

/** Best first. The score is the better of the two; entries of only one list count too. */
export function reciprocalRankFusion<K>(...rankings: readonly (readonly Ranked<K>[])[]): Ranked<K>[] {
  const joined = new Map<K, { rank: number; score: number }>()
  for (const ranking of rankings)
    for (const [i, { key, score }] of ranking.entries()) {
      const before = joined.get(key) ?? { rank: 0, score: 0 }
      joined.set(key, { rank: before.rank + 1 / (RANK_CONSTANT + i + 1), score: Math.max(before.score, score) })
    }
  return [...joined]
    .sort(([, a], [, b]) => b.rank - a.rank || b.score - a.score)
    .map(([key, { score }]) => ({ key, score }))
}
