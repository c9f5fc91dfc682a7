// The organizations service: members with roles, and invitations.
import type { ServiceContext } from '../service.ts'
import { memberInvitations } from './invitation-store.ts'
import { memberStore } from './member-store.ts'
import { organizationRoutes } from './routes.ts'
import { organizationStore } from './store.ts'

export type OrganizationServiceParts = {
  /** Drops a person's cached keys and sessions in every process. */
  forgetUser: (personId: string) => Promise<void>
}

export function organizationService({ db, log }: ServiceContext, { forgetUser }: OrganizationServiceParts) {
  const parts = { organizations: organizationStore(db), members: memberStore(db), invitations: memberInvitations(db) }
  return { routes: [organizationRoutes({ ...parts, forget: forgetUser, log })] }
}
