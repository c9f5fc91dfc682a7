// Secrets at rest: AES-256-GCM under a key ring, each ciphertext bound to its table, row, column and user.
//   v1:<key id>:<nonce>:<ciphertext>:<tag>     (nonce 96 random bits; parts in base64url)
// The ring's first key encrypts; all of them decrypt. A text moved to another row, column or user does not decrypt.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export type SecretLocation = { table: string; row: string; column: string; userId: string }

export type KeyRing = {
  readonly activeId: string
  has(keyId: string): boolean
  seal(plain: string, place: SecretLocation): string
  open(sealed: string, place: SecretLocation): string
}

/** A stored secret cannot be decrypted: it was altered or moved, or its key is not in the ring. */
export class SealError extends Error {}

const aad = (p: SecretLocation) => Buffer.from(JSON.stringify([p.table, p.row, p.column, p.userId]))

export function keyRing(masterKeys: readonly string[]): KeyRing {
  const keys = new Map(
    masterKeys.map((text) => {
      const key = Buffer.from(hkdfSync('sha256', text, '', 'ramal secrets at rest', 32))
      return [createHash('sha256').update(key).digest('hex').slice(0, 8), key] as const
    }),
  )
  const [active] = keys
  if (!active) throw new SealError('no master key')
  const [activeId, activeKey] = active
  return {
    activeId,
    has: (keyId) => keys.has(keyId),
    seal(plain, place) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', activeKey, nonce).setAAD(aad(place))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return ['v1', activeId, ...[nonce, sealed, cipher.getAuthTag()].map((b) => b.toString('base64url'))].join(':')
    },
    open(sealed, place) {
      const [version, keyId = '', nonce = '', text = '', tag = '', ...rest] = sealed.split(':')
      const key = keys.get(keyId)
      if (version !== 'v1' || rest.length > 0 || !key) throw new SealError(`sealed with an unknown key (${keyId})`)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, canonical(nonce), { authTagLength: 16 })
        decipher.setAAD(aad(place)).setAuthTag(canonical(tag))
        return Buffer.concat([decipher.update(canonical(text)), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new SealError(`${place.table}.${place.column} does not open`, { cause })
      }
    },
  }
}

/** Base64url leaves unused bits in its last digit: text that does not re-encode to itself was altered. */
function canonical(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new SealError('not canonical')
  return bytes
}

export const keyIdOf = (sealed: string): string => sealed.split(':')[1] ?? ''

/** Encrypts a response so that only the holder of `passphrase` (an API key of full strength) can read it again. */
export function sealWith(passphrase: string, plain: string, context: string): string {
  return keyRing([passphrase]).seal(plain, { table: context, row: '', column: '', userId: '' })
}

export function openWith(passphrase: string, sealed: string, context: string): string {
  return keyRing([passphrase]).open(sealed, { table: context, row: '', column: '', userId: '' })
}
