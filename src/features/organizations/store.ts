// Organizations of a person: listed, created by an administrator of the platform, renamed.
import { type MemberRole, permissionsOf } from '../../base/domain/organization-roles.ts'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { Db } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { MemberRow, OrganizationRow } from '../../db/people-rows.ts'
import { bit } from '../../db/tables.ts'
import type { Organization } from './schema.ts'

export type OrganizationStore = ReturnType<typeof organizationStore>
type Seen = OrganizationRow & Pick<MemberRow, 'role' | 'mayListen' | 'mayExport'>

export function organizationStore(db: Db) {
  const ofPerson = (personId: string) =>
    db
      .selectFrom('organizations')
      .innerJoin('members', 'members.organizationId', 'organizations.id')
      .selectAll('organizations')
      .select(['members.role', 'members.mayListen', 'members.mayExport'])
      .where('members.personId', '=', personId)

  return {
    /** Those among `ids`. */
    async list(personId: string, ids: readonly string[]): Promise<Organization[]> {
      if (ids.length === 0) return []
      const some = ofPerson(personId).where('organizations.id', 'in', ids)
      const rows = await some.orderBy('members.createdAt').orderBy('organizations.id').execute()
      return rows.map(toOrganization)
    },

    async get(personId: string, id: string): Promise<Organization> {
      const row = await ofPerson(personId).where('organizations.id', '=', id).executeTakeFirst()
      return toOrganization(found('Organization', row))
    },

    /** The creator becomes its owner. */
    async create(personId: string, name: string): Promise<string> {
      const [id, createdAt] = [newId('org'), now()]
      await db.inTransaction(async (trx) => {
        // The owner columns of all records refer to users: an organization is a row there in which nobody signs in.
        await trx
          .insertInto('users')
          .values({ id, name, email: null, role: 'member', passwordHash: null, createdAt, isPerson: bit(false) })
          .execute()
        await trx.insertInto('organizations').values({ id, name, createdAt, disabledAt: null }).execute()
        await trx
          .insertInto('members')
          .values(newMember(id, personId, 'owner'))
          .execute()
        await audit(trx, { kind: 'organization', userId: id, id, after: { name } })
      })
      return id
    },

    /** Returns the ids of the members, whose sessions show the name. */
    async rename(id: string, name: string): Promise<string[]> {
      return db.inTransaction(async (trx) => {
        const before = await lockRow(trx, 'organizations', { id })
        await trx.updateTable('organizations').set({ name }).where('id', '=', id).execute()
        await audit(trx, { kind: 'organization', userId: id, id, before, after: { ...before, name } })
        const members = await trx.selectFrom('members').select('personId').where('organizationId', '=', id).execute()
        return members.map(({ personId }) => personId)
      })
    },
  }
}

export const newMember = (organizationId: string, personId: string, role: MemberRole): MemberRow => ({
  organizationId,
  personId,
  role,
  mayListen: bit(false),
  mayExport: bit(false),
  createdAt: now(),
})

const toOrganization = ({ id, name, role, mayListen, mayExport, disabledAt, createdAt }: Seen): Organization => ({
  id,
  name,
  role,
  permissions: [...permissionsOf(role, { mayListen: mayListen === 1, mayExport: mayExport === 1 })],
  isActive: disabledAt === null,
  createdAt,
})
