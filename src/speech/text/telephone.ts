// Telephone numbers: the country code as a number, the rest in groups, digit by digit.
import { type Language, type Rule, readGroups } from './language.ts'

/** How the digits after a country code are grouped when they are written without separators. */
const shapes: Readonly<Record<string, readonly (readonly number[])[]>> = {
  '55': [
    [2, 5, 4],
    [2, 4, 4],
  ],
  '1': [[3, 3, 4]],
  '34': [[3, 3, 3]],
  '351': [[3, 3, 3]],
  '52': [[2, 4, 4]],
  '54': [
    [1, 2, 4, 4],
    [2, 4, 4],
  ],
  '57': [[3, 3, 4]],
  '56': [[1, 4, 4]],
}

function grouped(code: string, figures: string): string[] {
  const shape = shapes[code]?.find((sizes) => sizes.reduce((sum, size) => sum + size, 0) === figures.length)
  if (!shape) return figures.match(/\d{1,3}/g) ?? []
  let at = 0
  return shape.map((size) => {
    at += size
    return figures.slice(at - size, at)
  })
}

const codes = Object.keys(shapes).sort((a, b) => b.length - a.length)

/** @param area how a country's area code is read, if it is not spelled ("onze") */
export function telephoneRules(
  language: () => Language,
  area: (code: string, country: string) => string | null,
): Rule[] {
  const say = (country: string, groups: readonly string[]) => {
    const { words, cardinal } = language()
    const [first = '', ...rest] = groups
    const named = area(first, country)
    const body = named === null ? readGroups(groups, language()) : `${named}, ${readGroups(rest, language())}`
    return `${words.plus} ${cardinal(BigInt(country), 'alone')}, ${body}`
  }
  return [
    [
      /(?<![\p{L}\p{N}+])\+(\d{8,15})(?![\p{L}\p{N}])/gu,
      (_, all = '') => {
        const code = codes.find((known) => all.startsWith(known)) ?? all.slice(0, 2)
        return say(code, grouped(code, all.slice(code.length)))
      },
    ],
    [
      /(?<![\p{L}\p{N}+])\+(\d{1,3})[ .-]?\(?(\d{1,4})\)?((?:[ .-]?\d{2,5}){1,4})(?![\p{L}\p{N}]|[.,]\d)/gu,
      (all, country = '', first = '', rest = '') => {
        const groups = rest.match(/\d{2,5}/g) ?? []
        const count = country.length + first.length + groups.join('').length
        if (count < 8 || count > 15) return all
        // The grouping was a guess of the pattern: the country's own format decides.
        const whole = first + groups.join('')
        const isWritten = /^[ .-]/.test(rest) || groups.length > 1
        return say(country, isWritten ? [first, ...groups] : grouped(country, whole))
      },
    ],
  ]
}
