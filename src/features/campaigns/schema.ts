// API schema of campaigns: who is called, by which agent, when and how fast.
import { type Static, Type } from 'typebox'
import { campaignReasons, campaignStatuses, retriedOutcomes } from '../../base/domain/campaigns.ts'
import { E164_PATTERN } from '../../base/phone-numbers/phone-number.ts'
import {
  Body,
  Choice,
  Example,
  Expected,
  exampleId,
  HttpUrl,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  SortBy,
  Strict,
  Text,
  Timestamp,
} from '../../http/schema.ts'

const name = Text(100, { examples: ['Confirmação de consultas'] })
const time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  examples: ['09:00'],
  ...Expected('a time of day such as 09:00'),
})
const moment = Type.String({ format: 'date-time', maxLength: 40, examples: ['2026-12-01T12:00:00.000Z'] })

const CallingWindow = Strict({
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    description: 'Days of the week, 1 is Monday',
    examples: [[1, 2, 3, 4, 5]],
  }),
  from: time,
  to: Type.String({
    pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    description: 'Exclusive; 24:00 is midnight',
    examples: ['18:00'],
    ...Expected('a time of day such as 18:00'),
  }),
})
export type CallingWindow = Static<typeof CallingWindow>

export const Schedule = Strict({
  startAt: Maybe({ ...moment, description: 'Not before this; null: when it is started' }),
  endAt: Maybe({ ...moment, description: 'No attempt after this; null: until every contact is done' }),
  windows: Maybe(
    Type.Array(CallingWindow, {
      minItems: 1,
      maxItems: 21,
      description:
        'Times in the time zone of the person who is called. The calling rules narrow them further; null: only the rules',
    }),
  ),
})
export type Schedule = Static<typeof Schedule>

export const Pacing = Strict({
  maxConcurrentCalls: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'Calls of this campaign at the same time, on all nodes together',
    examples: [5],
  }),
  callsPerSecond: Type.Number({
    minimum: 0.01,
    maximum: 50,
    description: 'Attempts each second, on all nodes together',
    examples: [1],
  }),
})
export type Pacing = Static<typeof Pacing>

export const RetryRule = Strict({
  outcome: Choice([...retriedOutcomes], { examples: ['no_answer'] }),
  times: Type.Integer({ minimum: 0, maximum: 10, description: 'Further attempts after this outcome', examples: [2] }),
  afterMinutes: Type.Integer({ minimum: 1, maximum: 43_200, description: 'At the earliest', examples: [240] }),
})
export type RetryRule = Static<typeof RetryRule>

export const RetryPlan = Strict({
  maxAttempts: Type.Integer({
    minimum: 1,
    maximum: 20,
    description: 'Attempts for each contact in total',
    examples: [3],
  }),
  rules: Type.Array(RetryRule, { maxItems: retriedOutcomes.length, description: 'No rule: no retry' }),
  otherTimeOfDay: Type.Boolean({
    description: 'Prefer another part of the day (morning, afternoon, evening) than the last attempt',
    examples: [true],
  }),
})
export type RetryPlan = Static<typeof RetryPlan>

export const defaultPacing: Pacing = { maxConcurrentCalls: 5, callsPerSecond: 1 }
export const defaultRetries: RetryPlan = {
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

export const Disclosure = Strict({
  isOn: Type.Boolean({ description: 'The agent says first that a machine is calling', examples: [true] }),
  text: Maybe(
    Type.String({
      maxLength: 300,
      description: 'Its words; null: a sentence in the language of the agent',
      examples: ['Olá, aqui é a assistente virtual da Clínica Vida.'],
    }),
  ),
})
export type Disclosure = Static<typeof Disclosure>

const Predial = Strict({
  url: Type.String({
    ...HttpUrl,
    description: 'Asked before each attempt; only {"eligible": true} within 3 s lets it leave',
    examples: ['https://crm.example.com.br/ramal/predial'],
  }),
})
export type Predial = Static<typeof Predial>

const country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1: the country of numbers that are written without one',
  examples: ['BR'],
  ...Expected('the code of a country, such as BR'),
})
const callerId = Type.String({
  pattern: E164_PATTERN,
  description: 'Shown to the person called; null: of the trunk or device',
  examples: ['+551130000000'],
  ...Expected('a number with its country code, such as +551130000000'),
})
const rulesId = Type.String({
  maxLength: 64,
  description: 'A built-in rule pack (br-strict, international) or one of yours',
  examples: ['br-strict'],
})
const trunkId = Id('trk', { maxLength: 255, description: 'Calls leave by this trunk' })
const deviceId = Id('dev', { maxLength: 64, description: 'Calls leave by this device' })

