// The rows of usage limits: daily budgets, tool tests, one-time tokens and drafts of calls; part of tables.ts.

import type { BudgetKind } from '../base/meter.ts'

/** A user's daily usage of something the operator pays for. */
export type UsageRow = {
  userId: string
  day: string // in UTC, such as 2026-01-31
  kind: BudgetKind
  amount: number
}

/** A used one-time token, stored until it would have expired. */
export type SpentTokenRow = { id: string; expiresAt: string }

/** Unsaved changes of an agent for one web call; deleted when the call starts. */
export type CallDraftRow = {
  id: string // of the future call
  userId: string
  draft: string // JSON: the body of PATCH /api/agents/:id
  expiresAt: string // expires with its token
}

/** An owner's test of a tool. If it is `running` for longer than a tool may take, the process crashed. */
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
