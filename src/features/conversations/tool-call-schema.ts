// API schema of tool calls.
import { type Static, Type } from 'typebox'
import { Choice, Example, Id, Nullable, Timestamp } from '../../http/schema.ts'

export const ToolCallRecord = Type.Object(
  {
    id: Id('tcl', { description: 'Also sent as Idempotency-Key' }),
    toolId: Nullable(Id('tol', { description: 'null: the model requested a tool that does not exist' })),
    name: Example('consultar_agenda', { description: 'Function name as the model sees it' }),
    arguments: Type.Unknown({
      examples: [{ especialidade: 'dermatologia' }],
      description: 'Arguments filled in by the model',
    }),
    status: Choice(['running', 'done', 'failed', 'in_doubt', 'refused'], {
      description: 'in_doubt: sent, outcome unknown; refused: not sent',
      examples: ['done'],
    }),
    result: Nullable(Example('Livre: quinta 10:00, quinta 11:30')),
    error: Nullable(Example('HTTP 503', { examples: [null] })),
    durationMs: Nullable(Type.Integer({ examples: [412] })),
    startedAt: Timestamp,
    endedAt: Nullable(Timestamp),
  },
  { title: 'ToolCall' },
)
export type ToolCallRecord = Static<typeof ToolCallRecord>
