// Tool calls on the wire: what an agent did in a conversation besides speaking.
import { type Static, Type } from 'typebox'
import { Choice, Nullable, Timestamp } from '../../http/schema.ts'

export const ToolCallRecord = Type.Object(
  {
    id: Type.String({ description: 'Also sent as Idempotency-Key' }),
    toolId: Nullable(Type.String({ description: 'null: the model requested a tool that does not exist' })),
    name: Type.String({ description: 'Function name as the model sees it' }),
    arguments: Type.Unknown({ description: 'Arguments filled in by the model' }),
    status: Choice(['running', 'done', 'failed', 'in_doubt', 'refused'], {
      description: 'in_doubt: sent, outcome unknown; refused: not sent',
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
