// Codes for the day on which the phone is lost: each opens once. Only a hash is kept, keyed with the secret of the second
// factor, which is sealed: who reads the database alone can not try them out.
import { createHmac, randomInt } from 'node:crypto'

const COUNT = 10
const digits = '23456789ABCDEFGHJKMNPQRSTUVWXYZ' // nothing that looks like another
const LENGTH = 10 // 49 bits

export function newRecoveryCodes(): string[] {
  const one = () => Array.from({ length: LENGTH }, () => digits[randomInt(digits.length)]).join('')
  return Array.from({ length: COUNT }, one).map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`)
}

/** However it was typed: in small letters, with blanks, without the dash. */
export const recoveryHash = (secret: Buffer, code: string): string =>
  createHmac('sha256', secret).update(code.toUpperCase().replaceAll(/[\s-]/g, '')).digest('base64url')
