// Tool type spreadsheet: appends, finds and updates rows in a Ramal spreadsheet or a Google sheet.
import { createHash } from 'node:crypto'
import { AppError } from '../../base/errors/errors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { HttpTools } from '../api-request.ts'
import { declaredNames, takesOthers } from '../declared-names.ts'
import { authorizationProblem } from '../http/authorization.ts'
import { scopedTo } from '../http/google-auth.ts'
import type { Json, Outcome, Run, ToolFunction, ToolRecord, ToolType } from '../ports.ts'
import { ProviderError, providerOutcome } from '../provider-error.ts'
import {
  appendRow,
  columnFields,
  findRow,
  type SheetSettings,
  searchedColumns,
  updateRow,
  visibleColumns,
} from './actions.ts'
import { GOOGLE_SHEETS_SCOPE, GOOGLE_SHEETS_URL, googleSheet, googleSheetsClient } from './google-sheets.ts'
import type { OwnSheets, Sheet } from './spreadsheet-provider.ts'

type SheetConfig = {
  provider?: string | null
  operation?: string | null
  spreadsheetId?: string | null
  range?: string | null
  columns?: string[] | null
  keyColumn?: string | null
  searchColumns?: string[] | null
  maxResults?: number | null
  idColumn?: string | null
}

export type SpreadsheetParts = HttpTools & { sheets?: OwnSheets; googleUrl?: string; timeoutMs?: number }

const TIMEOUT_MS = 15_000
/** Timeout for reading the columns before the functions are offered. */
const COLUMNS_TIMEOUT_MS = 3000
/** How long the columns are cached. */
const FRESH_MS = 30_000
const MAX_RESULTS = 5
/** A function name has at most 64 characters; the rest is for the operation suffix. */
const MAX_NAME = 48

type Operation = {
  words: string
  hasEffect: boolean
  parameters(tool: ToolRecord, columns: readonly string[] | null): Json
  act(sheet: Sheet, settings: SheetSettings, run: Run): Promise<Outcome>
}

const operations: Readonly<Record<string, Operation>> = {
  append_row: {
    words: 'Adds a row to the spreadsheet.',
    hasEffect: true,
    parameters: (tool, columns) => tool.parameters ?? columnFields(columns),
    act: appendRow,
  },
  find_row: {
    words: 'Finds rows of the spreadsheet by a value, or a part of one.',
    hasEffect: false,
    parameters: (tool, columns) => ({
      type: 'object',
      properties: {
        value: { type: 'string', description: 'What to look for', minLength: 1, maxLength: 500 },
        column: {
          type: 'string',
          description: 'The column to look in; left out: all',
          ...enumOf(tool, columns),
        },
      },
      required: ['value'],
    }),
    act: findRow,
  },
  update_row: {
    words: 'Changes one row of the spreadsheet. Say back to the caller what is to be changed before.',
    hasEffect: true,
    parameters: (tool, columns) => ({
      type: 'object',
      properties: {
        row: { type: 'integer', description: 'The number of the row, as it was found', minimum: 1 },
        key: { type: 'string', description: keyWords(tool, columns), maxLength: 500 },
        values: { ...columnFields(columns), description: 'What is to be changed' },
      },
      required: (tool.config as SheetConfig).keyColumn ? ['key', 'values'] : ['values'],
    }),
    act: updateRow,
  },
}

const keyWords = (tool: ToolRecord, columns: readonly string[] | null): string => {
  const { keyColumn } = tool.config as SheetConfig
  if (keyColumn) return `Which row: its value in the column ${keyColumn}; with row, where several have it`
  return `Which row: its value in the column ${columns?.[0] ?? 'that names it'}; instead of row`
}

/** The searchable columns; omitted if one of them does not exist. */
function enumOf(tool: ToolRecord, columns: readonly string[] | null): { enum?: string[] } {
  try {
    return columns ? { enum: searchedColumns(columns, settingsOf(tool)) } : {}
  } catch (error) {
    if (error instanceof ProviderError) return {}
    throw error
  }
}

