// Telephone numbers as they are dialled: from what a carrier sends to digits that can be looked up, and from E.164 to what a trunk wants.
import type { Trunk } from './ports.ts'

/** A number as somebody may have written it: with a plus, spaces, dots, dashes or brackets. Null when it is none. */
export function dialledDigits(user: string): string | null {
  const bare = user.split(';')[0]?.replace(/[\s().-]/g, '') ?? ''
  if (!/^\+?\d{3,20}$/.test(bare)) return null
  if (bare.startsWith('+')) return bare
  return bare.startsWith('00') ? `+${bare.slice(2)}` : bare
}

/** E.164 where it can be told, else the digits as they came; a name that is no number stays out of the records. */
export function callerNumber(user: string | null): string | null {
  return user === null ? null : dialledDigits(user)
}

/** The Request-URI's user part for this trunk. */
export function dialString(e164: string, { leadingPlus, prefix, stripPrefix }: Trunk['numberFormat']): string {
  let digits = e164.replace(/^\+/, '')
  if (stripPrefix) {
    const strip = stripPrefix.replace(/^\+/, '')
    if (digits.startsWith(strip)) digits = digits.slice(strip.length)
    // What is left is a national number: a plus before it would name another country.
    return `${prefix ?? ''}${digits}`
  }
  return `${prefix ?? ''}${leadingPlus === false ? '' : '+'}${digits}`
}

/** Whether a list of numbers or prefixes (`+5511*`) names this one. An empty list names all. */
export function isNamed(number: string | null, list: readonly string[]): boolean {
  if (list.length === 0) return true
  if (number === null) return false
  const bare = (text: string) => text.replace(/[^\d*]/g, '')
  const digits = bare(number)
  return list.some((entry) => {
    const wanted = bare(entry)
    return wanted.endsWith('*') ? digits.startsWith(wanted.slice(0, -1)) : digits === wanted
  })
}
