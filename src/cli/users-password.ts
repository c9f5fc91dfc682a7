// For users who cannot sign in: `ramal users password` prompts for a new password without echo, `ramal users remove-second-factor`
// removes a second factor that is lost.

import { passwordFault, passwordHasher } from '../base/crypto/password-hash.ts'
import type { KeyRing } from '../base/crypto/secrets.ts'
import type { Database, Db } from '../db/database.ts'
import { secondFactors } from '../features/auth/second-factor-store.ts'
import { sessionStore } from '../features/auth/session-store.ts'
import { userPasswords } from '../features/users/password-store.ts'
import { normalizeEmail } from '../features/users/rows.ts'
import { userStore } from '../features/users/store.ts'
import { firstLine, promptHidden } from './secret-input.ts'

type PasswordParts = { database: Database; input: NodeJS.ReadStream; output: NodeJS.WriteStream }

/** Ends all sessions of the user, and returns the e-mail address to sign in with. */
export async function setPassword(
  { database: { db }, input, output }: PasswordParts,
  request: { user: string; email: string | undefined },
): Promise<string> {
  const user = await userStore(db).get(request.user)
  const address = request.email ?? user.email
  if (address === null) throw new Error(`${user.name} has no e-mail address to sign in with: add --email ADDRESS`)
  const email = normalizeEmail(address)
  if (email === undefined) throw new Error(`${address} is not an e-mail address`)
  const password = input.isTTY ? await promptTwice(input, output) : await firstLine(input, 'password')
  const fault = passwordFault(password)
  if (fault) throw new Error(`the password ${fault}`)
  await userPasswords(db).set(user.id, email, await passwordHasher().hash(password))
  await endSessions(db, user.id)
  return email
}

/** Returns the user's name. Also ends all sessions: a lost phone may be in the wrong hands. */
export async function removeSecondFactor({ db }: Database, secrets: KeyRing, userName: string): Promise<string> {
  const user = await userStore(db).get(userName)
  if (!(await secondFactors(db, secrets).remove(user.id))) throw new Error(`${user.name} has no second factor`)
  await endSessions(db, user.id)
  return user.name
}

/** As on a shared database: the platform may be running. */
const endSessions = (db: Db, userId: string): Promise<void> => sessionStore(db, true).endAllOf(userId)

async function promptTwice(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  const first = await promptHidden({ input, output }, 'New password: ', 'password')
  const second = await promptHidden({ input, output }, 'Repeat the password: ', 'password')
  if (first !== second) throw new Error('the passwords do not match')
  return first
}
