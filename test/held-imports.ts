// Imports of a contact list whose second batch arrives when the test releases it.
import pino from 'pino'
import type { Db } from '../src/db/database.ts'
import { contactImports } from '../src/features/campaigns/contact-import.ts'
import { spreadsheetStore } from '../src/features/spreadsheets/store.ts'
import { parsePersonal } from '../src/rule-packs/number.ts'

export function heldImports(db: Db) {
  const rest = Promise.withResolvers<void>()
  const { imports, stop } = contactImports(db, {
    campaigns: {
      row: async (userId) =>
        await db.selectFrom('campaigns').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow(),
    },
    spreadsheets: spreadsheetStore(db),
    async *readFile() {
      yield [
        { line: 1, cells: ['tel'] },
        { line: 2, cells: ['11987654321'] },
      ]
      await rest.promise
      yield [{ line: 3, cells: ['11987654322'] }]
    },
    findSuppressed: async () => new Map(),
    parseNumber: parsePersonal,
    hashNumber: String,
    mayDial: () => true,
    log: pino({ level: 'silent' }),
  })
  const file = { mediaType: 'text/csv', charset: null, bytes: [Buffer.from('read by the function above')] }
  const begin = (userId: string, campaignId: string) => imports.begin(userId, campaignId, file, {})
  return { imports, stop, begin, release: rest.resolve }
}
