// Contact imports: the header of a list is read before the request is answered, the rest in the background, in batches.
import { setImmediate as breathe } from 'node:timers/promises'
import { AppError, appError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { variableNameOf } from '../../base/text/variable-names.ts'
import type { SheetFile } from '../../csv-xlsx/sheet-files.ts'
import type { Db } from '../../db/database.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import type { parsePersonal } from '../../rule-packs/number.ts'
import type { Job } from '../service.ts'
import type { ContactParts } from './contact-routes.ts'
import type { ImportQuery, NewContacts } from './contact-schema.ts'
import { type FindSuppressed, MAX_VARIABLES_BYTES, type ReadRow, storeBatch } from './import-batch-store.ts'
import { importStore, type OpenImport } from './import-store.ts'
import { columnNames, phonePlace } from './list-columns.ts'
import { type ListSource, MAX_CELL, type SourceParts, type SourceRow, sourceOf } from './list-source.ts'
import type { CampaignStore } from './store.ts'

type ParseNumber = typeof parsePersonal

export type ImportParts = SourceParts & {
  campaigns: Pick<CampaignStore, 'row'>
  findSuppressed: FindSuppressed
  /** For people's numbers; a service number is rejected as `number_not_callable`. */
  parseNumber: ParseNumber
  hashNumber: HashNumber
  /** The platform's dial policy. */
  mayDial(number: string): boolean
  log: Log
  /** Called after an import, because new contacts may be due. */
  onImported?(campaignId: string): void
}

const EXPIRY_MS = 15_000
/** Maximum characters in all cells of a row. */
const MAX_ROW_LENGTH = 10_000
/** Rows parsed at a time; each takes about 20 µs. */
const ROWS_AT_ONCE = 50
const STOPPED =
  'The server was stopped before the list was read to its end. Rows that were stored are kept: import the list again, duplicates are merged'
const UNEXPECTED =
  'An internal error stopped this import. Rows that were stored are kept: import the list again, duplicates are merged'

type Imports = ContactParts['imports']

export function contactImports(db: Db, parts: ImportParts) {
  const store = importStore(db)
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  async function readAll(open: OpenImport, phone: number, list: AsyncIterable<SourceRow[]>): Promise<void> {
    const columns: string[] = JSON.parse(open.campaign.columns)
    const names = columns.map(variableNameOf)
    for await (const batch of list) {
      if (stopping.signal.aborted) throw new Stopped()
      const rows = await readRows(batch, { open, names, phone, parts })
      if (rows.length > 0 && !(await storeBatch(db, parts.findSuppressed, { ...open, rows }))) return
      await breathe()
    }
  }

  async function work(open: OpenImport, phone: number, list: AsyncIterable<SourceRow[]>): Promise<void> {
    const error = await readAll(open, phone, list).then(
      () => null,
      (reason) => messageOf(reason, parts.log),
    )
    await store.finish(open.row, error)
    parts.onImported?.(open.row.campaignId)
  }

  const begin: Imports['begin'] = async (userId, campaignId, list, query) => {
    const campaign = await parts.campaigns.row(userId, campaignId)
    await store.requireOpen(campaign)
    if (list === undefined || list === null) throw appError('body_missing')
    const source = await sourceOf(parts, userId, list)
    try {
      const head = await source.next()
      const [names, ...first] = head.value ?? []
      if (!names) throw appError('sheet_file_empty')
      const isNumber = (text: string) => {
        const parsed = parts.parseNumber(text, campaign.defaultCountry)
        return 'number' in parsed || parsed.problem === 'number_not_callable'
      }
      const columns = columnNames(names.cells, isNumber)
      const rows: SourceRow[] = first.length > 0 ? first : ((await source.next()).value ?? [])
      if (rows.length === 0) throw appError('campaign_list_empty')
      const asked = phoneColumnOf(list, query)
      const texts = rows.map(({ cells }) => cells)
      const phone = await phonePlace({ columns, rows: texts, asked, usual: campaign.phoneColumn, isNumber })
      if (stopping.signal.aborted) throw appError('service_stopping', {}, { headers: { 'retry-after': '10' } })
      const open = await store.open(userId, campaignId, { columns, phoneColumn: columns[phone] as string })
      const task = work(open, phone, goingOn(rows, source)).catch(
        (err) => parts.log.error({ err }, 'campaign import not finished'), // its lease will expire
      )
      running.add(task)
      void task.then(() => running.delete(task))
      return store.get(userId, campaignId, open.row.id)
    } catch (error) {
      await source.return(undefined)
      throw error
    }
  }

  const expiry: Job = { name: 'expired imports', everyMs: EXPIRY_MS, task: store.expire }
  return {
    imports: {
      begin,
      list: async (userId, campaignId) => {
        await parts.campaigns.row(userId, campaignId)
        return store.list(userId, campaignId)
      },
      get: store.get,
      rows: (userId, campaignId, importId, query, page) => store.rows({ userId, campaignId, importId }, query, page),
    } satisfies Imports,
    jobs: [expiry],
    /** Ends the imports of this process; each is marked as interrupted. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

class Stopped extends Error {}

function messageOf(error: unknown, log: Log): string {
  if (error instanceof Stopped) return STOPPED
  if (error instanceof AppError) return error.message
  log.error({ err: error }, 'campaign import failed')
  return UNEXPECTED
}

const phoneColumnOf = (list: SheetFile | NewContacts, query: ImportQuery): string | null =>
  query.phoneColumn ?? ('bytes' in list ? null : (list.phoneColumn ?? null))

async function* goingOn(first: SourceRow[], source: ListSource): ListSource {
  try {
    yield first
    yield* source
  } finally {
    await source.return(undefined)
  }
}

/** `names`: the campaign variable for each column. */
type Reading = { open: OpenImport; names: readonly (string | null)[]; phone: number; parts: ImportParts }

async function readRows(batch: readonly SourceRow[], reading: Reading): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  for (const [i, row] of batch.entries()) {
    if (row.cells.every((text) => text.trim() === '')) continue
    rows.push(readRow(row, reading))
    if (i % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await breathe()
  }
  return rows
}

function readRow(
  { line, cells: texts }: SourceRow,
  { open: { campaign, places }, names, phone, parts }: Reading,
): ReadRow {
  const cells: string[] = []
  let length = 0
  for (const [i, place] of places.entries()) {
    const text = plain(texts[i] ?? '')
    length += text.length
    cells[place] = text.slice(0, Math.max(0, MAX_CELL - Math.max(0, length - MAX_ROW_LENGTH)))
  }
  const whole = Array.from(cells, (text) => text ?? '')
  const variables = variablesOf(names, whole)
  const row = { line, cells: whole, variables }
  const isTooLong =
    length > MAX_ROW_LENGTH ||
    texts.some((text, i) => text.length > MAX_CELL || (i >= places.length && text.trim() !== '')) ||
    Buffer.byteLength(JSON.stringify(variables)) > MAX_VARIABLES_BYTES
  if (isTooLong) return { ...row, rejected: 'row_too_long' }
  const parsed = parts.parseNumber(whole[places[phone] ?? 0] ?? '', campaign.defaultCountry)
  if ('problem' in parsed) return { ...row, rejected: parsed.problem }
  if (!parts.mayDial(parsed.number)) return { ...row, rejected: 'number_denied' }
  return { ...row, number: parsed.number, hash: parts.hashNumber(parsed.number) }
}

/** Removes characters that databases or voices cannot handle. */
const plain = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim()

/** Empty cells set no variable, so the agent's defaults apply. */
function variablesOf(names: readonly (string | null)[], cells: readonly string[]): Record<string, string> {
  const variables = new Map<string, string>()
  for (const [i, text] of cells.entries()) {
    const name = names[i] ?? null
    if (text !== '' && name !== null && !variables.has(name)) variables.set(name, text)
  }
  return Object.fromEntries(variables)
}
