// The suppressions service: the store that campaigns query, the records and lists of the API, and the sweep of lists.
import { listFiles } from '../../csv-xlsx/list-files.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import { parseNumber } from '../../rule-packs/number.ts'
import type { ServiceContext } from '../service.ts'
import { listContent } from './list-content-store.ts'
import { suppressionImport } from './list-import.ts'
import { suppressionLists } from './list-store.ts'
import { suppressionRecords } from './record-store.ts'
import { type SuppressionParts, suppressionRoutes } from './routes.ts'
import { suppressionStore } from './store.ts'

const SWEEP_MS = 60_000
/** Files read at a time; contact imports have a limit of their own. */
const fewFiles = { atOnce: 2, waiting: 4, waitingEach: 2 }

export function suppressionService({ db, config }: Pick<ServiceContext, 'db' | 'config'>, hashNumber: HashNumber) {
  const stopping = new AbortController()
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
    jobs: [{ name: 'suppression lists', everyMs: SWEEP_MS, task: () => content.sweep(stopping.signal) }],
    stop: () => stopping.abort(),
  }
}
