// `ramal keys …`: add, list and revoke API keys.
import type { Database } from '../db/database.ts'
import { keyFinder } from '../features/keys/finder-store.ts'
import { dropFirstKey } from '../features/keys/first-key.ts'
import { keyStore } from '../features/keys/store.ts'
import { userStore } from '../features/users/store.ts'
import { scopeNames } from '../http/scopes.ts'
import { type Command, columns, required, UsageError, wholeNumber } from './command.ts'

/** Treats the database as shared: the platform may be running, so a revocation waits until no process caches the key. */
const openKeys = ({ db }: Database) => keyStore(db, keyFinder(db, true))

type Scope = (typeof scopeNames)[number]

export const keyCommands: Record<string, Command> = {
  'keys add': {
    usage: 'keys add --user USER [--name NAME] [--scopes agents,calls] [--rate-limit 60] [--expires-in-days N]',
    summary: 'Create an API key and print it, once; without --scopes it has full access',
    async run({ database, options, print }) {
      const user = await userStore(database.db).get(required(options.user, '--user'))
      const scopes = options.scopes?.split(',').map((scope) => scope.trim()) as Scope[] | undefined
      const unknown = scopes?.find((scope) => !scopeNames.includes(scope))
      if (unknown !== undefined)
        throw new UsageError(`${unknown} is not a scope; the scopes are ${scopeNames.join(', ')}`)
      const key = await openKeys(database).create(
        { userId: user.id, personId: user.id },
        {
          name: options.name ?? 'command line',
          scopes,
          rateLimit: wholeNumber(options['rate-limit'], { name: '--rate-limit', min: 1, max: 100_000 }),
          expiresInDays: wholeNumber(options['expires-in-days'], { name: '--expires-in-days', min: 1, max: 36_500 }),
        },
      )
      print(key.key)
    },
  },
  'keys list': {
    usage: 'keys list [--user USER]',
    summary: 'List API keys by id and prefix',
    async run({ database, options, print }) {
      const users = userStore(database.db)
      const keys = openKeys(database)
      for (const user of options.user ? [await users.get(options.user)] : await users.list())
        for (const row of await keys.page(user.id, { limit: 10_000 })) {
          const { id, prefix, name, scopes, expiresAt, lastUsedAt, isActive } = keys.toRecord(row)
          const rights = scopes?.join(',') ?? 'full access'
          const dates = [expiresAt ?? 'never expires', lastUsedAt ?? 'never used']
          print(columns(id, `${prefix}…`, isActive ? 'active' : 'revoked', user.name, name, rights, ...dates))
        }
    },
  },
  'keys revoke': {
    usage: 'keys revoke KEY_ID',
    summary: 'Revoke an API key for good, at once on every node',
    async run({ config, database, subject, print }) {
      const id = required(subject, 'KEY_ID')
      const { db } = database
      const row = await db.selectFrom('apiKeys').select(['userId', 'hash']).where('id', '=', id).executeTakeFirst()
      if (!row) throw new UsageError(`there is no key ${id}`)
      await openKeys(database).revoke(row.userId, id)
      dropFirstKey(config.dataDir, row.hash)
      print(`revoked ${id}`)
    },
  },
}
