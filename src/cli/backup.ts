// `ramal backup`, `ramal restore` and `ramal rekey`: the database as a file, and the rotation of the master key.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { restoreBackup, writeBackup } from '../db/backup.ts'
import { requireStopped } from '../db/nodes.ts'
import { checkSecrets, rekey } from '../db/seals.ts'
import { type Command, confirmed, required } from './command.ts'

export const backupCommands: Record<string, Command> = {
  backup: {
    usage: 'backup FILE',
    summary: 'Write a backup, also while the platform runs; secrets stay encrypted, recordings are not included',
    async run({ database, subject, print }) {
      const path = required(subject, 'FILE')
      const rows = await writeBackup(database.db, path)
      print(`${rows} rows written to ${path}; back up DATA_DIR/recordings separately`)
    },
  },
  restore: {
    usage: 'restore FILE --yes',
    summary: 'Replace the whole database by a backup; refused while the platform runs',
    async run({ config, database, subject, options, secrets, print }) {
      const path = required(subject, 'FILE')
      confirmed(options, 'this replaces everything in the database')
      await requireStopped(database.db)
      const rows = await restoreBackup(database.db, path, (trx) => checkSecrets(trx, secrets()))
      print(`${rows} rows restored from ${path}`)
      rmSync(join(config.dataDir, 'database-id'), { force: true }) // the recordings here may belong to another database
    },
  },
  rekey: {
    usage: 'rekey',
    summary: 'Encrypt all secrets anew with the first key of MASTER_KEY',
    async run({ database, secrets, print }) {
      await checkSecrets(database.db, secrets())
      print(`${await rekey(database.db, secrets())} secrets re-encrypted; the older master keys are no longer needed`)
    },
  },
}
