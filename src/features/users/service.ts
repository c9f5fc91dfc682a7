// The users service: administrators invite, disable and reset users. Disabling takes effect at once, on every channel.

import type { ServiceContext } from '../service.ts'
import { accountStore } from './account-store.ts'
import { invitationStore } from './invitation-store.ts'
import { userRoutes } from './routes.ts'

const HOUR_MS = 3_600_000

export type UserServiceParts = {
  /** Drops the cached keys and sessions of a user in every process. */
  forgetUser: (userId: string) => Promise<void>
  /** Reloads trunks and devices, which leaves out those of a disabled user. */
  refreshPhone: () => Promise<void> | undefined
  endCallsOfUser: (userId: string) => Promise<void>
  stopRehearsalsOf: (userId: string) => Promise<void>
}

export function userService({ db, log }: ServiceContext, parts: UserServiceParts) {
  const { forgetUser, refreshPhone, endCallsOfUser, stopRehearsalsOf } = parts
  const invitations = invitationStore(db)
  /** Trunks first, so that no call can start while the others are being ended. */
  async function endWork(userId: string): Promise<void> {
    await refreshPhone()?.catch((err) => log.warn({ err, userId }, 'failed to reload trunks of a disabled user'))
    await endCallsOfUser(userId)
    await stopRehearsalsOf(userId)
  }
  const accounts = accountStore(db)
  return {
    routes: [userRoutes({ accounts, invitations, forget: forgetUser, endWork, log })],
    jobs: [{ name: 'old invitations', everyMs: HOUR_MS, task: invitations.removeOld }],
  }
}
