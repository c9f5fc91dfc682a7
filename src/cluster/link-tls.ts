// TLS between nodes: version 1.3 with a pre-shared key, which authenticates both sides; there are no certificates.
import type { ClusterKeys } from './keys.ts'

/** The cipher's hash must be that of the key, SHA-256 (RFC 8446 section 4.2.11). */
const version = {
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  ciphers: 'TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256',
} as const

export const serverTls = (keys: ClusterKeys) => ({
  ...version,
  pskCallback: (_socket: unknown, identity: string) => keys.find(({ id }) => id === identity)?.key ?? null,
})

export const clientTls = ([{ id, key }]: ClusterKeys) => ({
  ...version,
  pskCallback: () => ({ identity: id, psk: key }),
  // Called only for a server with a certificate, which no node has.
  checkServerIdentity: () => new Error('the other side is not a node'),
})
