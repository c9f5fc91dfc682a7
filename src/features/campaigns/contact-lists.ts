// A campaign's contacts, list imports and results.
import { listFiles } from '../../csv-xlsx/list-files.ts'
import { spreadsheetFiles } from '../../csv-xlsx/sheet-files.ts'
import { parsePersonal } from '../../rule-packs/number.ts'
import type { ServiceContext } from '../service.ts'
import { contactImports, type ImportParts } from './contact-import.ts'
import { contactStore } from './contact-store.ts'
import { campaignResults } from './results.ts'

/** Results may be larger than other spreadsheets. */
const resultLimits = { limitMs: 120_000, heapMb: 1024, outsideMb: 512, atOnce: 1 }

export function contactLists(
  { db, log }: ServiceContext,
  parts: Omit<ImportParts, 'parseNumber' | 'readFile' | 'log'>,
) {
  const { imports, jobs, stop } = contactImports(db, {
    ...parts,
    parseNumber: parsePersonal,
    readFile: listFiles(),
    log,
  })
  return {
    contacts: contactStore(db),
    imports,
    results: campaignResults(db, { campaigns: parts.campaigns, files: spreadsheetFiles(resultLimits) }),
    jobs,
    stop,
  }
}
