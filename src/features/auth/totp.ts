// Time-based one-time passwords (TOTP, RFC 6238): SHA-1, 30 seconds, six digits, which every authenticator app
// supports.
import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const DIGITS = 6
/** Tolerates one step either way, for clock drift and slow typing. */
const DRIFT = 1
const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const stepAt = (ms: number): number => Math.floor(ms / STEP_MS)

/** The code of one step (RFC 4226 section 5.3; the step is the counter). */
export function codeAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step of a code that is valid now and newer than the last accepted one. */
export function stepOf(secret: Buffer, code: string, nowMs: number, lastStep: number): number | undefined {
  if (!isTotp(code)) return undefined
  const now = stepAt(nowMs)
  for (let step = Math.max(now - DRIFT, lastStep + 1); step <= now + DRIFT; step++)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step
  return undefined
}

export const isTotp = (code: string): boolean => /^[0-9]{6}$/.test(code)

/** Base32 (RFC 4648) without padding, as authenticator apps expect. */
export function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += base32Digits[(value >> bits) & 31]
    }
  }
  return bits > 0 ? text + base32Digits[(value << (5 - bits)) & 31] : text
}

/** The URI in the QR code (Key URI format). */
export function otpauthUrl(secret: Buffer, account: string, issuer = 'Ramal'): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const about = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_MS / 1000),
  })
  return `otpauth://totp/${label}?${about}`
}
