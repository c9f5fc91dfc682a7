// Signing in: joins users, keys and sessions into the sign-in routes and the checks of session cookies.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import type { TokenSigner } from '../../base/crypto/tokens.ts'
import { qrSvg } from '../../base/qr.ts'
import type { HttpConfig } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import { eventWriter } from '../../db/outbox.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import { ownOrigins } from '../../http/same-origin.ts'
import { type StillGood, streamRevocation } from '../../http/stream-revocation.ts'
import type { KeyFinder } from '../keys/finder-store.ts'
import { invitationStore } from '../users/invitation-store.ts'
import { userPasswords } from '../users/password-store.ts'
import { dropFirstKey } from './bootstrap.ts'
import { knownDevices } from './known-devices.ts'
import { passwordHasher } from './password-hash.ts'
import { authRoutes } from './routes.ts'
import { secondFactors } from './second-factor-store.ts'
import { sessionStore } from './session-store.ts'
import { isAtHome, setupCodes } from './setup-code.ts'

export type SignInParts = {
  db: Db
  /** Several processes may use the database. */
  shared: boolean
  finder: KeyFinder
  secrets: KeyRing
  limiter: RateLimiter
  masterKey: string
  dataDir: string
  config: HttpConfig
}

const isSession = (id: string) => id.startsWith('ses_')

export function openSignIn({ db, shared, finder, secrets, limiter, masterKey, dataDir, config }: SignInParts) {
  const sessions = sessionStore(db, shared)
  const passwords = userPasswords(db)
  const origins = ownOrigins(config.publicUrl)
  const location = { publicUrl: config.publicUrl, trustsProxy: config.trustProxy !== false }
  const stillGood: StillGood = async (ids) => {
    const sessionIds = ids.filter(isSession)
    const keyIds = ids.filter((id) => !isSession(id))
    const valid = [
      ...(sessionIds.length > 0 ? await sessions.goodOf(sessionIds) : []),
      ...(keyIds.length > 0 ? await finder.validIds(keyIds) : []),
    ]
    return new Set(valid)
  }
  const setupCode = setupCodes(db, masterKey)
  return {
    origins,
    findSession: sessions.find,
    removeOld: sessions.removeOld,

    stillGood,
    open: streamRevocation(stillGood),

    /** Finds the key or session that a token names. */
    findBy: (tokens: Pick<TokenSigner, 'subjectOf'>) => async (token: string) => {
      const id = tokens.subjectOf(token)
      if (id === undefined) return undefined
      return isSession(id) ? sessions.findById(id) : finder.findById(id)
    },

    /** After a change of the user's role, or when they were disabled. */
    async forgetUser(userId: string): Promise<void> {
      await Promise.all([sessions.forgetUser(userId), finder.invalidateUser(userId)])
    },

    /** The same lookup, but invalidating a key also drops its cached sessions and the saved first key. */
    finder: {
      ...finder,
      async invalidate(keyHash: string): Promise<void> {
        await Promise.all([sessions.forgetKey(keyHash), finder.invalidate(keyHash)])
        dropFirstKey(dataDir, keyHash)
      },
    },

    routes: authRoutes({
      sessions,
      passwords,
      factors: secondFactors(db, secrets),
      invitations: invitationStore(db, eventWriter(db)),
      limiter,
      qrSvg,
      hasher: passwordHasher(),
      findKey: finder.find,
      usedKey: finder.recordUse,
      origins,
      setupCode: setupCode.current,
      known: knownDevices(masterKey),
      isAtHome: (req) => isAtHome(req, location),
    }),

    /** Shown to the operator at start; null once any user has a password. */
    codeToShow: async (): Promise<string | null> => ((await passwords.isAnySet()) ? null : setupCode.renew()),
  }
}
