// The attempts that were made to the numbers of a batch of contacts, in all campaigns of the user: what frequency, spacing and "a call is in
// progress" are decided by.
import { toIso } from '../../base/time/clock.ts'
import type { Trx } from '../../db/database.ts'

export type PastAttempt = { contactId: string; atMs: number; isOpen: boolean }

/** The longest that a frequency rule looks back, and a day. */
const HISTORY_MS = 32 * 86_400_000
/** Read for a batch in one go. */
const MAX_ATTEMPTS = 5000
/** The most attempts that a frequency rule can count. */
const MAX_OF_NUMBER = 1000

type Asked = { userId: string; hashes: readonly string[]; atMs: number }

/** Attempts to a number, oldest first. Where a batch has too many, each number is read for itself, so that none lacks its newest. */
export async function attemptHistory(
  trx: Trx,
  asked: Asked,
): Promise<(hash: string) => Promise<readonly PastAttempt[]>> {
  const rows = await newestOf(trx, asked, MAX_ATTEMPTS)
  if (rows.length === MAX_ATTEMPTS)
    return async (hash) => (await newestOf(trx, { ...asked, hashes: [hash] }, MAX_OF_NUMBER)).reverse()
  const byHash = Map.groupBy(rows.reverse(), ({ numberHash }) => numberHash)
  return async (hash) => byHash.get(hash) ?? []
}

/** Withdrawn attempts were never sent. */
async function newestOf(trx: Trx, { userId, hashes, atMs }: Asked, limit: number) {
  const rows = await trx
    .selectFrom('campaignAttempts')
    .select(['numberHash', 'contactId', 'status', 'createdAt', 'dialedAt'])
    .where('userId', '=', userId)
    .where('numberHash', 'in', hashes)
    .where('createdAt', '>', toIso(atMs - HISTORY_MS))
    .where('status', '!=', 'withdrawn')
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ numberHash, contactId, status, createdAt, dialedAt }) => ({
    numberHash,
    contactId,
    atMs: Date.parse(dialedAt ?? createdAt),
    isOpen: status === 'claimed' || status === 'dialing',
  }))
}
