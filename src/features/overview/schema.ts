// API schemas of the overview: calls now, today and in recent days, and the setup steps.
import { type Static, Type } from 'typebox'
import { Choice, Example, Id, Nullable, Timestamp } from '../../http/schema.ts'

export const OverviewQuery = Type.Object({
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      default: 'UTC',
      examples: ['America/Sao_Paulo'],
      description: 'Time zone of the days, such as America/Sao_Paulo',
    }),
  ),
})

export const AgentCallsQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, default: 7, description: 'Calls of the last so many days', examples: [7] }),
  ),
})
export const AgentCalls = Type.Object(
  {
    agentId: Id('agt'),
    calls: Type.Integer({ examples: [48] }),
    answered: Type.Integer({ examples: [45] }),
    lastCallAt: Timestamp,
  },
  { title: 'AgentCalls' },
)
export type AgentCalls = Static<typeof AgentCalls>

export const SetupStep = Type.Object(
  {
    step: Choice(['agent', 'voice', 'model', 'phone', 'number', 'call']),
    isDone: Type.Boolean(),
    state: Choice(['missing', 'done', 'natural', 'preparing', 'small', 'vendor', 'rules', 'off', 'waiting'], {
      examples: ['done'],
      description: 'State of the step',
    }),
    percent: Nullable(Type.Integer({ examples: [null], description: 'Progress of a preparation' })),
    detail: Example('1 agent is active', { description: 'The state as a sentence' }),
  },
  { title: 'SetupStep' },
)
export type SetupStep = Static<typeof SetupStep>

export const ServiceNode = Type.Object(
  {
    name: Type.String({ examples: ['ramal-1'], description: '`nodeId` of its calls' }),
    state: Choice(['up', 'draining', 'down'], {
      examples: ['up'],
      description: 'Draining: it finishes its calls and takes no new ones. Down: its lease has expired',
    }),
    calls: Type.Integer({ examples: [12] }),
    maxCalls: Nullable(Type.Integer({ examples: [120], description: 'Null: its phone is off' })),
    cpuPercent: Type.Integer({ examples: [35], description: 'Of its whole machine' }),
    version: Type.String({ examples: ['1.0.0'] }),
    startedAt: Timestamp,
  },
  { title: 'ServiceNode' },
)
export type ServiceNode = Static<typeof ServiceNode>

export const Overview = Type.Object(
  {
    callsNow: Type.Integer({ examples: [2], description: 'Ringing or in progress' }),
    waitingCalls: Type.Integer({ examples: [0], description: 'Queued outbound calls' }),
    today: Type.Object({
      calls: Type.Integer({ examples: [48] }),
      answered: Type.Integer({ examples: [45] }),
      failed: Type.Integer({ examples: [1], description: 'Ended by an error; busy and unanswered calls do not count' }),
      minutes: Type.Number({ examples: [112.5], description: 'From answer to end, or to now while the call is live' }),
      averageSeconds: Nullable(
        Type.Integer({ description: 'Average duration of an answered call; null if there was none' }),
      ),
      medianResponseMs: Nullable(
        Type.Integer({
          description: "From the end of the caller's speech to the start of the agent's, over the last 200 calls",
        }),
      ),
    }),
    yesterday: Type.Object(
      {
        calls: Type.Integer({ examples: [41] }),
        answered: Type.Integer({ examples: [39] }),
        minutes: Type.Number({ examples: [96.5] }),
        medianResponseMs: Nullable(Type.Integer({ examples: [930] })),
      },
      { description: 'Yesterday up to the same time of day, to compare today with' },
    ),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date' }),
        calls: Type.Integer({ examples: [48] }),
        answered: Type.Integer({ examples: [45] }),
        minutes: Type.Number({ examples: [112.5] }),
        notAnswered: Type.Object(
          {
            failed: Type.Integer({ examples: [1] }),
            busy: Type.Integer({ examples: [0] }),
            unanswered: Type.Integer({ examples: [2], description: 'Not picked up, or canceled before' }),
          },
          { description: 'Calls that ended without an answer, by reason' },
        ),
        medianResponseMs: Nullable(
          Type.Integer({ examples: [870], description: 'Over the last 50 calls of the day (today: 200)' }),
        ),
      }),
      { description: '14 days, oldest first, today last' },
    ),
    setup: Type.Array(SetupStep, { description: 'Steps to the first call, in order' }),
    nodes: Type.Array(ServiceNode, {
      description: 'The nodes of the service; empty unless the user is an administrator',
    }),
  },
  { title: 'Overview' },
)
export type Overview = Static<typeof Overview>
