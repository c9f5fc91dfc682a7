// Merges duplicate passages: otherwise a repetitive document would fill all results. Pure.

export type Distinct<P> = { passage: P; repeats: number }

export function distinctPassages<P extends { content: string }>(passages: readonly P[]): Distinct<P>[] {
  const found = new Map<string, Distinct<P>>()
  for (const passage of passages) {
    const text = passage.content.replace(/\s+/g, ' ').trim()
    const before = found.get(text)
    if (before) before.repeats++
    else found.set(text, { passage, repeats: 0 })
  }
  return [...found.values()]
}
