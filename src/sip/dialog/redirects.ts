// Redirection targets of a 3xx: its Contacts in order, without loops, bounded.
import type { SipResponse } from '../message/message.ts'
import { parseUri, sameUri } from '../message/uri.ts'
import { listOf, parseNameAddr } from '../message/values.ts'

const MAX_TARGETS = 5

const weightOf = (text: string | null | undefined): number => {
  const q = Number.parseFloat(text ?? '1')
  return Number.isFinite(q) ? q : 0
}

/** The URIs that a call tries, in order. */
export class Targets {
  readonly #seen: string[]
  readonly #waiting: string[] = []

  constructor(first: string) {
    this.#seen = [first]
    this.#waiting = [first]
  }

  next(): string | undefined {
    return this.#waiting.shift()
  }

  /** RFC 3261 section 8.1.3.4: by q, each URI once. Only sip URIs that `mayFollow` allows. */
  async redirect(response: SipResponse, mayFollow?: (uri: string) => Promise<boolean>): Promise<void> {
    const contacts = listOf(response.headers, 'contact')
      .flatMap((text) => parseNameAddr(text) ?? [])
      .toSorted((a, b) => weightOf(b.params.get('q')) - weightOf(a.params.get('q')))
    const fresh = contacts
      .map(({ uri }) => uri)
      .filter((uri) => parseUri(uri)?.scheme === 'sip' && !this.#seen.some((known) => sameUri(known, uri)))
      .slice(0, MAX_TARGETS - this.#seen.length)
    this.#seen.push(...fresh)
    const allowed = await Promise.all(fresh.map((uri) => mayFollow?.(uri) ?? false))
    this.#waiting.unshift(...fresh.filter((_, at) => allowed[at]))
  }
}
