// What a campaign calls and what came of it: contacts, imports of lists and results.
import { contactStore } from '../../api/campaigns/contact-store.ts'
import { parsePersonal } from '../../calling-rules/number.ts'
import { listFiles } from '../../tables/list-files.ts'
import { spreadsheetFiles } from '../../tables/sheet-files.ts'
import type { ServiceContext } from '../service.ts'
import { contactImports, type ImportParts } from './contact-import.ts'
import { campaignResults } from './results.ts'

/** Results are longer than spreadsheets. */
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
