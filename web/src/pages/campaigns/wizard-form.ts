// The wizard's form: fields from a campaign, the request body, and validation. Pure.
import type { Campaign } from '../../../../client/paths.ts'
import { isOrdered, type Window } from './window-words.ts'

export const steps = ['list', 'columns', 'agent', 'rules', 'preview'] as const
export type Step = (typeof steps)[number]

export type Route = 'agent' | 'trunk' | 'device'
export type WizardForm = {
  name: string
  agentId: string | null
  route: Route
  trunkId: string | null
  deviceId: string | null
  /** In E.164, or empty. */
  callerId: string
  defaultCountry: string
  /** ISO 8601, or empty. */
  startAt: string
  endAt: string
  windows: Window[] | null
  rulesId: string
  pacing: Campaign['pacing']
  retries: Campaign['retries']
  disclosure: { isOn: boolean; text: string }
  predialUrl: string
}

export const defaultPacing: Campaign['pacing'] = { maxConcurrentCalls: 5, callsPerSecond: 1 }
export const defaultRetries: Campaign['retries'] = {
  maxAttempts: 3,
  rules: [
    { outcome: 'no_answer', times: 2, afterMinutes: 240 },
    { outcome: 'busy', times: 2, afterMinutes: 20 },
    { outcome: 'voicemail', times: 1, afterMinutes: 1440 },
    { outcome: 'unreachable', times: 1, afterMinutes: 1440 },
    { outcome: 'failed', times: 2, afterMinutes: 30 },
  ],
  otherTimeOfDay: true,
}

export const emptyForm = (country: string): WizardForm => ({
  name: '',
  agentId: null,
  route: 'agent',
  trunkId: null,
  deviceId: null,
  callerId: '',
  defaultCountry: country,
  startAt: '',
  endAt: '',
  windows: null,
  rulesId: country === 'BR' ? 'br-strict' : 'international',
  pacing: defaultPacing,
  retries: defaultRetries,
  disclosure: { isOn: true, text: '' },
  predialUrl: '',
})

export const formOf = (campaign: Campaign): WizardForm => ({
  name: campaign.name,
  agentId: campaign.agentId,
  route: campaign.trunkId ? 'trunk' : campaign.deviceId ? 'device' : 'agent',
  trunkId: campaign.trunkId,
  deviceId: campaign.deviceId,
  callerId: campaign.callerId ?? '',
  defaultCountry: campaign.defaultCountry,
  startAt: campaign.schedule.startAt ?? '',
  endAt: campaign.schedule.endAt ?? '',
  windows: campaign.schedule.windows ?? null,
  rulesId: campaign.rulesId,
  pacing: campaign.pacing,
  retries: campaign.retries,
  disclosure: { isOn: campaign.disclosure.isOn, text: campaign.disclosure.text ?? '' },
  predialUrl: campaign.predial?.url ?? '',
})

export function bodyOf(form: WizardForm) {
  return {
    name: form.name.trim(),
    agentId: form.agentId ?? '',
    trunkId: form.route === 'trunk' ? form.trunkId : null,
    deviceId: form.route === 'device' ? form.deviceId : null,
    callerId: form.route === 'device' ? null : form.callerId || null,
    defaultCountry: form.defaultCountry,
    schedule: { startAt: form.startAt || null, endAt: form.endAt || null, windows: form.windows },
    pacing: form.pacing,
    retries: form.retries,
    rulesId: form.rulesId,
    disclosure: { isOn: form.disclosure.isOn, text: form.disclosure.text.trim() || null },
    predial: form.predialUrl.trim() ? { url: form.predialUrl.trim() } : null,
  }
}
export type CampaignBody = ReturnType<typeof bodyOf>

/** Sends only the changes: a running campaign accepts only some fields. */
export function patchOf(form: WizardForm, campaign: Campaign): Partial<CampaignBody> {
  const [mine, stored] = [bodyOf(form), bodyOf(formOf(campaign))]
  const keys = Object.keys(mine) as (keyof CampaignBody)[]
  return Object.fromEntries(
    keys.filter((key) => JSON.stringify(mine[key]) !== JSON.stringify(stored[key])).map((key) => [key, mine[key]]),
  )
}

export type Problem =
  | 'name'
  | 'agentId'
  | 'trunkId'
  | 'deviceId'
  | 'callerId'
  | 'windows'
  | 'endAt'
  | 'predialUrl'
  | 'pacing'

const isHttp = (text: string) => /^https?:\/\/[^\s/]+/.test(text)

/** The problems that block leaving a step. */
export function problemsOf(form: WizardForm, step: Step): Problem[] {
  const problems: [boolean, Problem][] = []
  if (step === 'list') problems.push([form.name.trim() === '', 'name'])
  if (step === 'agent')
    problems.push(
      [form.agentId === null, 'agentId'],
      [form.route === 'trunk' && form.trunkId === null, 'trunkId'],
      [form.route === 'device' && form.deviceId === null, 'deviceId'],
      [form.callerId !== '' && !/^\+[1-9]\d{6,14}$/.test(form.callerId), 'callerId'],
    )
  if (step === 'rules')
    problems.push(
      [form.windows?.some((one) => !isOrdered(one) || one.days.length === 0) ?? false, 'windows'],
      [form.endAt !== '' && form.startAt !== '' && form.endAt <= form.startAt, 'endAt'],
      [form.predialUrl.trim() !== '' && !isHttp(form.predialUrl.trim()), 'predialUrl'],
      [!(form.pacing.maxConcurrentCalls >= 1 && form.pacing.callsPerSecond > 0), 'pacing'],
    )
  return problems.filter(([isWrong]) => isWrong).map(([, problem]) => problem)
}

/** The step in which a problem of the preview can be fixed. */
export function stepOf(field: string): Step {
  const [top = ''] = field.split('.', 1)
  if (['agentId', 'trunkId', 'deviceId', 'callerId', 'defaultCountry'].includes(top)) return 'agent'
  return ['contacts', 'name', 'phoneColumn'].includes(top) ? 'list' : 'rules'
}

const two = (n: number) => String(n).padStart(2, '0')
/** Converts ISO 8601 to the value of a datetime-local input, in the browser's time zone. */
export function localTime(iso: string): string {
  const at = new Date(iso)
  if (iso === '' || Number.isNaN(at.getTime())) return ''
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}
export function isoTime(local: string): string {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
