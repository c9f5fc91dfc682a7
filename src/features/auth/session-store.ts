// Browser sessions: resolves the secret in a cookie to its grant. Like keys, sessions are cached for a lease
// (base/concurrency/grant-lease.ts): ending a session resolves once no process accepts it any longer.
import { createHmac, hash, randomBytes } from 'node:crypto'
import { currentActor } from '../../base/actor.ts'
import { dropEverywhere, LEASE_MS } from '../../base/concurrency/grant-lease.ts'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { DAY_MS, monotonicMs, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Role, SessionRow } from '../../db/tables.ts'
import type { KeyGrant, SessionGrant } from '../../http/auth.ts'
import type { RightsNow, Using } from '../../http/stream-revocation.ts'
import { auditPerson } from '../audit/rows.ts'
import { type Membership, memberships, rightsOf } from '../organizations/rows.ts'

const IDLE_MS = 7 * DAY_MS
const MAX_AGE_MS = 30 * DAY_MS
export const MAX_AGE_SECONDS = MAX_AGE_MS / 1000
/** lastUsedAt is written only when the stored value is this old. */
const TOUCH_MS = 600_000
const RATE_LIMIT = 6000
const MAX_PER_USER = 50

const SECRET_BYTES = 32
const SECRET_LENGTH = 43 // in base64url

/** Origin of a sign-in, stored so that users recognize it in their list of sessions. */
export type From = Pick<SessionRow, 'device' | 'address'>
type Remembered = { grant: SessionGrant; secretHash: string; keyHash: string | null; until: number }
type Looked = SessionRow & {
  role: Role
  lastOrganizationId: string | null | undefined
  keyOrganizationId: string | null
  userDisabledAt: string | null | undefined
  keyHash: string | null
  keyIsActive: number | null
  keyExpiresAt: string | null
}

export type Sessions = ReturnType<typeof sessionStore>

/** Sessions by the hash of their secret. */
function sessionCache(shared: boolean) {
  const entries = new LruCache<string, Remembered>(10_000)
  let endings = 0
  return {
    get: (secretHash: string) => entries.get(secretHash),

    /** Call before a lookup: what it finds is cached, unless a session has ended meanwhile. */
    lookUp() {
      const [asked, before] = [monotonicMs(), endings]
      return (secretHash: string, found: Omit<Remembered, 'until'>): void => {
        if (endings === before) entries.set(secretHash, { ...found, until: asked + LEASE_MS })
      }
    },

    /** Resolves when no process has them cached any longer. */
    forget(isMeant: (entry: Remembered) => boolean): Promise<void> {
      const drop = () => {
        endings++
        for (const entry of entries.values()) if (isMeant(entry)) entry.until = 0
      }
      return dropEverywhere(drop, shared)
    },
  }
}

/** Sessions with their person and the key that opened them. */
const withKey = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('apiKeys', 'apiKeys.id', 'sessions.keyId')
    .selectAll('sessions')
    .select([
      'users.role as role',
      'users.disabledAt as userDisabledAt',
      'users.lastOrganizationId as lastOrganizationId',
      'apiKeys.userId as keyOrganizationId',
      'apiKeys.hash as keyHash',
      'apiKeys.isActive as keyIsActive',
      'apiKeys.expiresAt as keyExpiresAt',
    ])

async function rightsNow(db: Db, asked: readonly Using[]): ReturnType<RightsNow> {
  const ids = asked.map(({ id }) => id)
  const rows = await withKey(db)
    .leftJoin('members', 'members.personId', 'sessions.userId')
    .select(['members.organizationId', 'members.role as memberRole', 'members.mayListen', 'members.mayExport'])
    .where('sessions.id', 'in', ids)
    .execute()
  const good = rows.filter(isGood)
  return asked.map(({ id, userId }) => {
    const own = good.filter((row) => row.id === id)
    const place = own.find((row) => row.organizationId === userId)
    return own.length === 0 ? undefined : rightsOf(place && { ...place, role: place.memberRole }).may
  })
}

