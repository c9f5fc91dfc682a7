// `ramal forget`: erases the calls, conversations, texts, call-back requests and campaign contacts of a phone number. Only counts them without --yes.
import { diskIdOf } from '../base/process/disk-id.ts'
import { createLog } from '../base/process/log.ts'
import { forgetNumber } from '../features/calls/forget-number-store.ts'
import { userStore } from '../features/users/store.ts'
import { type Command, type CommandContext, required } from './command.ts'
import { deleteRecordingsHere } from './users-remove.ts'

export const forget: Command = {
  usage: 'forget NUMBER [--user USER] [--yes]',
  summary:
    'Erase the calls, recordings, conversations, texts, call-back requests and campaign contacts of a phone number; without --yes it only counts them',
  run: forgetForUsers,
}

/** Of one user, or of all. */
async function forgetForUsers({ config, database, subject, options, print }: CommandContext): Promise<void> {
  const phoneNumber = required(subject, 'NUMBER')
  const isConfirmed = options.yes === true
  const users = userStore(database.db)
  const forgetOf = forgetNumber(database.db, diskIdOf(config.dataDir))
  const similar = new Set<string>()
  let removed = 0
  for (const user of options.user ? [await users.get(options.user)] : await users.list()) {
    const found = await forgetOf(user.id, { number: phoneNumber, dryRun: !isConfirmed })
    for (const number of found.similar) similar.add(number)
    const { calls, conversations, texts, callbacks, contacts, suppressions } = found
    const count = calls + conversations + texts + callbacks + contacts + suppressions
    removed += count
    if (count + found.underWay === 0) continue
    const counts = [
      counted(found.calls, 'call'),
      counted(found.recordings, 'recording'),
      counted(found.conversations, 'conversation'),
      counted(found.texts, 'text'),
      counted(found.callbacks, 'call-back request'),
      counted(found.contacts, 'campaign contact'),
    ]
    print(`${user.name}: ${counts.join(', ')} ${isConfirmed ? 'removed' : 'found'}`)
    if (found.suppressions > 0)
      print(
        `${user.name}: suppressed; a keyed hash of the number ${isConfirmed ? 'was' : 'would be'} kept, so that no campaign calls it`,
      )
    if (found.underWay > 0)
      print(`${user.name}: ${found.underWay} still in progress; run this again when they have ended`)
  }
  if (isConfirmed) await deleteRecordingsHere({ database, config, log: createLog('warn', process.stderr), print })
  if (removed === 0) print('no ended call, conversation, text, call-back request or campaign contact has this number')
  if (similar.size > 0) print(`kept: numbers with the same ending: ${[...similar].join(', ')}`)
  if (!isConfirmed && removed > 0) print('nothing was removed: add --yes to remove it; this cannot be undone')
  if (isConfirmed && removed > 0)
    print('backups, logs and data sent to other systems are not affected: see docs/privacy.md')
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
