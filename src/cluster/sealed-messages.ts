// Messages on the bus are sealed, because they contain words from calls: AES-256-GCM, bound to the process that may open them.
//   version (1 byte) | key id (4) | nonce (12) | ciphertext | tag (16), as base64
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { ClusterKeys } from './keys.ts'

const VERSION = 1
const HEAD = 5
const NONCE = 12
const TAG = 16
/** Fits the largest SDP offer, in JSON. */
export const MAX_SEALED = 300_000

export type MessageSeal = ReturnType<typeof messageSeal>

export function messageSeal(keys: ClusterKeys) {
  const byId = new Map(keys.map(({ id, key }) => [id, key]))
  const [{ id, key }] = keys
  const head = Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')])
  const aad = (to: string) => Buffer.concat([head.subarray(0, 1), Buffer.from(to)])
  return {
    /** Throws a RangeError when the message is too large. */
    seal(message: unknown, to: string): string {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad(to))
      const sealed = Buffer.concat([cipher.update(JSON.stringify(message), 'utf8'), cipher.final()])
      const text = Buffer.concat([head, nonce, sealed, cipher.getAuthTag()]).toString('base64')
      if (text.length > MAX_SEALED) throw new RangeError('message too large for the bus')
      return text
    },
    /** Undefined if it was forged, altered, or sealed for another process or with an unknown key. */
    open(text: string, to: string): unknown {
      if (text.length > MAX_SEALED) return undefined
      const bytes = Buffer.from(text, 'base64')
      const opener = byId.get(bytes.toString('hex', 1, HEAD))
      if (bytes.length < HEAD + NONCE + TAG || bytes[0] !== VERSION || !opener) return undefined
      const nonce = bytes.subarray(HEAD, HEAD + NONCE)
      const decipher = createDecipheriv('aes-256-gcm', opener, nonce, { authTagLength: TAG }).setAAD(aad(to))
      decipher.setAuthTag(bytes.subarray(-TAG))
      try {
        const plain = Buffer.concat([decipher.update(bytes.subarray(HEAD + NONCE, -TAG)), decipher.final()])
        return JSON.parse(plain.toString('utf8'))
      } catch {
        return undefined
      }
    },
  }
}
