// Web call tokens: the grant for one call, encrypted and short-lived. Nothing is stored; the token holds the id of the future call,
// so it can open only one.
import { type KeyRing, SealError } from '../base/crypto/secrets.ts'
import { nowMs } from '../base/time/clock.ts'

export type WebCallGrant = {
  callId: string
  /** The API key or session that requested it: revoking it invalidates the token. Empty for a widget's call. */
  keyId: string
  /** For a website visitor: the widget, the only site that may use the token, and a hash of the requesting address. */
  widget?: { id: string; origin: string; visitor?: string }
  userId: string
  agentId: string
  variables: Record<string, string> | null
  metadata: Record<string, unknown> | null
  /** The call tests unsaved changes of the agent, which are too large for a token. */
  hasDraft?: boolean
}

export type CallTokens = ReturnType<typeof callTokens>

const PREFIX = 'rwc_'
const place = { table: 'web-call', row: '', column: 'token', userId: '' }

/** Sealed text contains colons, which are not allowed in a WebSocket subprotocol (RFC 9110 section 5.6.2): they become dots. */
export function callTokens(secrets: KeyRing) {
  return {
    issue(order: WebCallGrant, lifeMs: number): { token: string; expiresMs: number } {
      const expiresMs = nowMs() + lifeMs
      const sealed = secrets.seal(JSON.stringify([expiresMs, order]), place)
      return { token: PREFIX + sealed.replaceAll(':', '.'), expiresMs }
    },
    /** Undefined when it is forged or expired. `mayBeExpired`: a running call outlives its token. */
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