export function sessionStore(db: Db, shared: boolean) {
  const cache = sessionCache(shared)
  const byHash = prepared<{ hash: string }, Looked>(db, (slot) => withKey(db).where('sessions.hash', '=', slot('hash')))
  const byId = prepared<{ id: string }, Looked>(db, (slot) => withKey(db).where('sessions.id', '=', slot('id')))

  const membershipsOf = memberships(db)

  /** A session opened with a key stays in that key's organization. */
  async function placesOf({ userId, keyOrganizationId }: Looked): Promise<Membership[]> {
    const all = await membershipsOf(userId)
    return keyOrganizationId === null ? all : all.filter((one) => one.organizationId === keyOrganizationId)
  }

  async function look(secret: string, secretHash: string): Promise<SessionGrant | undefined> {
    const remember = cache.lookUp()
    const [row] = await byHash({ hash: secretHash })
    if (!row || !isGood(row)) return undefined
    const places = await placesOf(row)
    const grant = sessionGrant(await touched(row), places, csrfTokenOf(secret))
    remember(secretHash, { grant, secretHash, keyHash: row.keyHash })
    return grant
  }

  async function touched(row: Looked): Promise<Looked> {
    if (nowMs() - Date.parse(row.lastUsedAt) < TOUCH_MS) return row
    const lastUsedAt = toIso(nowMs())
    const moved = { lastUsedAt, expiresAt: endOf(row.createdAt, lastUsedAt, row.keyExpiresAt) }
    await db.updateTable('sessions').set(moved).where('id', '=', row.id).execute()
    return { ...row, ...moved }
  }

  return {
    find(secret: string): SessionGrant | undefined | Promise<SessionGrant | undefined> {
      if (secret.length !== SECRET_LENGTH) return undefined
      const secretHash = hash('sha256', secret)
      const entry = cache.get(secretHash)
      if (!entry || entry.until <= monotonicMs()) return look(secret, secretHash)
      return (entry.grant.expiresAtMs ?? 0) > nowMs() ? entry.grant : undefined
    },

    /** For a token that names the session. Without the secret there is no CSRF token. */
    async findById(id: string, organizationId: string): Promise<KeyGrant | undefined> {
      const [row] = await byId({ id })
      if (!row || !isGood(row)) return undefined
      const place = (await placesOf(row)).find((one) => one.organizationId === organizationId)
      return place && toGrant(row, place)
    },

    /** Returns the cookie value. `key`: the API key that opened the session, if any. */
    async create(userId: string, key: Pick<KeyGrant, 'id' | 'expiresAtMs'> | null, from: From): Promise<string> {
      const secret = randomBytes(SECRET_BYTES).toString('base64url')
      const createdAt = toIso(nowMs())
      const keyExpiresAt = key?.expiresAtMs ? toIso(key.expiresAtMs) : null
      const row: SessionRow = {
        id: newId('ses'),
        userId,
        keyId: key?.id ?? null,
        hash: hash('sha256', secret),
        createdAt,
        lastUsedAt: createdAt,
        expiresAt: endOf(createdAt, createdAt, keyExpiresAt),
        ...from,
      }
      await db.inTransaction(async (trx) => {
        await trx.insertInto('sessions').values(row).execute()
        await trx.updateTable('users').set({ lastSignInAt: createdAt }).where('id', '=', userId).execute()
        await auditPerson(trx, userId, { kind: 'session', action: 'started', id: row.id }, actorOf(row))
      })
      await dropOldest(userId)
      return secret
    },

    /** Also waits if the session is already gone: the request that ended it may still be waiting. */
    async end(secret: string): Promise<void> {
      const secretHash = hash('sha256', secret)
      await endSessions(db, (sessions) => sessions.where('hash', '=', secretHash))
      await cache.forget((entry) => entry.secretHash === secretHash)
    },

    async endAllOf(userId: string): Promise<void> {
      await db.deleteFrom('sessions').where('userId', '=', userId).execute()
      await cache.forget(({ grant }) => grant.personId === userId)
    },

    /** Drops the user's sessions from the cache after they were ended in the database or the user's role changed. */
    forgetUser: (userId: string): Promise<void> => cache.forget(({ grant }) => grant.personId === userId),

    /** The organization that the person's pages show first from now on. */
    async setOrganization(personId: string, lastOrganizationId: string): Promise<void> {
      await db.updateTable('users').set({ lastOrganizationId }).where('id', '=', personId).execute()
    },

    /** Valid sessions, the most recently used first. */
    async listOf(userId: string): Promise<SessionRow[]> {
      const rows = await withKey(db).where('sessions.userId', '=', userId).execute()
      return rows.filter(isGood).sort((a, b) => (a.lastUsedAt < b.lastUsedAt ? 1 : -1))
    },

    async endOne(userId: string, id: string): Promise<SessionRow> {
      const [ended] = await endSessions(db, (all) => all.where('userId', '=', userId).where('id', '=', id))
      const row = found('Session', ended)
      await cache.forget(({ grant }) => grant.id === id)
      return row
    },

    async endOthers(userId: string, keptId: string): Promise<SessionRow[]> {
      const ended = await endSessions(db, (all) => all.where('userId', '=', userId).where('id', '!=', keptId))
      await cache.forget(({ grant }) => grant.personId === userId && grant.id !== keptId)
      return ended
    },

    rightsNow: (asked: readonly Using[]) => rightsNow(db, asked),

    /** Drops the key's sessions from the cache after it was revoked in the database. */
    forgetKey: (keyHash: string): Promise<void> => cache.forget((entry) => entry.keyHash === keyHash),

    async removeOld(): Promise<void> {
      await db.deleteFrom('sessions').where('expiresAt', '<=', toIso(nowMs())).execute()
    },
  }

  /** Keeps a program that signs in repeatedly from filling the table. */
  async function dropOldest(userId: string): Promise<void> {
    const newest = db
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', userId)
      .orderBy('id', 'desc')
      .limit(MAX_PER_USER)
    await db.deleteFrom('sessions').where('userId', '=', userId).where('id', 'not in', newest).execute()
  }
}

