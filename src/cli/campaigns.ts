// `ramal campaigns …`: creates, starts and stops campaigns, imports their lists and downloads their results, over the API.
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Agent } from '../features/agents/schema.ts'
import type { Attempt, Contact, Preview, Progress } from '../features/campaigns/contact-schema.ts'
import type { Campaign, SavedCampaign } from '../features/campaigns/schema.ts'
import { campaignImport } from './campaigns-import.ts'
import {
  type ApiCommand,
  campaignPath,
  columns,
  confirmed,
  moment,
  type Options,
  queryOf,
  required,
  show,
  UsageError,
} from './command.ts'
import { type Api, chooseAgent } from './platform-api.ts'

const NO = 2 // exit code

export const campaignCommands: Record<string, ApiCommand> = {
  'campaigns list': {
    usage: 'campaigns list [--status STATUS]',
    summary: 'List campaigns with the number of contacts called',
    async runRemote(context) {
      const { api, options } = context
      const campaigns = await api.get<Campaign[]>(`/api/campaigns${queryOf({ status: options.status })}`)
      const lines = campaigns.map(({ id, status, statusReason, contacts, name }) =>
        columns(id, status + (statusReason ? ` (${statusReason})` : ''), doneOf(contacts), name),
      )
      show(context, campaigns, lines)
    },
  },
  'campaigns show': {
    usage: 'campaigns show ID',
    summary: 'Show a campaign: its state and why, its contacts by status and its attempts by outcome',
    async runRemote(context) {
      const path = campaignPath(context.words)
      const campaign = await context.api.get<Campaign>(path)
      const progress = await context.api.get<Progress>(`${path}/progress`)
      show(context, { ...campaign, progress }, detailsOf(campaign, progress))
    },
  },
  'campaigns create': {
    usage:
      'campaigns create --name NAME --agent AGENT [--trunk ID | --device ID] [--caller-id NUMBER] [--rules ID] [--country BR]\n' +
      '      [--start-at TIME] [--end-at TIME] [--max-concurrent N] [--per-second N] [--settings FILE]',
    summary:
      'Create a draft; --settings is a JSON file with fields of the API, such as retries, schedule.windows or predial',
    async runRemote(context) {
      const { api, options, note } = context
      const campaign = await api.post<SavedCampaign>('/api/campaigns', await newCampaign(api, options))
      show(context, campaign, lineOf(campaign))
      if (campaign.predialSecret && !options.json)
        note(`secret of the pre-dial webhook, shown only now: ${campaign.predialSecret}`)
    },
  },
  'campaigns import': campaignImport,
  'campaigns preview': {
    usage: 'campaigns preview ID',
    summary: 'Dry run: who would be called when, and what keeps it from starting (then the exit code is 2)',
    async runRemote(context) {
      const preview = await context.api.post<Preview>(`${campaignPath(context.words)}/preview`, {})
      show(context, preview, previewLines(preview))
      return preview.canStart ? undefined : NO
    },
  },
  'campaigns start': action('start', 'Start a campaign, or schedule it'),
  'campaigns pause': action('pause', 'Pause a campaign; calls in progress go on'),
  'campaigns resume': action('resume', 'Resume a paused campaign'),
  'campaigns cancel': action('cancel', 'Cancel a campaign for good; calls in progress go on'),
  'campaigns results': {
    usage: 'campaigns results ID [--format csv|xlsx] [-o FILE]',
    summary: 'Download the results beside each imported row; without -o to standard output',
    async runRemote({ api, options, words, note }) {
      const format = options.format ?? (options.output?.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv')
      if (format !== 'csv' && format !== 'xlsx') throw new UsageError('--format is csv or xlsx')
      const body = Readable.from(api.download(`${campaignPath(words)}/results?format=${format}`))
      if (options.output === undefined) return pipeline(body, process.stdout, { end: false })
      await pipeline(body, createWriteStream(options.output))
      note(`saved ${options.output}`)
    },
  },
  'campaigns doubts': {
    usage: 'campaigns doubts ID',
    summary: 'List the contacts in doubt: it is not known whether their last attempt rang',
    async runRemote(context) {
      const { api } = context
      const path = campaignPath(context.words)
      const contacts = await api.get<Contact[]>(`${path}/contacts?status=in_doubt`)
      const attempts = await api.get<Attempt[]>(`${path}/attempts?status=in_doubt`)
      const doubts = contacts.map((contact) => ({
        ...contact,
        attempt: attempts.find(({ contactId }) => contactId === contact.id) ?? null, // the newest
      }))
      const lines = doubts.map(({ id, phoneNumber, attempt }) =>
        columns(id, phoneNumber || '-', attempt?.dialedAt ?? '-', attempt?.callId ?? '-', attempt?.detail),
      )
      show(context, doubts, lines)
    },
  },
  'campaigns resolve': {
    usage: 'campaigns resolve ID CONTACT completed|retry|give_up',
    summary: 'Say what became of a contact in doubt: reached, call again by the rules, or no further attempt',
    async runRemote(context) {
      const { api, words } = context
      const contactId = encodeURIComponent(required(words[1], 'CONTACT'))
      const resolution = required(words[2], 'completed, retry or give_up')
      const contact = await api.post<Contact>(`${campaignPath(words)}/contacts/${contactId}/resolve`, { resolution })
      show(context, contact, `${contact.id}  ${contact.phoneNumber}  ${contact.status}`)
    },
  },
}

function action(name: 'start' | 'pause' | 'resume' | 'cancel', summary: string): ApiCommand {
  return {
    usage: `campaigns ${name} ID${name === 'cancel' ? ' --yes' : ''}`,
    summary,
    async runRemote(context) {
      const path = campaignPath(context.words)
      if (name === 'cancel') confirmed(context.options, 'a canceled campaign cannot be resumed')
      const campaign = await context.api.post<Campaign>(`${path}/${name}`, {})
      show(context, campaign, lineOf(campaign))
    },
  }
}

const lineOf = ({ id, status, name }: Campaign) => columns(id, status, name)

/** Options override the fields of the settings file. */
async function newCampaign(api: Api, options: Options): Promise<Record<string, unknown>> {
  const name = required(options.name, '--name')
  const agent = chooseAgent(await api.get<Agent[]>('/api/agents'), required(options.agent, '--agent'))
  const settings = options.settings === undefined ? {} : await readSettings(options.settings)
  const { 'start-at': startAt, 'end-at': endAt, 'max-concurrent': concurrent, 'per-second': perSecond } = options
  const schedule = defined({ startAt: moment(startAt, '--start-at'), endAt: moment(endAt, '--end-at') })
  const pacing = defined({
    maxConcurrentCalls: numberOf(concurrent, '--max-concurrent'),
    callsPerSecond: numberOf(perSecond, '--per-second'),
  })
  const given = defined({
    trunkId: options.trunk,
    deviceId: options.device,
    callerId: options['caller-id'],
    defaultCountry: options.country,
    rulesId: options.rules,
    schedule: isEmpty(schedule) ? undefined : { ...(settings.schedule as object | undefined), ...schedule },
    // The API requires both fields; 5 and 1 are its defaults.
    pacing: isEmpty(pacing)
      ? undefined
      : { maxConcurrentCalls: 5, callsPerSecond: 1, ...(settings.pacing as object | undefined), ...pacing },
  })
  return { ...settings, name, agentId: agent.id, ...given }
}

async function readSettings(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => Promise.reject(new Error(`cannot read ${file}`)))
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {}
  throw new Error(`${file} is not a JSON object`)
}

