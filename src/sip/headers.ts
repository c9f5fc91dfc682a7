// The headers of a SIP message in their order. Names are kept in lower case and in their long form ("v" becomes "via").

export type HeaderList = readonly (readonly [name: string, value: string])[]

/** Compact forms (RFC 3261 section 7.3.3 and its extensions). */
const longForms: ReadonlyMap<string, string> = new Map([
  ['i', 'call-id'],
  ['m', 'contact'],
  ['e', 'content-encoding'],
  ['l', 'content-length'],
  ['c', 'content-type'],
  ['f', 'from'],
  ['s', 'subject'],
  ['k', 'supported'],
  ['t', 'to'],
  ['v', 'via'],
  ['r', 'refer-to'],
  ['b', 'referred-by'],
  ['o', 'event'],
  ['u', 'allow-events'],
  ['x', 'session-expires'],
  ['j', 'reject-contact'],
  ['a', 'accept-contact'],
  ['d', 'request-disposition'],
  ['y', 'identity'],
])

export const headerName = (name: string): string => {
  const lower = name.toLowerCase()
  return longForms.get(lower) ?? lower
}

export class Headers {
  #list: [name: string, value: string][]

  constructor(list: HeaderList = []) {
    this.#list = list.map(([name, value]) => [headerName(name), value])
  }

  /** The first value under this name, as it was written. */
  get(name: string): string | undefined {
    for (const [key, value] of this.#list) if (key === name) return value
    return undefined
  }

  /** Every value under this name, one for each header line. */
  all(name: string): string[] {
    return this.#list.filter(([key]) => key === name).map(([, value]) => value)
  }

  has(name: string): boolean {
    return this.#list.some(([key]) => key === name)
  }

  /** Puts this value in the place of every other under the name. */
  set(name: string, value: string): this {
    const at = this.#list.findIndex(([key]) => key === name)
    if (at === -1) this.#list.push([name, value])
    else this.#list = this.#list.filter(([key], i) => key !== name || i === at).with(at, [name, value])
    return this
  }

  add(name: string, ...values: string[]): this {
    for (const value of values) this.#list.push([name, value])
    return this
  }

  /** In front of the others: where a new Via or Record-Route goes. */
  prepend(name: string, value: string): this {
    this.#list.unshift([name, value])
    return this
  }

  remove(name: string): this {
    this.#list = this.#list.filter(([key]) => key !== name)
    return this
  }

  copy(): Headers {
    return new Headers(this.#list)
  }

  [Symbol.iterator](): IterableIterator<readonly [name: string, value: string]> {
    return this.#list.values()
  }
}
