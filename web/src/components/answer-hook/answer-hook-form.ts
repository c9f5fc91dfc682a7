// The answer hook form: values from the stored hook, validation, and the request body. Pure.
import type { AnswerHook } from '../../../../client/paths.ts'

export const lookupColumns = [
  'agentColumn',
  'languageColumn',
  'refuseColumn',
  'transferColumn',
  'contextColumn',
] as const
export type LookupColumn = (typeof lookupColumns)[number]

export type HookForm = {
  kind: 'url' | 'spreadsheet'
  url: string
  spreadsheetId: string | null
  column: string | null
  columns: Readonly<Record<LookupColumn, string | null>>
  timeoutMs: number | ''
  isActive: boolean
}

const noColumns = {
  agentColumn: null,
  languageColumn: null,
  refuseColumn: null,
  transferColumn: null,
  contextColumn: null,
}

export const emptyHook: HookForm = {
  kind: 'url',
  url: '',
  spreadsheetId: null,
  column: null,
  columns: noColumns,
  timeoutMs: 2000,
  isActive: true,
}

export function formOfHook({ kind, url, spreadsheet, timeoutMs, isActive }: AnswerHook): HookForm {
  const { spreadsheetId = null, column = null, ...columns } = spreadsheet ?? {}
  return { kind, url: url ?? '', spreadsheetId, column, columns: { ...noColumns, ...columns }, timeoutMs, isActive }
}

export type HookProblem = 'url' | 'spreadsheetId' | 'column' | 'timeoutMs'

export function problemsOf({ kind, url, spreadsheetId, column, timeoutMs }: HookForm): ReadonlySet<HookProblem> {
  const problems = new Set<HookProblem>()
  if (kind === 'url' && !/^https?:\/\/[^\s@/]+(\/\S*)?$/.test(url.trim())) problems.add('url')
  if (kind === 'spreadsheet' && !spreadsheetId) problems.add('spreadsheetId')
  if (kind === 'spreadsheet' && !column) problems.add('column')
  if (timeoutMs === '' || timeoutMs < 500 || timeoutMs > 5000) problems.add('timeoutMs')
  return problems
}

/** Sends only the settings of the chosen kind; those of the other kind stay as stored. */
export function bodyOf({ kind, url, spreadsheetId, column, columns, timeoutMs, isActive }: HookForm) {
  const common = { timeoutMs: timeoutMs === '' ? null : timeoutMs, isActive }
  if (kind === 'url') return { kind, url: url.trim(), ...common }
  return { kind, spreadsheet: { spreadsheetId: spreadsheetId ?? '', column: column ?? '', ...columns }, ...common }
}
