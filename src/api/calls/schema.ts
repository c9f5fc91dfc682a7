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
  sessionId: Type.String({ description: 'Same as callId; identifies the recording' }),
  conversationId: text,
  agentId: Nullable(Type.String({ description: 'null if the call was rejected before an agent was assigned' })),
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
  durationSeconds: Nullable(Type.Integer({ description: 'From answer to end, or to now while the call is live' })),
  metadata: Nullable(FreeObject()),
}

export const ActiveCall = Type.Object(shared, { title: 'ActiveCall' })

export const Call = Type.Object(
  {
    id: Type.String(),
    ...shared,
    endedAt: Nullable(Timestamp),
    endReason: Nullable(
      Choice([...endReasons], { description: 'Why the call ended; calls of older versions may have other values' }),
    ),
    endDetail: Nullable(Type.String({ description: 'The reason as a sentence' })),
    sipCode: Nullable(Type.Integer()),
    hangupBy: Nullable(Choice(['caller', 'agent', 'system', 'carrier'])),
    answeredBy: Nullable(Choice(['human', 'machine', 'ivr', 'unknown'])),
    variables: Nullable(FreeObject()),
    hasRecording: Type.Boolean({ description: 'A full or partial recording can be downloaded' }),
    recordingStatus: Choice(['none', ...recordingStatuses], {
      description: 'recording: in progress; partial: the end is missing; failed: no file',
    }),
    recordingError: Nullable(Choice([...recordingErrors], { description: 'Why the recording is partial or failed' })),
    nodeId: Type.Optional(
      Nullable(Type.String({ description: 'The node (NODE_NAME) that runs or ran the call and holds its recording' })),
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
  conversationId: Type.Optional(Type.String({ description: 'The call whose transcript is this conversation' })),
  status: Type.Optional(status),
  direction: Type.Optional(direction),
  live: Type.Optional(Type.Boolean({ description: 'true: calls in progress, both directions; false: ended calls' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Started at or after this time' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Started before this time' })),
  q: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a number or of the transcript' })),
})
export type CallQuery = Static<typeof CallQuery>

export const SayOrder = Body({
  text: Type.String({ minLength: 1, maxLength: 1000, description: "Spoken in the agent's voice" }),
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
    callId: Type.String(),
    status: Choice(['said', 'queued'], { description: 'queued: waiting for the current speaker' }),
  },
  { title: 'SaidWords' },
)

export const TransferOrder = Body({
  to: Maybe(Type.String({ minLength: 1, maxLength: 510, description: 'A phone number or SIP URI' })),
  agentId: Maybe(Type.String({ description: 'Instead of `to`: the agent that takes over' })),
  method: Maybe(Choice(['refer', 'bridge'])),
  whisper: Maybe(
    Type.String({
      maxLength: 1000,
      description: 'Spoken to the person who answers before the calls are joined; for an agent, a note',
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
        'both: stereo, caller left, agent right; caller or agent: that channel only; mixed: both in one channel',
    }),
  ),
})

export const SipLadder = Type.Object(
  {
    callId: Type.String(),
    entries: Type.Array(SipEntry),
    ladder: Type.String({ description: 'The same messages as a text diagram' }),
  },
  { title: 'SipLadder' },
)

const stage = (description: string) => Nullable(Type.Integer({ description }))
const place = (description: string) =>
  Nullable(Type.Integer({ description: `${description}, in ms from the start of the recording` }))
export const Turn = Type.Object(
  {
    number: Type.Integer(),
    at: Timestamp,
    caller: Nullable(Type.String({ description: 'Transcript of the caller' })),
    agent: Nullable(Type.String({ description: 'The part of the reply that was played' })),
    isCut: Type.Boolean({ description: 'The caller interrupted the reply' }),
    callerFromMs: place("Start of the caller's speech"),
    callerToMs: place("End of the caller's speech"),
    agentFromMs: place("Start of the agent's speech"),
    agentToMs: place("End of the agent's speech"),
    latency: Type.Object({
      vadMs: stage('Until the VAD detected the end of speech'),
      recognitionMs: stage('Until the transcript was final'),
      endOfTurnMs: stage('Remaining endpointing delay'),
      modelMs: stage("Until the model's first token"),
      toolMs: stage('Waiting for tools, not included in modelMs'),
      synthesisMs: stage('Until the first synthesised audio'),
      pacingMs: stage('Until the audio was sent'),
      totalMs: Nullable(
        Type.Integer({ description: "From the end of the caller's speech to the start of the agent's" }),
      ),
    }),
  },
  { title: 'Turn' },
)
export type Turn = Static<typeof Turn>
