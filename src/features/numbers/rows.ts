// Changes to numbers within other features' transactions, and writes shared with the store.
import { appError } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { countryCodeOf } from '../../base/phone-numbers/phone-number.ts'
import { now } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import type { DidRow } from '../../db/tables.ts'
import type { NewDid } from './schema.ts'

/** For a trunk link with a number: creates the DID, or binds the user's existing one to this agent. */
export async function bindNumber(trx: Trx, userId: string, agentId: string, phoneNumber: string): Promise<DidRow> {
  const made = await insertNumber(trx, userId, { phoneNumber, countryCode: countryCodeOf(phoneNumber), agentId })
  if (made) return made
  const bound = await trx
    .updateTable('dids')
    .set({ agentId, rowVersion: increment('rowVersion') })
    .where('userId', '=', userId)
    .where('phoneNumber', '=', phoneNumber)
    .returningAll()
    .executeTakeFirst()
  if (!bound) throw numberTaken(phoneNumber)
  await leaveOtherAgentsLinks(trx, bound)
  return bound
}

export const numberTaken = (phoneNumber: string) => appError('number_taken', { number: phoneNumber })

/** Undefined if the number is taken. */
export function insertNumber(db: Db | Trx, userId: string, did: NewDid): Promise<DidRow | undefined> {
  const { phoneNumber, countryCode } = did
  const row: DidRow = {
    id: newId('did'),
    userId,
    phoneNumber,
    countryCode,
    provider: did.provider ?? 'gateway',
    status: 'active',
    agentId: did.agentId ?? null,
    createdAt: now(),
  }
  return db
    .insertInto('dids')
    .values(row)
    .onConflict((c) => c.column('phoneNumber').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** A number that moved to another agent is removed from the previous agent's trunk links. */
export async function leaveOtherAgentsLinks(trx: Trx, did: DidRow): Promise<void> {
  const others = trx
    .selectFrom('trunkLinks')
    .select('id')
    .where('userId', '=', did.userId)
    .where('agentId', '!=', did.agentId ?? '')
  await trx.deleteFrom('linkNumbers').where('didId', '=', did.id).where('linkId', 'in', others).execute()
}
