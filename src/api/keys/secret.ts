// The form of our API keys:  ramal_<36 characters of chance><6 of checksum>   (base 62)
// 36 characters hold 214 bits; the prefix that stays visible shows 8 of them, so 166 bits remain secret.
// The checksum lets a mistyped key be refused without a look-up.
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

/** A key given by the operator may have any form, but is not shorter; nor are ours. */
export const MIN_LENGTH = 32

/** It has the form of one of our keys, but not the checksum. */
export function hasBadChecksum(text: string): boolean {
  if (!text.startsWith(START) || text.length !== START.length + CHANCE + CHECK) return false
  return checksum(text.slice(0, -CHECK)) !== text.slice(-CHECK)
}

/** The only trace of a key that is kept. Keys are long and random, so a fast hash without salt is enough. */
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
