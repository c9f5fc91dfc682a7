// The methods of each path, for OPTIONS and for 405 responses.

export class KnownPaths {
  readonly #patterns = new Map<string, { parts: string[]; methods: Set<string> }>()

  add(url: string, methods: string | string[]): void {
    const clean = withoutSlash(url)
    let pattern = this.#patterns.get(clean)
    if (!pattern) {
      pattern = { parts: clean.split('/'), methods: new Set() }
      this.#patterns.set(clean, pattern)
    }
    for (const method of [methods].flat()) pattern.methods.add(method)
  }

  /** Empty for an unknown path. */
  methodsOf(url: string): string[] {
    const parts = withoutSlash(url.split('?', 1)[0] ?? '').split('/')
    const methods = new Set<string>()
    for (const pattern of this.#patterns.values()) {
      if (fits(pattern.parts, parts)) for (const method of pattern.methods) methods.add(method)
    }
    return [...methods].sort()
  }
}

const withoutSlash = (url: string) => (url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url)

const fits = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === decoded(parts[i] ?? '')))

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
