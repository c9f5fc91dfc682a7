// API schema of calls.

import { type Static, Type } from 'typebox'
import { endStatuses, liveStatuses } from '../../base/domain/call-statuses.ts'
import { endReasons } from '../../base/domain/end-reasons.ts'
import {
  FREE_HEADER,
  HEADER_VALUE,
  MAX_HEADER_NAME,
  MAX_HEADER_VALUE,
  MAX_HEADERS,
} from '../../base/network/sip-headers.ts'
import { recordingErrors, recordingStatuses } from '../../db/recording-rows.ts'
import {
  Body,
  Choice,
  Example,
  FreeObject,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SortBy,
  Timestamp,
} from '../../http/schema.ts'

import { Variables } from '../conversations/schema.ts'
import { PhoneNumber } from '../numbers/schema.ts'
import { SipEntry } from '../trunks/schema.ts'

const status = Choice([...liveStatuses, ...endStatuses])
const direction = Choice(['inbound', 'outbound'])

const shared = {
  callId: Id('call'),
  sessionId: Id('call', { description: 'Same as callId; identifies the recording' }),
  conversationId: Nullable(Id('cnv')),
  agentId: Nullable(Id('agt', { description: 'null if the call was rejected before an agent was assigned' })),
  direction,
  status,
  fromNumber: Nullable(Example('+5511987654321')),
  toNumber: Example('+551140028922'),
  trunkId: Nullable(Id('trk')),
  deviceId: Nullable(Example('019a8c1e-7d3f-7b20-9c41-5e6f7a8b9c0d', { examples: [null] })),
  channel: Choice(['sip', 'web', 'whatsapp']),
  startedAt: Timestamp,
  ringingAt: Nullable(Timestamp),
  answeredAt: Nullable(Timestamp),
  durationSeconds: Nullable(
    Type.Integer({ description: 'From answer to end, or to now while the call is live', examples: [92] }),
  ),
  metadata: Nullable(FreeObject({ examples: [{ campanha: 'retorno-2026' }] })),
}

export const ActiveCall = Type.Object(shared, { title: 'ActiveCall' })

export const Call = Type.Object(
  {
    id: Id('call'),
    ...shared,
    endedAt: Nullable(Timestamp),
    endReason: Nullable(
      Choice([...endReasons], {
        description: 'Why the call ended; calls of older versions may have other values',
        examples: ['caller_hangup'],
      }),
    ),
    endDetail: Nullable(Example('The caller hung up', { description: 'The reason as a sentence' })),
    sipCode: Nullable(Type.Integer({ examples: [200] })),
    hangupBy: Nullable(Choice(['caller', 'agent', 'system', 'carrier'])),
    answeredBy: Nullable(Choice(['human', 'machine', 'ivr', 'unknown'])),
    variables: Nullable(FreeObject({ examples: [{ nome: 'Ana' }] })),
    isTest: Type.Optional(
      Type.Boolean({ description: 'A test call (`metadata.isTest`): left out of the figures of the overview' }),
    ),
    hasRecording: Type.Boolean({ description: 'A full or partial recording can be downloaded' }),
    recordingStatus: Choice(['none', ...recordingStatuses], {
      description: 'recording: in progress; partial: the end is missing; failed: no file',
      examples: ['complete'],
    }),
    recordingError: Nullable(
      Choice([...recordingErrors], { description: 'Why the recording is partial or failed', examples: [null] }),
    ),
    nodeId: Type.Optional(
      Nullable(
        Example('node-1', { description: 'The node (NODE_NAME) that runs or ran the call and holds its recording' }),
      ),
    ),
  },
  { title: 'Call' },
)
export type Call = Static<typeof Call>

