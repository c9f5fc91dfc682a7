// Joins users, keys and sessions into signing in: the routes beside /api, and what the server asks about a cookie.
import { passwordHasher } from './api/auth/password-hash.ts'
import { authRoutes } from './api/auth/routes.ts'
import { sessionStore } from './api/auth/sessions.ts'
import { isAtHome, setupCodeOf } from './api/auth/setup-code.ts'
import type { KeyFinder } from './api/keys/finder.ts'
import { userPasswords } from './api/users/passwords.ts'
import type { HttpConfig } from './config.ts'
import type { Db } from './db/database.ts'
import { ownOrigins } from './http/same-origin.ts'

export type SignInParts = { db: Db; finder: KeyFinder; masterKey: string; config: HttpConfig }

export function openSignIn({ db, finder, masterKey, config }: SignInParts) {
  const sessions = sessionStore(db)
  const passwords = userPasswords(db)
  const setupCode = setupCodeOf(masterKey)
  const origins = ownOrigins(config.publicUrl)
  const home = { publicUrl: config.publicUrl, trustsProxy: config.trustProxy !== false }
  return {
    origins,
    findSession: sessions.find,
    removeOld: sessions.removeOld,

    /** By the id in a token: of a key or of a session. */
    findById: (id: string) => (id.startsWith('ses_') ? sessions.findById(id) : finder.findById(id)),

    /** The same finder; a key that it forgets takes its sessions along. */
    finder: {
      ...finder,
      async forget(keyHash: string): Promise<void> {
        sessions.forgetKey(keyHash)
        await finder.forget(keyHash)
      },
    },

    routes: authRoutes({
      sessions,
      passwords,
      hasher: passwordHasher(),
      findKey: finder.find,
      usedKey: finder.used,
      origins,
      setupCode,
      isAtHome: (req) => isAtHome(req, home),
    }),

    /** What the operator is shown at start; null once somebody has a password. */
    codeToShow: async (): Promise<string | null> => ((await passwords.isAnySet()) ? null : setupCode),
  }
}
