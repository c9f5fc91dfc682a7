// The overview on the wire: calls now, today and in the last days, and what is not set up yet.
import { type Static, Type } from 'typebox'
import { Choice, Nullable } from '../../http/schema.ts'

export const OverviewQuery = Type.Object({
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, default: 'UTC', description: 'Whose days, such as America/Sao_Paulo' }),
  ),
})

export const SetupStep = Type.Object(
  {
    step: Choice(['agent', 'voice', 'model', 'phone', 'number', 'call']),
    isDone: Type.Boolean(),
    state: Choice(['missing', 'done', 'natural', 'preparing', 'small', 'vendor', 'rules', 'off', 'waiting'], {
      description: 'How it stands, in one word',
    }),
    percent: Nullable(Type.Integer({ description: 'Of what is being prepared' })),
    detail: Type.String({ description: 'The same in words' }),
  },
  { title: 'SetupStep' },
)
export type SetupStep = Static<typeof SetupStep>

export const Overview = Type.Object(
  {
    callsNow: Type.Integer({ description: 'Ringing or talking' }),
    waitingCalls: Type.Integer({ description: 'Outbound calls that wait for their turn' }),
    today: Type.Object({
      calls: Type.Integer(),
      answered: Type.Integer(),
      failed: Type.Integer({ description: 'Ended by an error; busy and not answered are none' }),
      minutes: Type.Number({ description: 'From answer to end, or to now' }),
      averageSeconds: Nullable(Type.Integer({ description: 'Of an answered call; null: there was none' })),
      medianResponseMs: Nullable(
        Type.Integer({ description: "From a caller's last sound to the agent's first, in the last 200 calls" }),
      ),
    }),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date' }),
        calls: Type.Integer(),
        answered: Type.Integer(),
        minutes: Type.Number(),
      }),
      { description: '14 days, the oldest first, today the last' },
    ),
    setup: Type.Array(SetupStep, { description: 'The steps to the first call, in order' }),
  },
  { title: 'Overview' },
)
export type Overview = Static<typeof Overview>