const withDetails = 'Only with `include=details`'
export const ListedCall = Type.Object(
  {
    ...Call.properties,
    summary: Type.Optional(
      Nullable(Example('Marcou uma consulta para quinta-feira.', { description: `Of its analysis. ${withDetails}` })),
    ),
    success: Type.Optional(
      Nullable(Type.Boolean({ description: `Whether the goal was reached, by its analysis. ${withDetails}` })),
    ),
    medianResponseMs: Type.Optional(
      Nullable(
        Type.Integer({
          examples: [870],
          description: `Median of its turns, from the end of the caller's speech to the agent's. ${withDetails}`,
        }),
      ),
    ),
  },
  { title: 'ListedCall' },
)
export type ListedCall = Static<typeof ListedCall>

const tokens = Type.Array(Type.String({ minLength: 1, maxLength: 255, examples: ['gw_7Qm2xV9c'] }), {
  maxItems: 100,
  description: 'Tokens of the devices to call from, tried in order',
})
const common = {
  toNumber: { ...PhoneNumber, examples: ['+5511987654321'] },
  agentId: Id('agt'),
  variables: Maybe(Variables),
  metadata: Maybe(
    FreeObject({
      'x-max-bytes': 32_768,
      'x-max-depth': 10,
      description: 'Your own data, returned with the call',
      examples: [{ campanha: 'retorno-2026' }],
    }),
  ),
}

const headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: {
    pattern: FREE_HEADER,
    maxLength: MAX_HEADER_NAME,
    description: "cannot be set: allowed are the names of the trunk's outboundHeaders",
  },
  maxProperties: MAX_HEADERS,
  additionalProperties: { type: 'string', maxLength: MAX_HEADER_VALUE, pattern: HEADER_VALUE },
  description: "SIP headers of the INVITE; only names of the outboundHeaders of the agent's trunks",
  examples: [{ 'X-Customer-Id': '42' }],
})

export const NewCall = Body({ ...common, fromDeviceTokens: Maybe(tokens), headers: Maybe(headers) })
export const NewGatewayCall = Body({ ...common, deviceTokens: Maybe(tokens) })

export const StartedCall = Type.Object(
  { success: Type.Boolean(), callId: Id('call'), status: Example('initiating') },
  { title: 'StartedCall' },
)

/** Filters of the list of calls. */
const filters = {
  agentId: Type.Optional(Id('agt')),
  conversationId: Type.Optional(Id('cnv', { description: 'The call whose transcript is this conversation' })),
  status: Type.Optional(status),
  direction: Type.Optional(direction),
  channel: Type.Optional(Choice(['sip', 'web', 'whatsapp'])),
  live: Type.Optional(Type.Boolean({ description: 'true: calls in progress, both directions; false: ended calls' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Started at or after this time' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Started before this time' })),
  isTest: Type.Optional(Type.Boolean({ description: 'true: test calls only; false: without test calls' })),
}

export const CallCountQuery = Type.Object(filters)
export type CallCountQuery = Static<typeof CallCountQuery>

export const CallCount = Type.Object(
  {
    count: Type.Integer({ examples: [5004], description: 'At most 10,000' }),
    hasMore: Type.Boolean({ description: 'There are more than `count`' }),
  },
  { title: 'CallCount' },
)
export type CallCount = Static<typeof CallCount>

export const CallQuery = Type.Object({
  ...PageQuery.properties,
  ...filters,
  q: Type.Optional(
    Type.String({ maxLength: 255, description: 'Part of a number or of the transcript', examples: ['consulta'] }),
  ),
  include: Type.Optional(
    Choice(['details'], {
      description: 'Adds summary, success and medianResponseMs to each; needs the scope conversations',
    }),
  ),
  sort: SortBy(['startedAt', 'durationSeconds']),
})
export type CallQuery = Static<typeof CallQuery>

export const SayOrder = Body({
  text: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: "Spoken in the agent's voice",
    examples: ['Só um momento, por favor.'],
  }),
  interrupt: Maybe(
    Type.Boolean({
      default: true,
      description:
        "true: speak at once, interrupting anyone; false: wait for the end of the agent's speech or the caller's turn",
    }),
  ),
})
export const SaidWords = Type.Object(
  {
    callId: Id('call'),
    status: Choice(['said', 'queued'], { description: 'queued: waiting for the current speaker' }),
  },
  { title: 'SaidWords' },
)