/** Who signs in or out: the person, by this session. */
const actorOf = ({ userId, id, address }: SessionRow) => ({ personId: userId, credentialId: id, address })

const deletion = (trx: Trx) => trx.deleteFrom('sessions').returningAll()
type Deletion = ReturnType<typeof deletion>

/** Deletes the sessions that the person ends. */
const endSessions = (db: Db, some: (all: Deletion) => Deletion): Promise<SessionRow[]> =>
  db.inTransaction(async (trx) => {
    const rows = await some(deletion(trx)).execute()
    for (const row of rows) {
      const change = { kind: 'session', action: 'ended', id: row.id } as const
      await auditPerson(trx, row.userId, change, currentActor() ?? actorOf(row))
    }
    return rows
  })

/** Bound to the session through its secret, which cannot be derived from the token. */
const csrfTokenOf = (secret: string) => createHmac('sha256', secret).update('ramal csrf').digest('base64url')

function isGood(row: Looked): boolean {
  if (Date.parse(row.expiresAt) <= nowMs() || row.userDisabledAt) return false
  if (row.keyId === null) return true
  return row.keyIsActive === 1 && (row.keyExpiresAt === null || Date.parse(row.keyExpiresAt) > nowMs())
}

function endOf(createdAt: string, usedAt: string, keyExpiresAt: string | null): string {
  const ends = [Date.parse(usedAt) + IDLE_MS, Date.parse(createdAt) + MAX_AGE_MS]
  if (keyExpiresAt !== null) ends.push(Date.parse(keyExpiresAt))
  return toIso(Math.min(...ends))
}

/** In the organization used last, else the person's own, else the one joined first. */
function sessionGrant(row: Looked, places: readonly Membership[], csrfToken: string): SessionGrant {
  const grants = new Map<string, SessionGrant>()
  const organizations = places.map(({ organizationId, name }) => ({ id: organizationId, name }))
  const session = { csrfToken, organizations, in: (organizationId: string) => grants.get(organizationId) }
  for (const place of places) grants.set(place.organizationId, { ...toGrant(row, place), ...session })
  const preferred = [row.lastOrganizationId, row.userId, places[0]?.organizationId]
  for (const id of preferred) {
    const grant = id && grants.get(id)
    if (grant) return grant
  }
  return { ...toGrant(row, undefined), ...session }
}

/** Without a membership the owner is nobody. */
const toGrant = (row: Looked, place: Membership | undefined): KeyGrant => ({
  id: row.id,
  userId: place?.organizationId ?? '',
  personId: row.userId,
  role: row.role,
  ...rightsOf(place),
  scopes: null,
  rateLimit: RATE_LIMIT,
  expiresAtMs: Date.parse(row.expiresAt),
  isActive: true,
  keyExpiresAtMs: row.keyExpiresAt === null ? null : Date.parse(row.keyExpiresAt),
  policy: `"default";q=${RATE_LIMIT};w=60`,
})
