// Ids that sort by creation time: a readable prefix, 48 bits of milliseconds, 80 random bits.
import { randomBytes } from 'node:crypto'
import { nowMs } from './time/clock.ts'

const digits = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford's base 32: no i, l, o, u
const CHANCE = 1n << 80n

/**
 * Random bytes are drawn for many ids at once, because a call of the generator takes longer than the rest of an id.
 * Each byte is used once.
 */
const POOL_BYTES = 4000
let pool = Buffer.alloc(0)
let used = 0

function next80Bits(): bigint {
  if (used + 10 > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  used += 10
  return BigInt(`0x${pool.toString('hex', used - 10, used)}`)
}

let lastMs = 0
let lastChance = 0n

/**
 * A 128-bit number greater than all earlier ones of this process, even within one millisecond or after a clock step
 * back.
 */
function next128(): bigint {
  const ms = Math.max(nowMs(), lastMs)
  if (ms > lastMs) lastChance = next80Bits() >> 1n
  else lastChance = (lastChance + 1n) % CHANCE
  lastMs = ms
  return (BigInt(ms) << 80n) | lastChance
}

export function newId(prefix: string): string {
  const base32 = next128().toString(32).padStart(26, '0') // 0 to 9, then a to v
  let text = ''
  for (let i = 0; i < 26; i++) {
    const code = base32.charCodeAt(i)
    text += digits[code < 58 ? code - 48 : code - 87]
  }
  return `${prefix}_${text}`
}

/** UUID version 7 (RFC 9562, 5.7), where the spec requires a UUID. */
export function newUuid(): string {
  const hex = next128().toString(16).padStart(32, '0')
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
