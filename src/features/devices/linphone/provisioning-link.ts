// The secret part of a provisioning link, derived from the link's id and the master key: it can be shown again without
// being stored.
import { createHash, createHmac, hkdfSync } from 'node:crypto'

/** 192 bits: infeasible to guess. */
const LENGTH = 32

export type LinkTokens = ReturnType<typeof linkTokens>

export function linkTokens(masterKey: string) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'ramal provisioning link', 32))
  return (linkId: string): string => createHmac('sha256', key).update(linkId).digest('base64url').slice(0, LENGTH)
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
