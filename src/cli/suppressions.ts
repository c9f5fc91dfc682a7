// `ramal suppressions …`: the numbers that no campaign calls, and imported do-not-call lists, over the API.
import type {
  Suppression,
  SuppressionImport,
  SuppressionList,
  SuppressionResult,
} from '../features/suppressions/schema.ts'
import { type ApiCommand, columns, moment, queryOf, required, show } from './command.ts'
import type { Api } from './platform-api.ts'

const SUPPRESSED = 2 // exit code

export const suppressionCommands: Record<string, ApiCommand> = {
  'suppressions list': {
    usage: 'suppressions list [--list own|LIST] [--search TEXT] [--reason REASON]',
    summary: 'List suppressed numbers, newest first',
    async runRemote({ api, options, print }) {
      const query = queryOf({ listId: options.list, q: options.search, reason: options.reason })
      if (options.json) return print(JSON.stringify(await api.get<Suppression[]>(`/api/suppressions${query}`)))
      for await (const page of api.pages<Suppression>(`/api/suppressions${query}`))
        for (const suppression of page) print(lineOf(suppression))
    },
  },
  'suppressions lists': {
    usage: 'suppressions lists',
    summary: 'List the imported do-not-call lists: numbers, version and when they take effect',
    async runRemote(context) {
      const lists = await context.api.get<SuppressionList[]>('/api/suppression-lists')
      show(context, lists, lists.map(listLine))
    },
  },
  'suppressions add': {
    usage: 'suppressions add NUMBER [--reason manual|opt_out|wrong_person] [--note TEXT] [--country BR]',
    summary: 'Suppress a number in all campaigns, at once',
    async runRemote(context) {
      const { api, options, words } = context
      const body = { ...numberFrom(words, options.country), reason: options.reason, note: options.note }
      const suppression = await api.post<Suppression>('/api/suppressions', body)
      show(context, suppression, lineOf(suppression))
    },
  },
  'suppressions remove': {
    usage: 'suppressions remove ID|NUMBER [--country BR]',
    summary: 'Allow a number of your own list again',
    async runRemote(context) {
      const { api, options, words } = context
      const id = await idFrom(api, words, options.country)
      const removed = await api.delete<Suppression>(`/api/suppressions/${encodeURIComponent(id)}`)
      show(context, removed, `allowed again: ${removed.phoneNumber ?? removed.id}`)
    },
  },
  'suppressions check': {
    usage: 'suppressions check NUMBER [--country BR]',
    summary: 'Say whether a number is suppressed, and by what (then the exit code is 2)',
    async runRemote(context) {
      const result = await check(context.api, context.words, context.options.country)
      const { isSuppressed, phoneNumber, suppressions } = result
      show(context, result, isSuppressed ? suppressions.map(lineOf) : `${phoneNumber}  not suppressed`)
      return isSuppressed ? SUPPRESSED : undefined
    },
  },
  'suppressions import': {
    usage:
      'suppressions import FILE --list LIST [--country BR]\n' +
      '  ramal suppressions import FILE --name NAME [--sector TEXT] [--effective-at TIME] [--country BR]',
    summary: 'Replace the numbers of a do-not-call list with a CSV or XLSX file, or make a new list of it',
    async runRemote(context) {
      const { api, options, words } = context
      const file = required(words[0], 'FILE')
      const { list, name, sector, country } = options
      const effectiveAt = moment(options['effective-at'], '--effective-at')
      const id = list ?? (await newList(api, { name: required(name, '--list or --name'), sector, effectiveAt }))
      const path = `/api/suppression-lists/${encodeURIComponent(id)}/content${queryOf({ defaultCountry: country })}`
      const imported = await api.sendFile<SuppressionImport>('PUT', path, file)
      const { rows, added, duplicates, rejected } = imported
      const counts = `rows ${rows}  added ${added}  duplicates ${duplicates}  rejected ${rejected}`
      show(context, imported, [listLine(imported.list), counts])
    },
  },
}

const numberFrom = (words: readonly string[], defaultCountry: string | undefined) => ({
  phoneNumber: required(words[0], 'NUMBER'),
  defaultCountry,
})

const check = (api: Api, words: readonly string[], country: string | undefined) =>
  api.post<SuppressionResult>('/api/suppressions/check', numberFrom(words, country))

async function newList(api: Api, list: { name: string; sector?: string; effectiveAt?: string }): Promise<string> {
  return (await api.post<SuppressionList>('/api/suppression-lists', list)).id
}

/** Imported lists are replaced as a whole: only an entry of the user's own list is removed by its number. */
async function idFrom(api: Api, words: readonly string[], country: string | undefined): Promise<string> {
  const subject = required(words[0], 'ID or NUMBER')
  if (subject.startsWith('sup_')) return subject
  const { phoneNumber, suppressions } = await check(api, words, country)
  const own = suppressions.find(({ listId }) => listId === null)
  if (own) return own.id
  throw new Error(
    suppressions.length > 0 ? `${phoneNumber} is only on imported lists` : `${phoneNumber} is not suppressed`,
  )
}

const lineOf = ({ id, phoneNumber, reason, listId, createdAt, note }: Suppression) =>
  columns(id, phoneNumber ?? '(only its hash)', reason, listId ?? 'own', createdAt, note)

const listLine = ({ id, name, entryCount, version, effectiveAt, sector }: SuppressionList) =>
  columns(id, `${entryCount} numbers`, `version ${version}`, `from ${effectiveAt}`, sector, name)
