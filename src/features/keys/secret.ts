// Format of our API keys:  ramal_<36 random characters><6 of checksum>   (base 62)
// 36 characters hold 214 bits; the visible prefix shows 8 of them, so 166 bits remain secret.
// The checksum lets a mistyped key be rejected without a query.
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const START = 'ramal_'
const CHANCE = 36
const CHECK = 6
export const PREFIX_LENGTH = START.length + 8

export function newSecret(): string {
  let text = START
  for (let i = 0; i < CHANCE; i++) text += digits[randomInt(digits.length)]
  return text + checksum(text)
}

/** The minimum length of any key. The operator's bootstrap key may have any form. */
export const MIN_LENGTH = 32

/** Has the form of our keys but a wrong checksum. */
export function hasBadChecksum(text: string): boolean {
  if (!text.startsWith(START) || text.length !== START.length + CHANCE + CHECK) return false
  return checksum(text.slice(0, -CHECK)) !== text.slice(-CHECK)
}

/** Only this hash of a key is stored. Keys are long and random, so a fast unsalted hash is enough. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

function checksum(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECK; i++) {
    out = digits[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}
