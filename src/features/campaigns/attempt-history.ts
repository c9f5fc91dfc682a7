// Past attempts to the numbers of a batch of contacts, across all campaigns of the user: the input for frequency,
// spacing and "call in progress" rules.
import { toIso } from '../../base/time/clock.ts'
import type { Trx } from '../../db/database.ts'

export type PastAttempt = { contactId: string; atMs: number; isOpen: boolean }

/** The longest span that a frequency rule looks back, plus a day. */
const HISTORY_MS = 32 * 86_400_000
/** Limit of one read for the whole batch. */
const MAX_ATTEMPTS = 5000
/** The highest count that a frequency rule can name. */
const MAX_OF_NUMBER = 1000

type Asked = { userId: string; hashes: readonly string[]; atMs: number }

/**
 * Attempts per number, oldest first. If a batch has too many, each number is read separately, so that none misses its
 * newest attempts.
 */
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
