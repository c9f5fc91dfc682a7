// Audit rows for other features: what concerns a person, such as a sign-in, is in the log of each of their
// organizations.
import { type Actor, currentActor } from '../../base/actor.ts'
import { audit, type Change } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'

const MAX_ORGANIZATIONS = 100

export async function auditPerson(
  on: Db | Trx,
  personId: string,
  change: Omit<Change, 'userId'>,
  actor: Actor | undefined = currentActor(),
): Promise<void> {
  if (!actor) return
  const own = on.selectFrom('members').select('organizationId').where('personId', '=', personId)
  const rows = await own.orderBy('createdAt').orderBy('organizationId').limit(MAX_ORGANIZATIONS).execute()
  for (const { organizationId } of rows) await audit(on, { ...change, userId: organizationId }, actor)
}
