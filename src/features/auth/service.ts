// The auth service: sessions, signing in, and the authentication of HTTP requests.
import type { TokenSigner } from '../../base/crypto/tokens.ts'
import { LOOK_MS } from '../../http/stream-revocation.ts'
import type { ServiceContext } from '../service.ts'
import { openSignIn, type SignInStores } from './sign-in-service.ts'

const HOUR_MS = 3_600_000

export function authService(context: ServiceContext, stores: SignInStores) {
  const { keys } = stores
  const signIn = openSignIn(context, stores)
  return {
    rightsNow: signIn.rightsNow,
    forgetUser: signIn.forgetUser,
    /** Called when a key is revoked: drops its cached sessions in every process. */
    forgetSessionsOfKey: signIn.forgetSessionsOfKey,
    setupCode: signIn.codeToShow,
    /** How the HTTP server authenticates requests; `tokens` signs short-lived tokens. */
    authenticate: (tokens: Pick<TokenSigner, 'subjectOf'>) => ({
      findKey: keys.find,
      findByToken: signIn.findBy(tokens),
      findSession: signIn.findSession,
      origins: signIn.origins,
      used: keys.recordUse,
      open: signIn.open,
    }),
    publicRoutes: [signIn.routes],
    jobs: [
      { name: 'open sessions', everyMs: LOOK_MS, task: signIn.open.look },
      { name: 'old sign-ins', everyMs: HOUR_MS, task: signIn.removeOld },
    ],
  }
}
