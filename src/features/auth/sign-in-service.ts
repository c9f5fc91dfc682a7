// Sign-in: joins users, keys and sessions into the sign-in routes and the session cookie checks.

import { passwordHasher } from '../../base/crypto/password-hash.ts'
import type { TokenSigner } from '../../base/crypto/tokens.ts'
import { qrSvg } from '../../base/qr.ts'
import { isAtHome, ownOrigins } from '../../http/same-origin.ts'
import { type RightsNow, streamRevocation } from '../../http/stream-revocation.ts'
import { auditPerson } from '../audit/rows.ts'
import type { KeyFinder } from '../keys/finder-store.ts'
import type { ServiceContext } from '../service.ts'
import type { InvitationLinks } from '../users/link-store.ts'
import type { Passwords } from '../users/password-store.ts'
import { knownDevices } from './known-devices.ts'
import { authRoutes } from './routes.ts'
import { secondFactors } from './second-factor-store.ts'
import { sessionStore } from './session-store.ts'
import { setupCodes } from './setup-code.ts'

export type SignInStores = { keys: KeyFinder; passwords: Passwords; invitationLinks: InvitationLinks }

const isSession = (id: string) => id.startsWith('ses_')

export function openSignIn(
  { db, database, secrets, limiter, masterKey, log, config: { http: config } }: ServiceContext,
  { keys, passwords, invitationLinks }: SignInStores,
) {
  const sessions = sessionStore(db, database.shared)
  const origins = ownOrigins(config.publicUrl)
  const location = { publicUrl: config.publicUrl, trustsProxy: config.trustProxy !== false }
  const rightsNow: RightsNow = async (asked) => {
    const inSessions = asked.filter(({ id }) => isSession(id))
    const withKeys = asked.filter(({ id }) => !isSession(id))
    const ofSessions = inSessions.length > 0 ? await sessions.rightsNow(inSessions) : []
    const ofKeys = withKeys.length > 0 ? await keys.rightsNow(withKeys) : []
    const rights = new Map<unknown, Awaited<ReturnType<RightsNow>>[number]>()
    for (const [i, one] of inSessions.entries()) rights.set(one, ofSessions[i])
    for (const [i, one] of withKeys.entries()) rights.set(one, ofKeys[i])
    return asked.map((one) => rights.get(one))
  }
  const setupCode = setupCodes(db, masterKey)
  return {
    origins,
    findSession: sessions.find,
    removeOld: sessions.removeOld,
    forgetSessionsOfKey: sessions.forgetKey,
    rightsNow,
    open: streamRevocation(rightsNow),

    /** Finds the key or session that a token names. */
    findBy: (tokens: Pick<TokenSigner, 'subjectOf'>) => async (token: string) => {
      const [id, organizationId = ''] = tokens.subjectOf(token)?.split(' ') ?? []
      if (id === undefined) return undefined
      return isSession(id) ? sessions.findById(id, organizationId) : keys.findById(id)
    },

    /** Called after the user's role changed or they were disabled. */
    async forgetUser(userId: string): Promise<void> {
      await Promise.all([sessions.forgetUser(userId), keys.invalidateUser(userId)])
    },

    routes: authRoutes({
      sessions,
      passwords,
      factors: secondFactors(db, secrets),
      links: invitationLinks,
      limiter,
      qrSvg,
      hasher: passwordHasher(),
      findKey: keys.find,
      usedKey: keys.recordUse,
      origins,
      setupCode: setupCode.current,
      known: knownDevices(masterKey),
      noteRefusal(personId, from, reason) {
        const change = { kind: 'session', action: 'refused', id: null, after: { reason } } as const
        const actor = { personId, credentialId: null, address: from.address }
        const noted = auditPerson(db, personId, change, actor)
        noted.catch((err) => log.warn({ err, userId: personId }, 'failed sign-in not in the audit log'))
      },
      isAtHome: (req) => isAtHome(req, location),
    }),

    /** Shown to the operator at start; null once any user has a password. */
    codeToShow: async (): Promise<string | null> => ((await passwords.isAnySet()) ? null : setupCode.renew()),
  }
}
