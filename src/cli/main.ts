// The command line: users, keys, backups, on the same code and the same settings as the platform.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { didStore } from '../api/dids/store.ts'
import { keyFinder, LEASE_MS } from '../api/keys/finder.ts'
import { keyStore } from '../api/keys/store.ts'
import { trunkStore } from '../api/trunks/store.ts'
import { userStore } from '../api/users/store.ts'
import { dialPolicy } from '../base/dial-policy.ts'
import { createLog } from '../base/log.ts'
import { masterKeys } from '../base/master-key.ts'
import type { Role } from '../base/role.ts'
import { keyRing } from '../base/secrets.ts'
import type { Config } from '../config/config.ts'
import { environment, readConfig } from '../config/load.ts'
import { restoreBackup, writeBackup } from '../db/backup.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { requireStopped } from '../db/presence.ts'
import { checkSecrets, rekey } from '../db/seals.ts'
import { scopeNames } from '../http/scopes.ts'
import { examineAlone } from '../phone/diagnostics/line.ts'
import { dropFirstKey } from '../services/auth/bootstrap.ts'
import { version } from '../version.ts'
import { linkFromCommand } from './device-link.ts'
import { forgetFromCommand } from './forget.ts'
import { rehearseFromCommand } from './rehearse.ts'
import { talkFromCommand } from './talk.ts'
import { passwordFromCommand, withoutSecondFactor } from './users-password.ts'
import { removeUserFromCommand } from './users-remove.ts'

const help = `ramal users add NAME [--email ADDRESS] [--role member|admin]
ramal users list
ramal users role USER admin|member         an admin also sees the platform's settings and metrics, and has no budgets
ramal users remove USER --yes              with everything that is theirs
ramal users password USER [--email ADDRESS]   a new one to sign in with; asks for it, or reads a line of standard input
ramal users remove-second-factor USER      for who has lost the phone and the recovery codes
ramal keys add --user USER [--name NAME] [--scopes agents,calls] [--rate-limit 60] [--expires-in-days N]
ramal keys list [--user USER]
ramal keys revoke KEY_ID
ramal talk [AGENT] [--say TEXT]... [--url URL]   talks with an agent of the running platform, in writing
ramal trunk doctor TRUNK_ID [--echo NUMBER] [--user USER]   what is wrong with a trunk, and the cure
ramal rehearse FILE|FOLDER [--agent AGENT_ID]   scripted callers against an agent; see docs/rehearsals.md
ramal rehearse --replay CALL_ID [--agent AGENT_ID]   a call's caller once more, beside what was said then
ramal device link [DEVICE] [--user USER]   a QR code in the terminal that sets a phone up, until one is connected
ramal numbers release NUMBER               takes a number from whoever has it, so that its owner can register it
ramal forget NUMBER [--user USER] [--yes]  all that was said with a number; without --yes it only counts
ramal backup FILE                          while the platform runs; secrets stay encrypted
ramal restore FILE --yes                   replaces everything; refused while the platform runs
ramal rekey                                seals all secrets anew with the first master key

USER is an id, or a name or e-mail that only one user has. Settings come from the environment, as for the platform.
`

class UsageError extends Error {}

const say = (text: string) => void process.stdout.write(`${text}\n`)

