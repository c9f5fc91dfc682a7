// Signatures as in Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, in base64. Pure.
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(24).toString('base64')

export type Signed = { id: string; timestampSeconds: number; body: string }

/** One signature per secret, newest first: during a rotation both are valid. */
export function signedHeaders(secrets: readonly string[], { id, timestampSeconds, body }: Signed) {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
