// Rows of answer hooks and their decisions; part of tables.ts.

export type AnswerHookRow = {
  id: string
  userId: string
  didId: string | null // the number whose calls trigger it
  agentId: string | null // the agent whose web calls, texts and device calls trigger it; one of the two is set
  kind: 'url' | 'spreadsheet'
  url: string | null
  secretSealed: string | null // signs the requests; null: it has never had a URL
  oldSecretSealed: string | null // also signs until then
  oldSecretUntil: string | null
  spreadsheet: string | null // JSON: the spreadsheet and its columns
  timeoutMs: number
  isActive: 0 | 1
  createdAt: string
  updatedAt: string
  rowVersion?: number // see VersionedRow in tables.ts
}

/** The hook's decision about a call. */
export type CallHookRow = { callId: string; outcome: string } // JSON, without the values of variables

/** A chat's hook runs once, but every reply of the chat needs its answer. */
export type ConversationHookRow = {
  conversationId: string
  outcome: string // JSON, without the values of variables
  guidance: string // JSON: agent, variables, language, context
}

export type HookTables = {
  answerHooks: AnswerHookRow
  callHooks: CallHookRow
  conversationHooks: ConversationHookRow
}
