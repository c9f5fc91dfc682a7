// Suppressions as a whole: the store that campaigns ask, the records and lists of the API, and the sweep of lists.
import { listContent } from '../../api/suppressions/list-content.ts'
import { suppressionLists } from '../../api/suppressions/lists.ts'
import { suppressionRecords } from '../../api/suppressions/records.ts'
import { type SuppressionParts, suppressionRoutes } from '../../api/suppressions/routes.ts'
import { suppressionStore } from '../../api/suppressions/store.ts'
import { parseNumber } from '../../calling-rules/number.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import { listFiles } from '../../tables/list-files.ts'
import type { ServiceContext } from '../service.ts'
import { suppressionImport } from './suppression-import.ts'

const SWEEP_MS = 60_000
/** Files read at a time; contacts have a limit of their own. */
const fewFiles = { atOnce: 2, waiting: 4, waitingEach: 2 }

export function suppressionService(
  { db, config }: Pick<ServiceContext, 'db' | 'config'>,
  { hashNumber, signal }: { hashNumber: HashNumber; signal: AbortSignal },
) {
  const store = suppressionStore(db, hashNumber)
  const content = listContent(db)
  const importFile = suppressionImport({ content, rowsOf: listFiles(fewFiles), parseNumber, hashNumber })
  const parts: SuppressionParts = {
    maxListBytes: config.maxListBytes,
    suppressions: suppressionRecords(db, { store, hashNumber, parseNumber }),
    lists: {
      ...suppressionLists(db),
      replace: (userId, listId, file, country) => importFile({ userId, listId, file, country }),
    },
  }
  return {
    store,
    routes: [suppressionRoutes(parts)],
    jobs: [{ name: 'suppression lists', everyMs: SWEEP_MS, task: () => content.sweep(signal) }],
  }
}
