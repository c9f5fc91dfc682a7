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

/** Interned common names, so that parsing allocates no strings for them. */
const common =
  'Accept Allow Allow-Events Authorization CSeq Call-ID Contact Content-Disposition Content-Encoding Content-Length Content-Type Date Event Expires From Max-Forwards Min-Expires Min-SE P-Asserted-Identity P-Preferred-Identity Path Privacy Proxy-Authenticate Proxy-Authorization Proxy-Require RAck RSeq Reason Record-Route Refer-To Referred-By Replaces Require Retry-After Route Server Session-Expires Subject Subscription-State Supported Timestamp To Unsupported User-Agent Via WWW-Authenticate Warning'

const known: ReadonlyMap<string, string> = new Map([
  ...common.split(' ').flatMap((name): [string, string][] => [
    [name, name.toLowerCase()],
    [name.toLowerCase(), name.toLowerCase()],
  ]),
  ...longForms,
])

export const headerName = (name: string): string => {
  const found = known.get(name)
  if (found !== undefined) return found
  const lower = name.toLowerCase()
  return longForms.get(lower) ?? lower
}

type Entry = readonly [name: string, value: string]

export class Headers {
  #list: Entry[]

  constructor(list: HeaderList = []) {
    this.#list = list.map(([name, value]) => [headerName(name), value])
  }

  /** Takes ownership of the list: names must be lower case and in long form. */
  static taking(list: Entry[]): Headers {
    const headers = new Headers()
    headers.#list = list
    return headers
  }

  /** The first value under this name, as received. */
  get(name: string): string | undefined {
    const wanted = headerName(name)
    for (const entry of this.#list) if (entry[0] === wanted) return entry[1]
    return undefined
  }

  /** All values under this name, one for each header line. */
  all(name: string): string[] {
    const wanted = headerName(name)
    const found: string[] = []
    for (const entry of this.#list) if (entry[0] === wanted) found.push(entry[1])
    return found
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Replaces all values of the name. */
  set(name: string, value: string): this {
    const wanted = headerName(name)
    const at = this.#list.findIndex(([key]) => key === wanted)
    if (at === -1) this.#list.push([wanted, value])
    else this.#list = this.#list.filter(([key], i) => key !== wanted || i === at).with(at, [wanted, value])
    return this
  }

  add(name: string, ...values: string[]): this {
    const wanted = headerName(name)
    for (const value of values) this.#list.push([wanted, value])
    return this
  }

  /** Prepends: for Via and Record-Route. */
  prepend(name: string, value: string): this {
    this.#list.unshift([headerName(name), value])
    return this
  }

  remove(name: string): this {
    const wanted = headerName(name)
    this.#list = this.#list.filter(([key]) => key !== wanted)
    return this
  }

  copy(): Headers {
    return Headers.taking(this.#list.slice())
  }

  [Symbol.iterator](): IterableIterator<Entry> {
    return this.#list.values()
  }
}
