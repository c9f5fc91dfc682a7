// Sessions at the remote gateway service, one per user, in memory only: opened with the saved account and refreshed
// before they expire. Concurrent requests share one refresh. Rejected credentials are not tried again at once.
import { monotonicMs } from '../../../base/time/clock.ts'
import { type Account, type DriverHost, DriverTrouble } from '../driver-port.ts'
import { type FarReply, RemoteFault, type RemoteHttp, unreadable } from './http-request.ts'
import { readSession } from './responses.ts'

/** A user's saved account, and its status at the service. */
export type SavedAccounts = Pick<DriverHost, 'account' | 'accountChecked'>
export type Sessions = ReturnType<typeof remoteSessions>

type Open = { account: Account; token: string; refreshToken: string; renewAtMs: number; endsAtMs: number }
type Opening = { account: Account; promise: Promise<Open> }

/** Refresh this long before expiry, so that no request is in flight then; for a short lifetime, a tenth of it. */
const RENEW_BEFORE_MS = 30_000
const isSame = (a: Account, b: Account) => a.email === b.email && a.password === b.password

export function remoteSessions(http: RemoteHttp, desk: SavedAccounts, closing: AbortSignal, wrongMs: number) {
  const sessions = new Map<string, Open>()
  const openings = new Map<string, Opening>()
  const logins = remoteLogins(http, desk, closing, wrongMs)

  function renew(userId: string, account: Account, isOver: boolean): Promise<Open> {
    const running = openings.get(userId)
    if (running && isSame(running.account, account)) return running.promise
    const before = sessions.get(userId)
    if (logins.isWrong(userId, account)) return Promise.reject(refusedAccount())
    const canRefresh = before !== undefined && isSame(before.account, account)
    const promise = (canRefresh ? logins.refresh(userId, before) : logins.login(userId, account))
      .then((session) => {
        sessions.set(userId, session)
        return session
      })
      .catch((error) => {
        // This was an early refresh: the session is still valid.
        if (canRefresh && !isOver && monotonicMs() < before.endsAtMs && (error as RemoteFault).isTransient)
          return before
        sessions.delete(userId)
        throw error
      })
      .finally(() => {
        if (openings.get(userId) === opening) openings.delete(userId)
      })
    const opening = { account, promise }
    openings.set(userId, opening)
    return promise
  }

  async function saved(userId: string): Promise<Account> {
    const account = await desk.account(userId)
    if (account) return account
    sessions.delete(userId)
    throw new DriverTrouble(
      'unauthorized',
      'No account of the gateway service is saved: save its email and password first',
    )
  }

  return {
    /** A valid access token. */
    async tokenOf(userId: string): Promise<string> {
      const account = await saved(userId)
      const session = sessions.get(userId)
      if (session && isSame(session.account, account) && monotonicMs() < session.renewAtMs) return session.token
      return (await renew(userId, account, false)).token
    },

    /** A new token after this one was rejected. */
    async tokenAfter(userId: string, refused: string): Promise<string> {
      const account = await saved(userId)
      const session = sessions.get(userId)
      if (session && session.token !== refused && isSame(session.account, account)) return session.token
      return (await renew(userId, account, true)).token
    },

    check: logins.check,
  }
}

/** Requests for sessions, and which credentials the service has rejected. */
function remoteLogins(http: RemoteHttp, desk: SavedAccounts, closing: AbortSignal, wrongMs: number) {
  const wrong = new Map<string, { account: Account; untilMs: number }>()

  async function signIn(account: Account, signal: AbortSignal): Promise<Open> {
    const { email, password } = account
    return opened(account, await http.ask({ method: 'POST', path: '/session', body: { email, password } }, signal))
  }

  async function login(userId: string, account: Account): Promise<Open> {
    try {
      const session = await signIn(account, closing)
      wrong.delete(userId)
      await desk.accountChecked(userId, 'valid')
      return session
    } catch (error) {
      if (!isWrongPassword(error)) throw error
      wrong.set(userId, { account, untilMs: monotonicMs() + wrongMs })
      await desk.accountChecked(userId, 'invalid')
      throw refusedAccount()
    }
  }

  return {
    login,

    async refresh(userId: string, { account, refreshToken }: Open): Promise<Open> {
      try {
        const body = { refreshToken }
        return opened(account, await http.ask({ method: 'POST', path: '/session/refresh', body }, closing))
      } catch (error) {
        // The token has expired, or was used up by a refresh whose response was lost: sign in with the password.
        const isSpent = error instanceof RemoteFault && (error.mayBeTaken || !error.isTransient)
        if (!isSpent) throw error
        return login(userId, account)
      }
    },

    /** Whether this account was recently rejected. */
    isWrong(userId: string, account: Account): boolean {
      const refused = wrong.get(userId)
      return refused !== undefined && isSame(refused.account, account) && monotonicMs() < refused.untilMs
    },

    async check(account: Account, signal: AbortSignal): Promise<'valid' | 'invalid'> {
      try {
        await signIn(account, signal)
        for (const [userId, refused] of wrong) if (isSame(refused.account, account)) wrong.delete(userId)
        return 'valid'
      } catch (error) {
        if (isWrongPassword(error)) return 'invalid'
        throw error
      }
    },
  }
}

function opened(account: Account, { status, json, atMs }: FarReply): Open {
  const session = readSession(json)
  // The Date header has whole seconds: up to one second may have passed.
  const livesMs = session ? Date.parse(session.expiresAt) - atMs - 1000 : Number.NaN
  if (!session || Number.isNaN(livesMs)) throw unreadable(status, 'is not a session')
  const now = monotonicMs()
  return {
    account,
    token: session.token,
    refreshToken: session.refreshToken,
    endsAtMs: now + livesMs,
    renewAtMs: now + livesMs - Math.min(RENEW_BEFORE_MS, livesMs / 10),
  }
}

const isWrongPassword = (error: unknown) =>
  error instanceof RemoteFault && (error.status === 401 || error.status === 403)
const refusedAccount = () =>
  new DriverTrouble('unauthorized', 'The gateway service refuses the saved email and password: save them anew')
