// How many trunks and addresses a user may have. Users who already exceed the limit keep theirs, but cannot add more.
import { appError } from '../../base/errors/errors.ts'
import type { Trx } from '../../db/database.ts'
import { countOwned } from '../../db/owned.ts'
import type { TrunkSettings } from './schema.ts'

const MAX_TRUNKS = 50
/** In `allowedAddresses`, over all trunks. */
const MAX_ADDRESSES = 200

/** Call before a trunk is added. */
export async function checkRoomForTrunk(trx: Trx, userId: string, settings: string): Promise<void> {
  if ((await countOwned(trx, 'trunks', userId)) >= MAX_TRUNKS) throw appError('trunk_limit', { limit: MAX_TRUNKS })
  await checkAddresses(trx, userId, addressesIn(settings))
}

/** Call before a trunk's settings change. */
export async function checkRoomForAddresses(trx: Trx, userId: string, before: string, after: string): Promise<void> {
  await checkAddresses(trx, userId, addressesIn(after) - addressesIn(before))
}

async function checkAddresses(trx: Trx, userId: string, added: number): Promise<void> {
  if (added <= 0) return
  const rows = await trx.selectFrom('trunks').select('settings').where('userId', '=', userId).execute()
  const count = rows.reduce((sum, { settings }) => sum + addressesIn(settings), 0)
  if (count + added > MAX_ADDRESSES) throw appError('trunk_address_limit', { limit: MAX_ADDRESSES })
}

const addressesIn = (settings: string): number =>
  (JSON.parse(settings) as Partial<TrunkSettings>).allowedAddresses?.length ?? 0
