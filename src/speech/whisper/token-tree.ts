// Texts as a prefix tree of their tokens. Pure.

export type Branch = { readonly next: Map<number, Branch>; isWhole: boolean }
export type TokenTree = Branch

export function tokenTree(texts: Iterable<string>, encode: (text: string) => readonly number[]): TokenTree {
  const root: Branch = { next: new Map(), isWhole: false }
  for (const text of texts) {
    let at = root
    for (const token of encode(text)) {
      const next = at.next.get(token) ?? { next: new Map(), isWhole: false }
      at.next.set(token, next)
      at = next
    }
    if (at !== root) at.isWhole = true
  }
  return root
}
