// Being forgotten, on the wire.
import { type Static, Type } from 'typebox'
import { Body, Maybe, Text } from '../../http/schema.ts'

export const ForgetNumber = Body({
  number: Text(64, { description: 'As written: +5511999990000, or with spaces, brackets and dashes' }),
  dryRun: Maybe(Type.Boolean({ description: 'Count only, delete nothing' })),
})

export const Forgotten = Type.Object(
  {
    number: Type.String(),
    dryRun: Type.Boolean(),
    calls: Type.Integer(),
    recordings: Type.Integer(),
    conversations: Type.Integer({ description: 'Of those calls and of text messages' }),
    texts: Type.Integer({ description: 'Text messages of devices, inbound and outbound' }),
    underWay: Type.Integer({ description: 'Live calls and active conversations, which are kept' }),
    similar: Type.Array(Type.String(), {
      description: 'Stored numbers with the same ending, such as the number without country code; they are kept',
    }),
  },
  { title: 'Forgotten' },
)
export type Forgotten = Static<typeof Forgotten>
