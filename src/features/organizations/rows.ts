// Memberships for sign-in and API keys: in which organizations a person is, and what each role lets them do.
import { type MemberRole, memberRoles, type Permission, permissionsOf } from '../../base/domain/organization-roles.ts'
import type { Db } from '../../db/database.ts'
import type { MemberRow } from '../../db/people-rows.ts'
import { prepared } from '../../db/prepared.ts'

/** A person's place in an organization. */
export type Membership = Pick<MemberRow, 'organizationId' | 'role' | 'mayListen' | 'mayExport'> & { name: string }
export type MembershipsOf = (personId: string) => Promise<Membership[]>

/** The one that the person joined first comes first. */
export function memberships(db: Db): MembershipsOf {
  const of = prepared<{ personId: string }, Membership>(db, (slot) =>
    db
      .selectFrom('members')
      .innerJoin('organizations', 'organizations.id', 'members.organizationId')
      .select(['members.organizationId', 'members.role', 'members.mayListen', 'members.mayExport'])
      .select('organizations.name as name')
      .where('members.personId', '=', slot('personId'))
      .orderBy('members.createdAt')
      .orderBy('members.organizationId'),
  )
  return (personId) => of({ personId })
}

/** What a grant has of a membership. */
export type Rights = { memberRole: MemberRole | null; may: ReadonlySet<Permission> }

const noRights: Rights = { memberRole: null, may: new Set() }
const known = new Map<string, Rights>()
for (const role of memberRoles)
  for (const mayListen of [0, 1] as const)
    for (const mayExport of [0, 1] as const) {
      const extras = { mayListen: mayListen === 1, mayExport: mayExport === 1 }
      known.set(`${role} ${mayListen} ${mayExport}`, { memberRole: role, may: permissionsOf(role, extras) })
    }

type Place = { [K in 'role' | 'mayListen' | 'mayExport']: Membership[K] | null }

/** Each combination has one object: two grants with equal rights share it, so rights are compared by identity. */
export const rightsOf = (place: Place | undefined): Rights =>
  (place && known.get(`${place.role} ${place.mayListen} ${place.mayExport}`)) ?? noRights
