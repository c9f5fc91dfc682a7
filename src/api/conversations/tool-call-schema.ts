// Tool calls on the wire: what an agent did in a conversation besides speaking.
import { type Static, Type } from 'typebox'
import { Choice, Nullable, Timestamp } from '../../http/schema.ts'

export const ToolCallRecord = Type.Object(
  {
    id: Type.String({ description: 'Also the Idempotency-Key that was sent along' }),
    toolId: Nullable(Type.String({ description: 'null: the model asked for a tool that there is not' })),
    name: Type.String({ description: 'Of the function, as the model knows it' }),
    arguments: Type.Unknown({ description: 'What the model filled in' }),
    status: Choice(['running', 'done', 'failed', 'in_doubt', 'refused'], {
      description: 'in_doubt: it was sent, and nobody knows whether it was done. refused: nothing was sent',
    }),
    result: Nullable(Type.String()),
    error: Nullable(Type.String()),
    durationMs: Nullable(Type.Integer()),
    startedAt: Timestamp,
    endedAt: Nullable(Timestamp),
  },
  { title: 'ToolCall' },
)
export type ToolCallRecord = Static<typeof ToolCallRecord>
