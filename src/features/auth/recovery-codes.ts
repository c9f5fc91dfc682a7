// Single-use recovery codes for a lost phone. Only a hash is stored, keyed with the encrypted secret of the second
// factor: the database alone is not enough to guess them.
import { createHmac, randomInt } from 'node:crypto'

const COUNT = 10
const digits = '23456789ABCDEFGHJKMNPQRSTUVWXYZ' // no look-alike characters
const LENGTH = 10 // 49 bits

export function newRecoveryCodes(): string[] {
  const one = () => Array.from({ length: LENGTH }, () => digits[randomInt(digits.length)]).join('')
  return Array.from({ length: COUNT }, one).map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`)
}

/** Normalizes a typed code: upper case, blanks, missing dash. */
export const recoveryHash = (secret: Buffer, code: string): string =>
  createHmac('sha256', secret).update(code.toUpperCase().replaceAll(/[\s-]/g, '')).digest('base64url')