const options = {
  email: { type: 'string' },
  role: { type: 'string' },
  user: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  'rate-limit': { type: 'string' },
  'expires-in-days': { type: 'string' },
  echo: { type: 'string' },
  agent: { type: 'string' },
  replay: { type: 'string' },
  say: { type: 'string', multiple: true },
  url: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

type Options = {
  [K in keyof typeof options]?: (typeof options)[K]['type'] extends 'boolean'
    ? boolean
    : (typeof options)[K] extends { multiple: true }
      ? string[]
      : string
}

async function run(words: string[], given: Options): Promise<void> {
  const [first = 'help', second = '', third, fourth] = words
  if (given.help || first === 'help') return say(help)
  const command = ['users', 'keys', 'trunk', 'device', 'numbers'].includes(first) ? `${first} ${second}` : first
  if (command === 'talk') return talk(second || undefined, given)
  const known = commands[command]
  if (!known) throw new UsageError(`unknown command: ${words.join(' ')}`)
  const config = readConfig(environment())
  const database = await openDatabase(config.database, () => {})
  try {
    const secrets = () => keyRing(masterKeys(config.masterKeys, config.dataDir))
    const subject = first === command ? second || undefined : third
    await known({ config, database, given, subject, value: fourth, secrets })
  } finally {
    await database.close()
  }
}

/** Over the API, as anybody else: it needs no database, and the platform may be elsewhere. */
async function talk(agent: string | undefined, given: Options): Promise<void> {
  const env = environment()
  const leave = new AbortController()
  process.once('SIGINT', () => leave.abort())
  const parts = { config: readConfig(env), input: process.stdin, output: process.stdout, leave }
  const asked = { agent, say: given.say, url: given.url?.replace(/\/{1,9}$/, ''), apiKey: env.RAMAL_API_KEY }
  if (!(await talkFromCommand(parts, asked))) process.exitCode = 1
}

type Context = {
  config: Config
  database: Database
  given: Options
  subject: string | undefined
  /** What follows the subject. */
  value: string | undefined
  secrets: () => ReturnType<typeof keyRing>
}

function needed(subject: string | undefined, what: string): string {
  if (!subject) throw new UsageError(`${what} is missing`)
  return subject
}

function confirmed(given: Options, what: string): void {
  if (!given.yes) throw new UsageError(`${what}; add --yes if that is what you want`)
}

function wholeNumber(text: string | undefined, min: number, max: number, name: string): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new UsageError(`${name} must be from ${min} to ${max}`)
  return value
}

function roleIn(text: string): Role {
  if (text !== 'admin' && text !== 'member')
    throw new UsageError(`${text} is not a role; the roles are admin and member`)
  return text
}

/** A revocation by this process must reach the ones that serve: it waits as if they shared the database, which they do. */
const keysOf = ({ db }: Database) => keyStore(db, keyFinder(db, true))

const removing = ({ dataDir }: Config, database: Database) => ({
  ...{ database, dataDir, say },
  log: createLog('warn', process.stderr),
})

