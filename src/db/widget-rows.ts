// The rows of website widgets; part of tables.ts.

export type WidgetRow = {
  id: string // publishable: it is part of the site's page
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

/** A widget's daily usage, counted for all processes together. */
export type WidgetUsageRow = {
  widgetId: string
  day: string // in UTC, as 2026-01-31
  kind: WidgetUsageKind | `${WidgetUsageKind} ${string}` // of all visitors, or followed by the hash of one; that row is deleted after the day
  amount: number
}

/** A call or chat that a visitor opened. Its id is that of the call or the conversation, which may be deleted before it. */
export type WidgetSessionRow = {
  id: string
  widgetId: string
  kind: 'call' | 'chat'
  visitor: string | null // a keyed hash of the visitor's network, for a day
  lastSaidAt: string | null // of a chat: when the visitor wrote last
  createdAt: string
}
