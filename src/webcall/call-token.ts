// The token of a web call: what was ordered, sealed, for a minute or so. Nothing is stored, and whoever holds it cannot read it; the id of the
// call to be is in it, and no two calls can have the same.
import { nowMs } from '../base/clock.ts'
import { type KeyRing, SealError } from '../base/secrets.ts'

export type WebCallGrant = {
  callId: string
  /** The API key or session that ordered it: the token ends with it. */
  keyId: string
  userId: string
  agentId: string
  variables: Record<string, string> | null
  metadata: Record<string, unknown> | null
}

export type CallTokens = ReturnType<typeof callTokens>

const PREFIX = 'rwc_'
const place = { table: 'web-call', row: '', column: 'token', userId: '' }

/** The parts of a sealed text are parted by colons, which a WebSocket's subprotocol must not have (RFC 9110 section 5.6.2). */
export function callTokens(secrets: KeyRing) {
  return {
    issue(order: WebCallGrant, lifeMs: number): { token: string; expiresMs: number } {
      const expiresMs = nowMs() + lifeMs
      const sealed = secrets.seal(JSON.stringify([expiresMs, order]), place)
      return { token: PREFIX + sealed.replaceAll(':', '.'), expiresMs }
    },
    /** Undefined when it is not ours, was altered, or is too old: a call that goes on may be older than its token opens one. */
    read(token: string, { mayBeExpired = false } = {}): WebCallGrant | undefined {
      if (!/^rwc_v1\.[\w.-]{1,12000}$/.test(token)) return undefined
      try {
        const plain = secrets.open(token.slice(PREFIX.length).replaceAll('.', ':'), place)
        const [expiresMs, order] = JSON.parse(plain) as [number, WebCallGrant]
        return mayBeExpired || expiresMs > nowMs() ? order : undefined
      } catch (error) {
        if (error instanceof SealError) return undefined
        throw error
      }
    },
  }
}
