// Request and response of conversations/forget.
import { type Static, Type } from 'typebox'
import { Body, Example, Maybe, Text } from '../../http/schema.ts'

export const ForgetNumber = Body({
  number: Text(64, {
    description: 'As written: +5511999990000, or with spaces, brackets and dashes',
    examples: ['+5511987654321'],
  }),
  dryRun: Maybe(Type.Boolean({ description: 'Count only, delete nothing' })),
})

export const Forgotten = Type.Object(
  {
    number: Example('+5511987654321'),
    dryRun: Type.Boolean({ examples: [false] }),
    calls: Type.Integer({ examples: [3] }),
    recordings: Type.Integer({ examples: [2] }),
    conversations: Type.Integer({ examples: [3], description: 'Of those calls and of text messages' }),
    texts: Type.Integer({ examples: [0], description: 'Text messages of devices, inbound and outbound' }),
    callbacks: Type.Integer({ examples: [1], description: 'Call-back requests to this number' }),
    suppressions: Type.Integer({
      examples: [0],
      description: 'Entries of suppression lists: only a keyed hash is kept, so that nobody calls the number',
    }),
    contacts: Type.Integer({
      examples: [1],
      description: 'Contacts of campaigns: number, variables and row are erased; those that wait are canceled',
    }),
    underWay: Type.Integer({ examples: [0], description: 'Live calls and active conversations, which are kept' }),
    similar: Type.Array(Example('11987654321'), {
      description: 'Stored numbers with the same ending, such as the number without country code; they are kept',
    }),
  },
  { title: 'Forgotten' },
)
export type Forgotten = Static<typeof Forgotten>