const counts = Type.Object({
  total: Type.Integer({ examples: [1000] }),
  waiting: Type.Integer({ examples: [400] }),
  calling: Type.Integer({ examples: [5] }),
  in_doubt: Type.Integer({ examples: [1] }),
  completed: Type.Integer({ examples: [500] }),
  exhausted: Type.Integer({ examples: [74] }),
  suppressed: Type.Integer({ examples: [20] }),
  canceled: Type.Integer({ examples: [0] }),
})
export type ContactCounts = Static<typeof counts>

const record = {
  id: Id('cmp'),
  name,
  agentId: Nullable(Id('agt')),
  status: Choice([...campaignStatuses], { examples: ['running'] }),
  statusReason: Nullable(
    Choice([...campaignReasons], { description: 'Why it is paused or was canceled', examples: ['failure_burst'] }),
  ),
  statusDetail: Nullable(Example('12 of 20 attempts failed within two minutes')),
  trunkId: Nullable(trunkId),
  deviceId: Nullable(deviceId),
  callerId: Nullable(callerId),
  defaultCountry: country,
  schedule: Schedule,
  pacing: Pacing,
  retries: RetryPlan,
  rulesId,
  disclosure: Disclosure,
  predial: Nullable(Predial),
  columns: Type.Array(Type.String(), {
    description: 'Columns of the imported lists; each is a variable',
    examples: [['nome', 'telefone']],
  }),
  phoneColumn: Nullable(Example('telefone')),
  contacts: counts,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
}
export const Campaign = Type.Object(record, { title: 'Campaign' })
export type Campaign = Static<typeof Campaign>

export const SavedCampaign = Type.Object(
  {
    ...record,
    predialSecret: Nullable(
      Example('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', {
        description: 'Signs the requests to the pre-dial webhook; returned only when it is new',
      }),
    ),
  },
  { title: 'SavedCampaign' },
)
export type SavedCampaign = Static<typeof SavedCampaign>

const given = {
  trunkId: Maybe(trunkId),
  deviceId: Maybe(deviceId),
  callerId: Maybe(callerId),
  defaultCountry: Maybe(country),
  schedule: Maybe(Schedule),
  pacing: Maybe(Pacing),
  retries: Maybe(RetryPlan),
  rulesId: Maybe(rulesId),
  disclosure: Maybe(Disclosure),
  predial: Maybe(Predial),
}
export const NewCampaign = Body(
  { name, agentId: Id('agt'), ...given },
  { examples: [{ name: 'Confirmação de consultas', agentId: exampleId('agt'), rulesId: 'br-strict' }] },
)
export type NewCampaign = Static<typeof NewCampaign>

/**
 * Name, pacing, schedule and retries can be changed while a campaign runs; everything else only before it starts or
 * while it is paused.
 */
export const CampaignPatch = Body(
  { name: Type.Optional(name), agentId: Type.Optional(Id('agt')), ...given },
  { examples: [{ pacing: { maxConcurrentCalls: 10, callsPerSecond: 2 } }] },
)
export type CampaignPatch = Static<typeof CampaignPatch>

export const CampaignQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('Words of the name', 'consultas'),
  status: Type.Optional(Choice([...campaignStatuses], { examples: ['running'] })),
  agentId: Type.Optional(Id('agt')),
  sort: SortBy(['name', 'createdAt', 'updatedAt']),
})
export type CampaignQuery = Static<typeof CampaignQuery>
