// Calls on the wire.

import { type Static, Type } from 'typebox'
import { endReasons } from '../../base/end-reasons.ts'
import { recordingErrors, recordingStatuses } from '../../db/recording-rows.ts'
import { endStatuses, liveStatuses } from '../../db/tables.ts'
import { Body, Choice, FreeObject, Maybe, Nullable, PageQuery, Timestamp } from '../../http/schema.ts'
import { Variables } from '../conversations/schema.ts'
import { PhoneNumber } from '../dids/schema.ts'
import { SipEntry } from '../trunks/schema.ts'

const status = Choice([...liveStatuses, ...endStatuses])
const direction = Choice(['inbound', 'outbound'])
const text = Nullable(Type.String())

const shared = {
  callId: Type.String(),
  sessionId: Type.String({ description: 'The same as callId; names the recording' }),
  conversationId: text,
  agentId: Nullable(Type.String({ description: 'null when a call was refused before its agent was known' })),
  direction,
  status,
  fromNumber: text,
  toNumber: Type.String(),
  trunkId: text,
  deviceId: text,
  channel: Choice(['sip', 'web', 'whatsapp']),
  startedAt: Timestamp,
  ringingAt: Nullable(Timestamp),
  answeredAt: Nullable(Timestamp),
  durationSeconds: Nullable(Type.Integer({ description: 'From the answer to the end, or to now' })),
  metadata: Nullable(FreeObject()),
}

export const ActiveCall = Type.Object(shared, { title: 'ActiveCall' })

export const Call = Type.Object(
  {
    id: Type.String(),
    ...shared,
    endedAt: Nullable(Timestamp),
    endReason: Nullable(
      Choice([...endReasons], { description: 'Why it ended; a call of an older version may have another' }),
    ),
    endDetail: Nullable(Type.String({ description: 'The reason in words' })),
    sipCode: Nullable(Type.Integer()),
    hangupBy: Nullable(Choice(['caller', 'agent', 'system', 'carrier'])),
    answeredBy: Nullable(Choice(['human', 'machine', 'ivr', 'unknown'])),
    variables: Nullable(FreeObject()),
    hasRecording: Type.Boolean({ description: 'It can be downloaded, whole or in part' }),
    recordingStatus: Choice(['none', ...recordingStatuses], {
      description: 'recording: being written; partial: its end is missing; failed: there is no file',
    }),
    recordingError: Nullable(Choice([...recordingErrors], { description: 'Why it is partial or failed' })),
    nodeId: Type.Optional(
      Nullable(
        Type.String({ description: 'The node that runs the call, or ran it and has its recording (NODE_NAME)' }),
      ),
    ),
  },
  { title: 'Call' },
)
export type Call = Static<typeof Call>

const tokens = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100 })
const common = {
  toNumber: PhoneNumber,
  agentId: Type.String(),
  variables: Maybe(Variables),
  metadata: Maybe(FreeObject({ 'x-max-bytes': 32_768, 'x-max-depth': 10 })),
}

export const NewCall = Body({ ...common, fromDeviceTokens: Maybe(tokens) })
export const NewGatewayCall = Body({ ...common, deviceTokens: Maybe(tokens) })

export const StartedCall = Type.Object(
  { success: Type.Boolean(), callId: Type.String(), status: Type.String() },
  { title: 'StartedCall' },
)

export const CallQuery = Type.Object({
  ...PageQuery.properties,
  agentId: Type.Optional(Type.String()),
  conversationId: Type.Optional(Type.String({ description: 'The call whose transcript this conversation is' })),
  status: Type.Optional(status),
  direction: Type.Optional(direction),
  live: Type.Optional(
    Type.Boolean({ description: 'true: the calls in progress, in both directions; false: those that ended' }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Started at this time or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Started before this time' })),
  q: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a number or of what was said' })),
})
export type CallQuery = Static<typeof CallQuery>

export const SayOrder = Body({
  text: Type.String({ minLength: 1, maxLength: 1000, description: 'Said by the agent, in its voice' }),
  interrupt: Maybe(
    Type.Boolean({
      default: true,
      description: 'At once, whoever speaks; false: when the agent has finished, or the caller his turn',
    }),
  ),
})
export const SaidWords = Type.Object(
  { callId: Type.String(), status: Choice(['said', 'queued'], { description: 'queued: somebody speaks' }) },
  { title: 'SaidWords' },
)

export const TransferOrder = Body({
  to: Maybe(Type.String({ minLength: 1, maxLength: 510, description: 'A number, or a SIP address' })),
  agentId: Maybe(Type.String({ description: 'Instead of `to`: another agent takes over' })),
  method: Maybe(Choice(['refer', 'bridge'])),
  whisper: Maybe(
    Type.String({
      maxLength: 1000,
      description: 'Said to who answers, before the two are joined; a note for an agent',
    }),
  ),
})
export const TransferOutcome = Type.Object(
  {
    callId: Type.String(),
    status: Choice(['done', 'connected', 'no_answer', 'busy', 'voicemail', 'failed', 'canceled']),
    detail: text,
  },
  { title: 'TransferOutcome' },
)
export type TransferOutcome = Static<typeof TransferOutcome>

export const BySession = Type.Object({ sessionId: Type.String() })

export const RecordingQuery = Type.Object({
  channel: Type.Optional(
    Choice(['both', 'caller', 'agent', 'mixed'], {
      default: 'both',
      description:
        'both: stereo, the caller left, the agent right; caller, agent: that side alone; mixed: both in one channel',
    }),
  ),
})

export const SipLadder = Type.Object(
  {
    callId: Type.String(),
    entries: Type.Array(SipEntry),
    ladder: Type.String({ description: 'The same, drawn as text' }),
  },
  { title: 'SipLadder' },
)

const stage = (description: string) => Nullable(Type.Integer({ description }))
const place = (description: string) => Nullable(Type.Integer({ description: `${description}, in ms of the recording` }))
export const Turn = Type.Object(
  {
    number: Type.Integer(),
    at: Timestamp,
    caller: Nullable(Type.String({ description: 'What the caller said' })),
    agent: Nullable(Type.String({ description: 'What was heard of the answer' })),
    isCut: Type.Boolean({ description: 'The caller spoke over the answer' }),
    callerFromMs: place("The caller's first sound"),
    callerToMs: place('His last'),
    agentFromMs: place("The agent's first sound that was heard"),
    agentToMs: place('Its last'),
    latency: Type.Object({
      vadMs: stage('Until it was known that the voice had ended'),
      recognitionMs: stage('Until its words were known'),
      endOfTurnMs: stage('What was left of the pause that ends a turn'),
      modelMs: stage("To the model's first word"),
      toolMs: stage('Of that, waiting for tools, which is not in modelMs'),
      synthesisMs: stage('To the first sound'),
      pacingMs: stage('Until that was sent'),
      totalMs: Nullable(Type.Integer({ description: "From the caller's last sound to the agent's first" })),
    }),
  },
  { title: 'Turn' },
)
export type Turn = Static<typeof Turn>
