// From and To of our messages: always a name-addr, so that a tag cannot become part of the address.
import { formatNameAddr, parseNameAddr } from './values.ts'

/** With this tag, or with none. */
export function taggedNameAddr(text: string, tag?: string): string {
  const parsed = parseNameAddr(text) ?? { displayName: null, uri: text, params: new Map<string, string | null>() }
  const params = new Map(parsed.params)
  params.delete('tag')
  if (tag !== undefined) params.set('tag', tag)
  return formatNameAddr({ ...parsed, params })
}
