// The row of a call-back request; part of tables.ts.
import type { CallbackReason, CallbackStatus } from '../base/concurrency/callbacks.ts'

/** One for each conversation and reason. It is deleted with its call or conversation. */
export type CallbackRow = {
  id: string
  userId: string
  agentId: string | null
  callId: string | null // null: asked for by text
  conversationId: string | null
  name: string | null
  phoneNumber: string | null // E.164 where the country is known
  matter: string | null
  reason: CallbackReason
  status: CallbackStatus
  note: string | null // of whoever calls back
  dueAt: string | null // not before this; null: at any time
  createdAt: string
  updatedAt: string
}