const isEmpty = (value: object) => Object.keys(value).length === 0
const defined = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function numberOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`${name} must be a number`)
  return value
}

const doneOf = ({ total, waiting, calling }: Campaign['contacts']) => `${total - waiting - calling} of ${total} done`

function detailsOf(campaign: Campaign, progress: Progress): string[] {
  const { id, name, status, statusReason, statusDetail, contacts, schedule, pacing, rulesId } = campaign
  const why = statusReason ? `: ${statusReason}${statusDetail ? `, ${statusDetail}` : ''}` : ''
  const identity = campaign.trunkId ?? campaign.deviceId ?? 'of the agent'
  return [
    `${id}  ${name}`,
    `status      ${status}${why}`,
    `agent       ${campaign.agentId ?? '-'}`,
    `calls by    ${identity}${campaign.callerId ? ` as ${campaign.callerId}` : ''}`,
    `rules       ${rulesId}`,
    `schedule    ${schedule.startAt ?? 'when started'} to ${schedule.endAt ?? 'the last contact'}`,
    `pacing      ${pacing.maxConcurrentCalls} at once, ${pacing.callsPerSecond} each second`,
    `contacts    ${doneOf(contacts)}; ${countsOf(contacts)}`,
    `attempts    ${countsOf(progress.outcomes as Record<string, number>) || 'none'}`,
    `answered    ${percent(progress.answerRate)}; short calls ${percent(progress.shortCallShare)}`,
    `live calls  ${progress.liveCalls}`,
  ]
}

const percent = (share: number | null) => (share === null ? '-' : `${Math.round(share * 100)} %`)

const countsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .filter(([name, count]) => name !== 'total' && count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')

function previewLines(preview: Preview): string[] {
  const { total, callableNow, later, suppressed, never, rejected, firstAt, estimatedEndAt, usage } = preview
  const share = usage.threshold === null ? '' : ` of ${usage.threshold}`
  return [
    ...preview.problems.map(({ field, message }) => `problem     ${field}: ${message}`),
    `contacts    ${total}: ${callableNow} now, ${later} later, ${suppressed} suppressed, ${never} never`,
    `rejected    ${rejected} rows of the lists`,
    `first       ${firstAt ?? '-'}`,
    `estimated   ${estimatedEndAt ?? '-'} (end, without retries)`,
    `this month  ${usage.attempts}${share} attempts of this caller`,
    ...preview.sample.map(({ phoneNumber, result, at, decision, greeting }) =>
      columns(phoneNumber, result, at ?? neverReason(decision), greeting),
    ),
    preview.canStart ? 'It can start.' : 'It cannot start.',
  ]
}

const neverReason = ({ never, reason }: Preview['sample'][number]['decision']) => String(never ?? reason ?? '-')