const commands: Record<string, (context: Context) => Promise<void>> = {
  async 'users add'({ database, subject, given }) {
    const role = roleIn(given.role ?? 'member')
    const email = given.email?.toLowerCase() ?? null
    const user = await userStore(database.db).create(needed(subject, 'NAME'), email, role)
    say(`${user.id}  ${user.name}  ${user.role}`)
  },

  async 'users list'({ database }) {
    for (const { id, name, email, role, createdAt } of await userStore(database.db).list())
      say([id, name, email ?? '-', role, createdAt].join('  '))
  },

  async 'users role'({ database, subject, value }) {
    const users = userStore(database.db)
    const user = await users.get(needed(subject, 'USER'))
    const { name, role } = await users.setRole(user.id, roleIn(needed(value, 'admin or member')))
    await sleep(LEASE_MS + 50) // until no process acts on the former role
    say(`${name} is now ${role === 'admin' ? 'an admin' : 'a member'}`)
  },

  async 'users remove'({ config, database, subject, given }) {
    const user = await userStore(database.db).get(needed(subject, 'USER'))
    confirmed(given, `this removes ${user.name} (${user.id}) with all agents, calls and keys`)
    await removeUserFromCommand(removing(config, database), user.id)
  },

  async 'users password'({ database, subject, given }) {
    const parts = { database, input: process.stdin, output: process.stdout }
    const email = await passwordFromCommand(parts, { user: needed(subject, 'USER'), email: given.email })
    say(`signs in as ${email}; open sessions have ended`)
  },

  async 'users remove-second-factor'({ database, subject, secrets }) {
    const user = await withoutSecondFactor(database, secrets(), needed(subject, 'USER'))
    say(`${user} signs in with the password alone; open sessions have ended`)
  },

  async 'keys add'({ database, given }) {
    const user = await userStore(database.db).get(needed(given.user, '--user'))
    const scopes = given.scopes?.split(',').map((scope) => scope.trim()) as (typeof scopeNames)[number][] | undefined
    const wrong = scopes?.find((scope) => !scopeNames.includes(scope))
    if (wrong !== undefined) throw new UsageError(`${wrong} is not a scope; the scopes are ${scopeNames.join(', ')}`)
    const key = await keysOf(database).create(user.id, {
      name: given.name ?? 'command line',
      scopes,
      rateLimit: wholeNumber(given['rate-limit'], 1, 100_000, '--rate-limit'),
      expiresInDays: wholeNumber(given['expires-in-days'], 1, 36_500, '--expires-in-days'),
    })
    say(key.key)
  },

  async 'keys list'({ database, given }) {
    const users = userStore(database.db)
    const shown = given.user ? [await users.get(given.user)] : await users.list()
    const keys = keysOf(database)
    for (const user of shown)
      for (const row of await keys.page(user.id, { limit: 10_000 })) {
        const { id, prefix, name, scopes, expiresAt, lastUsedAt, isActive } = keys.toRecord(row)
        const state = isActive ? 'active' : 'revoked'
        say(
          [
            id,
            `${prefix}…`,
            state,
            user.name,
            name,
            scopes?.join(',') ?? 'full access',
            expiresAt ?? 'never expires',
            lastUsedAt ?? 'never used',
          ].join('  '),
        )
      }
  },

  async 'keys revoke'({ config, database, subject }) {
    const id = needed(subject, 'KEY_ID')
    const { db } = database
    const row = await db.selectFrom('apiKeys').select(['userId', 'hash']).where('id', '=', id).executeTakeFirst()
    if (!row) throw new UsageError(`there is no key ${id}`)
    await keysOf(database).revoke(row.userId, id)
    dropFirstKey(config.dataDir, row.hash)
    say(`revoked ${id}`)
  },

  async 'trunk doctor'({ config, database, subject, given, secrets }) {
    const id = needed(subject, 'TRUNK_ID')
    const userId = given.user && (await userStore(database.db).get(given.user)).id
    const all = await trunkStore(database.db, secrets()).all()
    const [trunk, other] = all.filter((each) => each.id === id && (!userId || each.userId === userId))
    if (!trunk) throw new UsageError(`there is no trunk ${id}`)
    if (other) throw new UsageError(`several users have a trunk ${id}: add --user USER`)
    const settings = { ...config.phone, dialPolicy: dialPolicy(config.calls.deniedPrefixes), name: `Ramal/${version}` }
    const report = await examineAlone(settings, trunk, { echoNumber: given.echo })
    for (const { name, status, detail } of report.checks) say(`${status.padEnd(8)} ${name.padEnd(15)} ${detail}`)
    if (report.ladder) say(`\n${report.ladder}`)
    say(report.sentence)
    if (!report.ok) process.exitCode = 1
  },

  async 'numbers release'({ database, subject }) {
    const { phoneNumber, userId } = await didStore(database.db).release(needed(subject, 'NUMBER'))
    say(`released ${phoneNumber}, which ${userId} had; whoever registers it next has it`)
  },

  async 'device link'({ config, database, subject, given, secrets }) {
    const userId = given.user && (await userStore(database.db).get(given.user)).id
    const [masterKey = ''] = masterKeys(config.masterKeys, config.dataDir)
    const log = createLog('warn', process.stderr)
    const hasColours = process.stdout.isTTY === true
    const parts = { config, database, secrets: secrets(), masterKey, log, say, hasColours }
    if (!(await linkFromCommand(parts, { name: subject, userId }))) process.exitCode = 1
  },

  async rehearse({ config, database, subject, given, secrets }) {
    if (!subject && !given.replay) throw new UsageError('FILE, FOLDER or --replay is missing')
    const parts = { config, database, secrets: secrets(), log: createLog('warn', process.stderr), say }
    const asked = { path: subject, agentId: given.agent, replayOf: given.replay }
    if (!(await rehearseFromCommand(parts, asked))) process.exitCode = 1
  },

  async forget({ config, database, subject, given }) {
    const asked = { number: needed(subject, 'NUMBER'), user: given.user, isSure: given.yes === true }
    await forgetFromCommand(removing(config, database), asked)
  },

  async backup({ database, subject }) {
    const path = needed(subject, 'FILE')
    say(
      `${await writeBackup(database.db, path)} rows written to ${path}; recordings are files of their own, in DATA_DIR/recordings`,
    )
  },

  async restore({ config, database, subject, given, secrets }) {
    const path = needed(subject, 'FILE')
    confirmed(given, 'this replaces everything in the database')
    await requireStopped(database)
    say(`${await restoreBackup(database.db, path, (trx) => checkSecrets(trx, secrets()))} rows restored from ${path}`)
    rmSync(join(config.dataDir, 'database-id'), { force: true }) // its recordings may now belong to another database
  },

  async rekey({ database, secrets }) {
    await checkSecrets(database.db, secrets())
    say(`${await rekey(database.db, secrets())} secrets sealed anew; the older master keys are no longer needed`)
  },
}

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  await run(positionals, values)
} catch (error) {
  const { message, code } = error as Error & { code?: string }
  process.stderr.write(`ramal: ${message}\n`)
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) process.stderr.write(`\n${help}`)
  process.exitCode = 1
}
