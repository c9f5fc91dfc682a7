// `ramal campaigns import`: sends a list, waits until it is imported, and prints the report.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import papa from 'papaparse'
import { monotonicMs } from '../base/time/clock.ts'
import type { ContactImport, ImportedRow } from '../features/campaigns/contact-schema.ts'
import { type ApiCommand, type ApiCommandContext, campaignPath, queryOf, required, show } from './command.ts'
import type { Api } from './platform-api.ts'

const POLL_MS = 250
const NOTE_MS = 2000 // progress on standard error

export const campaignImport: ApiCommand = {
  usage: 'campaigns import ID FILE [--phone-column COLUMN] [--rejected FILE]',
  summary:
    'Import a CSV or XLSX list and print the report; --rejected saves the rows that were not accepted, with the reason',
  async runRemote(context) {
    const { api, options, words } = context
    const path = campaignPath(words)
    const file = required(words[1], 'FILE')
    const query = queryOf({ phoneColumn: options['phone-column'] })
    const begun = await api.sendFile<ContactImport>('POST', `${path}/contacts${query}`, file)
    const ended = await whenEnded(context, path, begun)
    const rejectedTo = options.rejected
    if (rejectedTo !== undefined)
      await pipeline(Readable.from(rejectedRows(api, path, ended.id)), createWriteStream(rejectedTo))
    show(context, ended, reportOf(ended, rejectedTo))
    return ended.status === 'completed'
  },
}

/** The import runs in the platform: interrupting the command does not stop it. */
async function whenEnded({ api, note }: ApiCommandContext, path: string, begun: ContactImport): Promise<ContactImport> {
  let current = begun
  let notedMs = monotonicMs()
  while (current.status === 'running') {
    await sleep(POLL_MS)
    current = await api.get<ContactImport>(`${path}/imports/${begun.id}`)
    if (current.status !== 'running' || monotonicMs() - notedMs < NOTE_MS) continue
    notedMs = monotonicMs()
    note(`${current.rows} rows read, ${current.accepted} accepted`)
  }
  return current
}

function reportOf({ rows, accepted, merged, rejected, suppressed, error }: ContactImport, savedTo?: string): string[] {
  return [
    ...(error === null ? [] : [`failed: ${error}`]),
    `rows        ${rows}`,
    `accepted    ${accepted}`,
    `merged      ${merged} (the same number as an accepted row)`,
    `rejected    ${rejected}`,
    `suppressed  ${suppressed}`,
    ...(savedTo === undefined ? [] : [`rows that were not accepted: ${savedTo}`]),
  ]
}

/** Reasons for rejected rows, then those for suppressed ones. */
const words: Readonly<Record<string, string>> = {
  number_empty: 'no telephone number',
  number_invalid: 'not a number of its country',
  number_denied: 'this server may not call it',
  number_not_callable: 'a service number, not a person’s',
  row_too_long: 'the row is too long',
  opt_out: 'asked not to be called',
  wrong_person: 'wrong person',
  manual: 'on your suppression list',
  imported: 'on an imported list',
}

/** CSV lines: the row number in the file, the reason, and the cells. */
async function* rejectedRows(api: Api, path: string, importId: string): AsyncGenerator<string> {
  let columns: string[] | undefined
  for (const result of ['rejected', 'suppressed'] as const)
    for await (const rows of api.pages<ImportedRow>(`${path}/imports/${importId}/rows?result=${result}`)) {
      if (rows.length === 0) continue
      const isFirst = columns === undefined
      columns ??= Object.keys(rows[0]?.cells ?? {})
      const names = columns
      const data = rows.map(({ number, line, reason, cells }) => [
        line ?? number,
        result,
        reason,
        words[reason ?? ''] ?? '',
        ...names.map((name) => cells[name] ?? ''),
      ])
      const fields = ['row', 'result', 'reason', 'words', ...names]
      // The cells are untrusted: a spreadsheet must not evaluate them as formulas.
      yield `${papa.unparse({ fields, data }, { escapeFormulae: true, header: isFirst })}\r\n`
    }
}
