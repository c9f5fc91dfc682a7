// Function names that every model accepts: at most 64 letters, digits, _ and -, unique.
import { withoutAccents } from '../base/text/text.ts'

const MAX_NAME = 64

/** In the given order; `instead` replaces a name without any allowed character. */
export function functionNames(wanted: readonly { name: string; instead: string }[]): string[] {
  const taken = new Set<string>()
  return wanted.map(({ name, instead }) => {
    const plain = plainName(name) || plainName(instead) || 'tool'
    let unique = plain
    for (let i = 2; taken.has(unique.toLowerCase()); i++) unique = `${plain.slice(0, MAX_NAME - 4)}_${i}`
    taken.add(unique.toLowerCase())
    return unique
  })
}

const plainName = (name: string): string => {
  const plain = withoutAccents(name)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, MAX_NAME)
  return /[A-Za-z0-9]/.test(plain) ? plain.replace(/^_{1,64}(?=[A-Za-z0-9])|_{1,64}$/g, '') : ''
}
