// Being forgotten, on the wire.
import { type Static, Type } from 'typebox'
import { Body, Maybe, Text } from '../../http/schema.ts'

export const ForgetNumber = Body({
  number: Text(64, { description: 'As it is written: +5511999990000, or with spaces, brackets and dashes' }),
  dryRun: Maybe(Type.Boolean({ description: 'Counts, and removes nothing' })),
})

export const Forgotten = Type.Object(
  {
    number: Type.String(),
    dryRun: Type.Boolean(),
    calls: Type.Integer(),
    recordings: Type.Integer(),
    conversations: Type.Integer({ description: 'Of those calls, and in texts' }),
    texts: Type.Integer({ description: 'Single texts of devices, in and out' }),
    underWay: Type.Integer({ description: 'Calls and conversations that are not over, and stay' }),
    similar: Type.Array(Type.String(), {
      description: 'Numbers on file that end alike, such as the same one without its country: they stay',
    }),
  },
  { title: 'Forgotten' },
)
export type Forgotten = Static<typeof Forgotten>