export const TransferOrder = Body({
  to: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 510,
      description: 'A phone number or SIP URI',
      examples: ['+551130304040'],
    }),
  ),
  agentId: Maybe(Id('agt', { description: 'Instead of `to`: the agent that takes over', examples: [] })),
  method: Maybe(Choice(['refer', 'bridge'])),
  whisper: Maybe(
    Type.String({
      maxLength: 1000,
      description: 'Spoken to the person who answers before the calls are joined; for an agent, a note',
      examples: ['Paciente Ana, quer remarcar a consulta de amanhã.'],
    }),
  ),
})
export const TransferOutcome = Type.Object(
  {
    callId: Id('call'),
    status: Choice(['done', 'connected', 'no_answer', 'busy', 'voicemail', 'failed', 'canceled']),
    detail: Nullable(Example('The destination answered', { examples: [null] })),
  },
  { title: 'TransferOutcome' },
)
export type TransferOutcome = Static<typeof TransferOutcome>

export const BySession = Type.Object({ sessionId: Id('call') })

export const RecordingQuery = Type.Object({
  channel: Type.Optional(
    Choice(['both', 'caller', 'agent', 'mixed'], {
      default: 'both',
      description:
        'both: stereo, caller left, agent right; caller or agent: that channel only; mixed: both in one channel',
    }),
  ),
})

export const SipLadder = Type.Object(
  {
    callId: Id('call'),
    entries: Type.Array(SipEntry),
    ladder: Example('203.0.113.10 -> us  INVITE\nus -> 203.0.113.10  200 OK', {
      description: 'The same messages as a text diagram',
    }),
  },
  { title: 'SipLadder' },
)

const stage = (description: string, example: number) => Nullable(Type.Integer({ description, examples: [example] }))
const position = (description: string, example: number) =>
  Nullable(Type.Integer({ description: `${description}, in ms from the start of the recording`, examples: [example] }))
const turnProvider = (description: string, name: string, model: string | null) =>
  Nullable(
    Type.Object(
      {
        id: Type.String({ examples: ['embedded'], description: 'Account, `environment…` or `embedded`' }),
        name: Type.String({ examples: [name] }),
        model: Nullable(Type.String({ examples: [model ?? ''] })),
      },
      { description },
    ),
  )
export const Turn = Type.Object(
  {
    number: Type.Integer({ examples: [1] }),
    at: Timestamp,
    caller: Nullable(Example('Quero marcar uma consulta.', { description: 'Transcript of the caller' })),
    agent: Nullable(
      Example('Claro! Para qual especialidade?', { description: 'The part of the reply that was played' }),
    ),
    isCut: Type.Boolean({ examples: [false], description: 'The caller interrupted the reply' }),
    callerFromMs: position("Start of the caller's speech", 4200),
    callerToMs: position("End of the caller's speech", 6100),
    agentFromMs: position("Start of the agent's speech", 6790),
    agentToMs: position("End of the agent's speech", 8900),
    latency: Type.Object({
      vadMs: stage('Until the VAD detected the end of speech', 60),
      recognitionMs: stage('Until the transcript was final', 140),
      endOfTurnMs: stage('Remaining endpointing delay', 100),
      modelMs: stage("Until the model's first token", 280),
      toolMs: stage('Waiting for tools, not included in modelMs', 0),
      synthesisMs: stage('Until the first synthesised audio', 90),
      pacingMs: stage('Until the audio was sent', 20),
      totalMs: Nullable(
        Type.Integer({
          description: "From the end of the caller's speech to the start of the agent's",
          examples: [690],
        }),
      ),
    }),
    providers: Type.Optional(
      Type.Object(
        {
          stt: turnProvider('Recognised the caller', 'Embedded', null),
          llm: turnProvider('Wrote the reply', 'Example AI', 'example-large'),
          tts: turnProvider('Spoke the reply', 'Embedded', null),
        },
        { description: 'The providers that served this turn; null where none did' },
      ),
    ),
  },
  { title: 'Turn' },
)
export type Turn = Static<typeof Turn>
