// `ramal users …`: add, list and remove users, change their role, and reset their sign-in.
import { leasesExpired } from '../base/concurrency/grant-lease.ts'
import type { Role } from '../base/domain/role.ts'
import { createLog } from '../base/process/log.ts'
import { userStore } from '../features/users/store.ts'
import { type Command, columns, confirmed, required, UsageError } from './command.ts'
import { removeSecondFactor, setPassword } from './users-password.ts'
import { removeUser } from './users-remove.ts'

export const userCommands: Record<string, Command> = {
  'users add': {
    usage: 'users add NAME [--email ADDRESS] [--role member|admin]',
    summary: 'Add a user',
    async run({ database, subject, options, print }) {
      const role = parseRole(options.role ?? 'member')
      const email = options.email?.toLowerCase() ?? null
      const user = await userStore(database.db).create(required(subject, 'NAME'), email, role)
      print(`${user.id}  ${user.name}  ${user.role}`)
    },
  },
  'users list': {
    usage: 'users list',
    summary: 'List the users and their roles',
    async run({ database, print }) {
      for (const { id, name, email, role, createdAt } of await userStore(database.db).list())
        print(columns(id, name, email ?? '-', role, createdAt))
    },
  },
  'users role': {
    usage: 'users role USER admin|member',
    summary: "Change a role; an admin sees the platform's settings and metrics, and has no budgets",
    async run({ database, subject, value, print }) {
      const users = userStore(database.db)
      const user = await users.get(required(subject, 'USER'))
      const { name, role } = await users.setRole(user.id, parseRole(required(value, 'admin or member')))
      await leasesExpired() // no process caches the old role any more
      print(`${name} is now ${role === 'admin' ? 'an admin' : 'a member'}`)
    },
  },
  'users remove': {
    usage: 'users remove USER --yes',
    summary: 'Remove a user with all their agents, calls and keys',
    async run({ config, database, subject, options, print }) {
      const user = await userStore(database.db).get(required(subject, 'USER'))
      confirmed(options, `this removes ${user.name} (${user.id}) with all agents, calls and keys`)
      await removeUser({ database, config, log: createLog('warn', process.stderr), print }, user.id)
    },
  },
  'users password': {
    usage: 'users password USER [--email ADDRESS]',
    summary: 'Set a password; prompts for it, or reads one line of standard input',
    async run({ database, subject, options, print }) {
      const parts = { database, input: process.stdin, output: process.stdout }
      const email = await setPassword(parts, { user: required(subject, 'USER'), email: options.email })
      print(`signs in as ${email}; open sessions have ended`)
    },
  },
  'users remove-second-factor': {
    usage: 'users remove-second-factor USER',
    summary: 'For a user who has lost both the authenticator and the recovery codes',
    async run({ database, subject, secrets, print }) {
      const name = await removeSecondFactor(database, secrets(), required(subject, 'USER'))
      print(`${name} signs in with the password alone; open sessions have ended`)
    },
  },
}

function parseRole(text: string): Role {
  if (text !== 'admin' && text !== 'member')
    throw new UsageError(`${text} is not a role; the roles are admin and member`)
  return text
}
