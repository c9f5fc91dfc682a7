// What an operator does for a user who cannot sign in any more: `ramal users password` sets a new password, asked for without
// showing it; `ramal users remove-second-factor` does without a code that nobody can make any more.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordFault, passwordHasher } from '../api/auth/password-hash.ts'
import { secondFactors } from '../api/auth/second-factors.ts'
import { sessionStore } from '../api/auth/sessions.ts'
import { LEASE_MS } from '../api/keys/finder.ts'
import { normaliseEmail, userPasswords } from '../api/users/passwords.ts'
import { userStore } from '../api/users/store.ts'
import type { KeyRing } from '../base/secrets.ts'
import type { Database, Db } from '../db/database.ts'

export type PasswordParts = { database: Database; input: NodeJS.ReadStream; output: NodeJS.WriteStream }

/** Returns the e-mail to sign in with. Every session of the user has ended when it does. */
export async function passwordFromCommand(
  { database: { db }, input, output }: PasswordParts,
  asked: { user: string; email: string | undefined },
): Promise<string> {
  const user = await userStore(db).get(asked.user)
  const given = asked.email ?? user.email
  if (given === null) throw new Error(`${user.name} has no e-mail to sign in with: add --email ADDRESS`)
  const email = normaliseEmail(given)
  if (email === undefined) throw new Error(`${given} is not an e-mail address`)
  const password = input.isTTY ? await askedTwice(input, output) : await firstLine(input)
  const fault = passwordFault(password)
  if (fault) throw new Error(`the password ${fault}`)
  await userPasswords(db).set(user.id, email, await passwordHasher().hash(password))
  await endSessions(db, user.id)
  return email
}

/** Returns the name of the user. Every session has ended too: a lost phone may be in wrong hands. */
export async function withoutSecondFactor({ db }: Database, secrets: KeyRing, who: string): Promise<string> {
  const user = await userStore(db).get(who)
  if (!(await secondFactors(db, secrets).remove(user.id))) throw new Error(`${user.name} has no second factor`)
  await endSessions(db, user.id)
  return user.name
}

async function endSessions(db: Db, userId: string): Promise<void> {
  await sessionStore(db).endAllOf(userId)
  await sleep(LEASE_MS + 50) // what the platform still remembers of them
}

async function askedTwice(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  const first = await hidden(input, output, 'New password: ')
  const second = await hidden(input, output, 'The same again: ')
  if (first !== second) throw new Error('the two are not the same')
  return first
}

/** The terminal's keys are read one by one, and what they write goes nowhere. */
function hidden(input: NodeJS.ReadStream, output: NodeJS.WriteStream, question: string): Promise<string> {
  output.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true })
  return new Promise((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('no password was given')))
  }).finally(() => {
    lines.close()
    output.write('\n')
  }) as Promise<string>
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  for await (const line of createInterface({ input })) return line
  throw new Error('no password was given on standard input')
}
