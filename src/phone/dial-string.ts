// Dial strings: E.164 as a trunk expects it, and lists of allowed numbers.
import type { Trunk } from './ports.ts'

/** The user part of the Request-URI for this trunk. */
export function dialString(e164: string, { leadingPlus, prefix, stripPrefix }: Trunk['numberFormat']): string {
  let digits = e164.replace(/^\+/, '')
  if (stripPrefix) {
    const strip = stripPrefix.replace(/^\+/, '')
    if (digits.startsWith(strip)) digits = digits.slice(strip.length)
    // The rest is a national number: with a plus it would name another country.
    return `${prefix ?? ''}${digits}`
  }
  return `${prefix ?? ''}${leadingPlus === false ? '' : '+'}${digits}`
}

/** Whether a list of numbers or prefixes (`+5511*`) contains the number. An empty list contains all. */
export function isListed(number: string | null, list: readonly string[]): boolean {
  if (list.length === 0) return true
  if (number === null) return false
  const bare = (text: string) => text.replace(/[^\d*]/g, '')
  const digits = bare(number)
  return list.some((entry) => {
    const pattern = bare(entry)
    return pattern.endsWith('*') ? digits.startsWith(pattern.slice(0, -1)) : digits === pattern
  })
}