export function spreadsheet({ sheets, googleUrl, timeoutMs = TIMEOUT_MS, ...tools }: SpreadsheetParts): ToolType {
  const known = new LruCache<string, { columns: string[]; atMs: number }>(1000)

  function open(tool: ToolRecord, signal: AbortSignal, withinMs: number): Sheet {
    const { spreadsheetId, range, idColumn } = tool.config as SheetConfig
    const id = spreadsheetId ?? ''
    if (!isGoogle(tool)) return ownSheet(sheets as OwnSheets, tool.userId, id)
    const ask = googleSheetsClient(tools, scopedTo(tool, GOOGLE_SHEETS_SCOPE), withinMs, signal)
    const baseUrl = tool.requestUrl ?? googleUrl ?? GOOGLE_SHEETS_URL
    return googleSheet(ask, { baseUrl, spreadsheetId: id, range: range || null, idColumn: idColumn || null })
  }

  /** Null: not known yet. */
  const columnsOf = (tool: ToolRecord): string[] | null => {
    const there = known.get(keyOf(tool))?.columns ?? (tool.config as SheetConfig).columns
    if (!there) return null
    const columns = visibleColumns(there, settingsOf(tool))
    return columns.length > 0 ? columns : null
  }

  const offerOf = (tool: ToolRecord, name: string, operation: Operation, isOnly: boolean): ToolFunction => {
    const columns = columnsOf(tool)
    return {
      name: isOnly ? tool.name : `${tool.name.slice(0, MAX_NAME)}__${name}`,
      description: [tool.description, operation.words, columns ? `Its columns: ${columns.join(', ')}.` : '']
        .filter(Boolean)
        .join(' '),
      parameters: operation.parameters(tool, columns),
      keepsUndeclared: true,
      hasEffect: operation.hasEffect,
      isRepeatable: name !== 'append_row' || !isGoogle(tool) || Boolean((tool.config as SheetConfig).idColumn),
      timeoutMs,
      run: (run, signal) => told(() => operation.act(open(tool, signal, timeoutMs), settingsOf(tool), run)),
    }
  }

  const problem = (tool: ToolRecord): string | null => {
    const { provider, operation, spreadsheetId } = tool.config as SheetConfig
    if (provider && provider !== 'ramal' && provider !== 'google') return 'config.provider must be ramal or google'
    if (operation && !Object.hasOwn(operations, operation)) return 'config.operation is not one that there is'
    if (!spreadsheetId) return 'config.spreadsheetId is missing'
    if (!isGoogle(tool)) return sheets ? null : 'there are no spreadsheets of our own here'
    if (tool.requestUrl && /[{}]/.test(tool.requestUrl)) return 'requestUrl of a spreadsheet takes no values'
    return tool.authorization ? authorizationProblem(tool.authorization) : 'authorization is missing'
  }

  return {
    problem,

    /** Reads the columns; an error is reported when the tool is used. */
    async ready(tool) {
      const key = keyOf(tool)
      const before = known.get(key)
      if (problem(tool) !== null || (before && monotonicMs() - before.atMs < FRESH_MS)) return
      const columns = await open(tool, AbortSignal.timeout(COLUMNS_TIMEOUT_MS), COLUMNS_TIMEOUT_MS)
        .columns()
        .catch(() => before?.columns)
      if (columns) known.set(key, { columns, atMs: monotonicMs() })
    },

    functions(tool) {
      if (problem(tool) !== null) return []
      const { operation: only } = tool.config as SheetConfig
      return Object.entries(operations)
        .filter(([name]) => !only || name === only)
        .map(([name, operation]) => offerOf(tool, name, operation, Boolean(only)))
    },
  }
}

const isGoogle = ({ config }: ToolRecord) => (config as SheetConfig).provider === 'google'

const keyOf = ({ userId, id, requestUrl, config }: ToolRecord): string => {
  const { provider, spreadsheetId, range } = config as SheetConfig
  const settings = [userId, id, requestUrl, provider, spreadsheetId, range]
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64')
}

function settingsOf({ config, parameters }: ToolRecord): SheetSettings {
  const { columns, keyColumn, searchColumns, maxResults } = config as SheetConfig
  const named = (names: string[] | null | undefined) => (names && names.length > 0 ? names : null)
  return {
    columns: named(columns),
    fields: parameters === null || takesOthers(parameters) ? null : declaredNames(parameters),
    keyColumn: keyColumn || null,
    searchColumns: named(searchColumns),
    maxResults: maxResults ?? MAX_RESULTS,
  }
}

const ownSheet = (sheets: OwnSheets, userId: string, id: string): Sheet => ({
  columns: () => sheets.columnsOf(userId, id),
  append: (values, runId) => sheets.addRow(userId, id, values, runId),
  find: (search) => sheets.findRows(userId, id, search),
  update: (number, values, runId) => sheets.changeRow(userId, id, { number }, values, runId),
  changedBy: (runId) => sheets.rowChangedBy(userId, id, runId),
})

/** Our own store throws AppErrors. */
async function told(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await providerOutcome(work)
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error: error.message }
    throw error
  }
}
