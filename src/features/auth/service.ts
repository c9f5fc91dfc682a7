// The auth service: API keys, sessions, signing in, and the authentication of HTTP requests.
import type { TokenSigner } from '../../base/crypto/tokens.ts'
import { LOOK_MS } from '../../http/stream-revocation.ts'
import { keyFinder } from '../keys/finder-store.ts'
import { keyRoutes } from '../keys/routes.ts'
import { keyStore } from '../keys/store.ts'
import type { ServiceContext } from '../service.ts'
import { firstStart } from './bootstrap.ts'
import { openSignIn } from './sign-in-service.ts'

const HOUR_MS = 3_600_000

export function authService({ config, database, db, secrets, limiter, masterKey, log }: ServiceContext) {
  const { dataDir, bootstrapKey } = config
  const { shared } = database
  const finder = keyFinder(db, shared)
  const signIn = openSignIn({ db, shared, finder, secrets, limiter, masterKey, dataDir, config: config.http })
  return {
    stillGood: signIn.stillGood,
    forgetUser: signIn.forgetUser,
    /** The first user and key: returns the key that must be shown to the operator, if one was made. */
    bootstrap: (): Promise<string | null> => firstStart(db, dataDir, bootstrapKey),
    setupCode: signIn.codeToShow,
    /** How the HTTP server authenticates; `tokens` signs short-lived tokens. */
    authenticate: (tokens: Pick<TokenSigner, 'subjectOf'>) => ({
      findKey: finder.find,
      findByToken: signIn.findBy(tokens),
      findSession: signIn.findSession,
      origins: signIn.origins,
      used: finder.recordUse,
      open: signIn.open,
    }),
    routes: [keyRoutes(keyStore(db, signIn.finder))],
    publicRoutes: [signIn.routes],
    jobs: [
      { name: 'uses of API keys', everyMs: 1000, task: finder.flushUses },
      { name: 'open sessions', everyMs: LOOK_MS, task: signIn.open.look },
      { name: 'old sign-ins', everyMs: HOUR_MS, task: signIn.removeOld },
    ],
    async [Symbol.asyncDispose](): Promise<void> {
      await finder.flushUses().catch((err) => log.warn({ err }, 'failed to store API key usage'))
    },
  }
}
