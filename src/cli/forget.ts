// `ramal forget NUMBER`: all that was said with a number, for those who ask to be forgotten. Counts first, and removes only when told so.
import { forgetNumber } from '../api/calls/forget-number.ts'
import { userStore } from '../api/users/store.ts'
import { diskIdOf } from '../base/disk-id.ts'
import { deleteRecordingsHere, type RemoveParts } from './users-remove.ts'

/** Of one user, or of all. */
export async function forgetFromCommand(
  parts: RemoveParts,
  asked: { number: string; user: string | undefined; isSure: boolean },
): Promise<void> {
  const { say } = parts
  const { db } = parts.database
  const users = userStore(db)
  const forget = forgetNumber(db, diskIdOf(parts.dataDir))
  const similar = new Set<string>()
  let removed = 0
  for (const user of asked.user ? [await users.get(asked.user)] : await users.list()) {
    const found = await forget(user.id, { number: asked.number, dryRun: !asked.isSure })
    for (const number of found.similar) similar.add(number)
    const count = found.calls + found.conversations + found.texts
    removed += count
    if (count + found.underWay === 0) continue
    const counts = [
      counted(found.calls, 'call'),
      counted(found.recordings, 'recording'),
      counted(found.conversations, 'conversation'),
      counted(found.texts, 'text'),
    ]
    say(`${user.name}: ${counts.join(', ')} ${asked.isSure ? 'removed' : 'found'}`)
    if (found.underWay > 0) say(`${user.name}: ${found.underWay} still under way; run this again when they are over`)
  }
  if (asked.isSure) await deleteRecordingsHere(parts)
  if (removed === 0) say('nothing that is over was found with this number')
  if (similar.size > 0) say(`numbers on file that end alike, and stay: ${[...similar].join(', ')}`)
  if (!asked.isSure && removed > 0) say('nothing was removed: add --yes to remove it; it cannot be undone')
  if (asked.isSure && removed > 0)
    say('backups, logs and what others were sent are not reached by this: see docs/privacy.md')
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
