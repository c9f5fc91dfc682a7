// Every row of the database on one page. The portable subset: text ids, ISO timestamps as text, JSON as text, 0 or 1 for truth.
// A column that ends in `Sealed` holds a secret (base/secrets.ts) and is named in `sealedColumns` below.

type Bit = 0 | 1

/** What nearly every table has: its id, and the user whose row it is. */
export type Owned = { id: string; userId: string; createdAt: string }

export type UserRow = { id: string; name: string; email: string | null; createdAt: string }

export type ApiKeyRow = Owned & {
  name: string
  hash: string // SHA-256 of the key, the only trace of it
  prefix: string
  scopes: string | null // JSON
  rateLimit: number
  lastUsedAt: string | null
  expiresAt: string | null
  isActive: Bit
}

export type AgentRow = Owned & {
  name: string
  description: string | null
  systemPrompt: string
  voiceId: string | null
  isActive: Bit
  direction: 'inbound' | 'outbound' | 'both'
  language: string
  ttsProvider: 'provider_a' | 'provider_b' | 'provider_c'
  initialSpeech: string | null
  llmConfig: string | null // JSON, in the order in which it was sent
  provider_aConfig: string | null // JSON
  settings: string | null // JSON
  updatedAt: string
}

export type ConversationRow = {
  id: string
  userId: string
  agentId: string
  title: string | null
  status: 'active' | 'ended' | 'failed'
  startedAt: string
  endedAt: string | null
  messageCount: number // the number of its last message; adding to it locks the conversation
  lastMessageAt: string | null
}

export type MessageRow = {
  id: string
  conversationId: string
  number: number // 1, 2, 3 … within its conversation
  type: 'user' | 'agent' | 'system'
  content: string
  timestamp: string
}

export type DidRow = Owned & {
  phoneNumber: string
  countryCode: string
  provider: string
  status: 'active' | 'inactive'
  agentId: string | null
}

/** Its key is (userId, id): the spec lets a user name a trunk before it is set up. */
export type TrunkRow = Owned & {
  name: string
  host: string | null
  passwordSealed: string | null
  settings: string // JSON: the other fields of the record, which no query asks for
  status: 'unconfigured' | 'unknown' | 'registering' | 'registered' | 'reachable' | 'unreachable' | 'auth_failed'
  statusDetail: string | null
  lastSeenAt: string | null
  isActive: Bit
  updatedAt: string
}

export type TrunkLinkRow = Owned & { agentId: string; trunkId: string; trunkType: 'inbound' | 'outbound' }

/** A number that came with a trunk link. */
export type LinkNumberRow = { linkId: string; didId: string; createdAt: string }

export type ToolRow = Owned & {
  name: string
  description: string | null
  type: string
  method: string | null
  requestUrl: string | null
  parameters: string | null // JSON
  headersSealed: string | null // JSON
  authorizationSealed: string | null // JSON
  body: string | null // JSON
  messages: string | null // JSON
  config: string | null // JSON
  isActive: Bit
  updatedAt: string
}

export type ToolLinkRow = { toolId: string; agentId: string; createdAt: string }

export type DeviceRow = Owned & {
  deviceId: string // short and readable
  name: string | null
  token: string
  phone: string | null
  displayName: string | null
  status: 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error' | 'disabled'
  provisioned: Bit // made by provision-device; one for each user
  agentId: string | null
  inboundEnabled: Bit
  outboundEnabled: Bit
  maxConcurrentCalls: number | null
  recordCalls: Bit
  webhookUrl: string | null
  sipUsername: string
  sipPasswordSealed: string
  lastSeenAt: string | null
  lastError: string | null
  updatedAt: string
}

export type GatewayCredentialsRow = {
  userId: string
  email: string
  passwordSealed: string
  status: 'unverified' | 'valid' | 'invalid'
  lastVerifiedAt: string | null
  createdAt: string
  updatedAt: string
}

export type CallRow = {
  id: string
  userId: string
  agentId: string | null // null: refused before an agent was found
  conversationId: string | null
  direction: 'inbound' | 'outbound'
  status: CallStatus
  endReason: string | null
  endDetail: string | null // the reason in words
  sipCode: number | null
  hangupBy: 'caller' | 'agent' | 'system' | 'carrier' | null
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  deviceTokens: string | null // JSON: which devices to try, in this order
  channel: 'sip' | 'web' | 'whatsapp'
  variables: string | null // JSON
  metadata: string | null // JSON
  recording: string | null // file name below DATA_DIR/recordings
  leaseUntil: string // whoever runs the call renews it; a call whose lease ran out was left by a dead process
  startedAt: string
  ringingAt: string | null
  answeredAt: string | null
  endedAt: string | null
}
export type CallStatus = (typeof liveStatuses)[number] | (typeof endStatuses)[number]
export const liveStatuses = ['initiating', 'ringing', 'in_progress', 'transferring'] as const
export const endStatuses = ['completed', 'failed', 'busy', 'no_answer', 'canceled'] as const

/** The SIP messages of a call, secrets masked. */
export type CallLadderRow = { callId: string; entries: string } // JSON

/** The turns of a call and how long each stage of them took. */
export type CallTurnsRow = { callId: string; turns: string } // JSON

/** The answer to a POST that came with an Idempotency-Key. */
export type IdempotencyRow = {
  keyId: string
  idempotencyKey: string
  fingerprint: string // of method, path and body
  statusCode: number | null // null while the first request is still at work
  answerSealed: string | null // under the caller's own API key, not the master key
  createdAt: string
  lockedUntil: string
}

export type MetaRow = { name: string; value: string }

export type Tables = {
  users: UserRow
  apiKeys: ApiKeyRow
  agents: AgentRow
  conversations: ConversationRow
  messages: MessageRow
  dids: DidRow
  trunks: TrunkRow
  trunkLinks: TrunkLinkRow
  linkNumbers: LinkNumberRow
  tools: ToolRow
  toolLinks: ToolLinkRow
  devices: DeviceRow
  gatewayCredentials: GatewayCredentialsRow
  calls: CallRow
  callLadders: CallLadderRow
  callTurns: CallTurnsRow
  idempotency: IdempotencyRow
  meta: MetaRow
}

/** The key of each table, parents before children: the order in which a backup is written and read back. */
export const tableKeys = {
  users: ['id'],
  apiKeys: ['id'],
  agents: ['id'],
  conversations: ['id'],
  messages: ['id'],
  dids: ['id'],
  trunks: ['userId', 'id'],
  trunkLinks: ['id'],
  linkNumbers: ['linkId', 'didId'],
  tools: ['id'],
  toolLinks: ['toolId', 'agentId'],
  devices: ['id'],
  gatewayCredentials: ['userId'],
  calls: ['id'],
  callLadders: ['callId'],
  callTurns: ['callId'],
  idempotency: ['keyId', 'idempotencyKey'],
  meta: ['name'],
} as const satisfies { readonly [T in keyof Tables]: readonly (keyof Tables[T] & string)[] }

/** Where secrets lie, and which column names the row they are bound to. */
export const sealedColumns = [
  { table: 'trunks', column: 'passwordSealed', row: 'id' },
  { table: 'tools', column: 'headersSealed', row: 'id' },
  { table: 'tools', column: 'authorizationSealed', row: 'id' },
  { table: 'devices', column: 'sipPasswordSealed', row: 'id' },
  { table: 'gatewayCredentials', column: 'passwordSealed', row: 'userId' },
] as const

export const bit = (truth: boolean): Bit => (truth ? 1 : 0)
export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
export const fromJson = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
