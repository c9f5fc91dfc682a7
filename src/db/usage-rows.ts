// The rows of usage limits: daily budgets, tool tests and one-time tokens; part of tables.ts.

/** A user's daily usage of something that the operator pays for. */
export type UsageRow = {
  userId: string
  day: string // in UTC, as 2026-01-31
  kind: 'texts' | 'calls' | 'ttsCharacters'
  amount: number
}

/** A used one-time token, stored until it would have expired. */
export type SpentTokenRow = { id: string; expiresAt: string }

/** A test of a tool by its owner. `running` for longer than a tool may take: the process crashed. */
export type ToolTestRow = {
  id: string
  userId: string
  toolId: string
  name: string // the function's name
  status: 'running' | 'done' | 'failed' | 'in_doubt'
  error: string | null
  startedAt: string
  durationMs: number | null
}
