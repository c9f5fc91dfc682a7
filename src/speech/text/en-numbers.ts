// Numbers in American English.
import { enNumerals } from '../../base/text/numerals.ts'

const { small, tens } = enNumerals
const scales = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion']

function below1000(n: number): string {
  const parts: string[] = []
  if (n >= 100) parts.push(`${small[Math.floor(n / 100)]} hundred`)
  const rest = n % 100
  if (rest >= 20) parts.push((tens[Math.floor(rest / 10)] ?? '') + (rest % 10 > 0 ? `-${small[rest % 10]}` : ''))
  else if (rest > 0) parts.push(small[rest] ?? '')
  return parts.join(' ')
}

export function cardinal(n: bigint): string {
  if (n === 0n) return 'zero'
  const parts: string[] = []
  for (let rest = n, scale = 0; rest > 0n; rest /= 1000n, scale++)
    if (rest % 1000n > 0n) parts.unshift(`${below1000(Number(rest % 1000n))} ${scales[scale] ?? ''}`.trim())
  return parts.join(' ')
}

const irregular: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

export function ordinal(n: number): string {
  const said = cardinal(BigInt(n))
  const last = /[a-z]{1,20}$/.exec(said)?.[0] ?? ''
  const made = irregular[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return said.slice(0, said.length - last.length) + made
}

/** 1984 is "nineteen eighty-four", 2005 "two thousand five". */
export function year(n: number): string {
  const rest = n % 100
  if (n < 1100 || n > 2099 || (n >= 2000 && n < 2010)) return cardinal(BigInt(n))
  if (rest === 0) return n === 2000 ? 'two thousand' : `${cardinal(BigInt(n / 100))} hundred`
  return `${cardinal(BigInt((n - rest) / 100))} ${rest < 10 ? `oh ${small[rest]}` : cardinal(BigInt(rest))}`
}
