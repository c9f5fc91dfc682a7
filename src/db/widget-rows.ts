// The rows of website widgets; part of tables.ts.

export type WidgetRow = {
  id: string // publishable: part of the site's page
  userId: string
  agentId: string
  name: string
  origins: string // JSON: the sites that may use it
  channels: string // JSON: call, chat
  appearance: string // JSON: colors, position, language, texts
  limits: string // JSON
  isActive: 0 | 1
  createdAt: string
  updatedAt: string
}

export type WidgetUsageKind = 'calls' | 'messages'

/** A widget's daily usage, counted across all processes. */
export type WidgetUsageRow = {
  widgetId: string
  day: string // in UTC, such as 2026-01-31
  kind: WidgetUsageKind | `${WidgetUsageKind} ${string}` // with one visitor's hash: kept for a day
  amount: number
}

/**
 * A call or chat opened by a visitor. Its id is that of the call or the conversation, which may be deleted before this
 * row.
 */
export type WidgetSessionRow = {
  id: string
  widgetId: string
  kind: 'call' | 'chat'
  visitor: string | null // a keyed hash of the visitor's network, kept for a day
  lastSaidAt: string | null // for a chat: when the visitor last wrote
  createdAt: string
}
