// Every row of the database, in a portable subset: text ids, ISO timestamps as text, JSON as text, 0 or 1 for booleans.
// A column whose name ends in `Sealed` contains an encrypted secret (base/crypto/secrets.ts) and is listed in
// table-keys.ts.
import type { Role } from '../base/domain/role.ts'
import type { AuditTables } from './audit-rows.ts'
import type { CallLadderRow, CallRow, CallTurnsRow } from './call-rows.ts'
import type { CallbackRow } from './callback-rows.ts'
import type { CampaignTables } from './campaign-rows.ts'
import type { ClusterTables } from './cluster-rows.ts'
import type { EventCounterRow, EventRow, WebhookDeliveryRow, WebhookRow } from './event-rows.ts'
import type { HookTables } from './hook-rows.ts'
import type { KnowledgeBaseRow, KnowledgeDocumentRow, KnowledgePassageRow } from './knowledge-rows.ts'
import type { InvitationRow, MemberRow, OrganizationRow, RehearsalScriptRow } from './people-rows.ts'
import type { ProviderAccountRow } from './provider-rows.ts'
import type { RecordingRemovalRow } from './recording-rows.ts'
import type { CallDraftRow, SpentTokenRow, ToolTestRow, UsageRow } from './usage-rows.ts'
import type { WidgetRow, WidgetSessionRow, WidgetUsageRow } from './widget-rows.ts'

type Bit = 0 | 1

/** Columns of nearly every table: the id and the owner. */
export type Owned = { id: string; userId: string; createdAt: string }
/** A record that users edit: `rowVersion` starts at 1 and increases with every change of a user-writable field. */
export type VersionedRow = Owned & { rowVersion?: number }

export type { Role } from '../base/domain/role.ts'
export type { CallLadderRow, CallRow, CallStatus, CallTurnsRow } from './call-rows.ts'

export type UserRow = {
  id: string
  name: string
  email: string | null // lower case; unique among users with a password
  role: Role
  passwordHash: string | null // see base/crypto/password-hash.ts; null: signs in only with an API key
  removedAt?: string | null // hidden from every reader; purged in batches (db/purge.ts)
  disabledAt?: string | null // cannot sign in, and cannot receive or place calls
  lastSignInAt?: string | null
  isPerson?: Bit // 0: only an organization, in which nobody signs in
  lastOrganizationId?: string | null // the organization that the page showed last
  createdAt: string
}

/** A browser session. */
export type SessionRow = Owned & {
  keyId: string | null // signed in with this API key; the session is valid no longer than the key
  hash: string // SHA-256 of the cookie's value
  lastUsedAt: string // accurate to a few minutes
  expiresAt: string // extended by use, up to a fixed maximum
  device: string | null // the browser's user agent at sign-in
  address: string | null // the client's truncated address
}

/** Second factor: TOTP secret of an authenticator app. */
export type SecondFactorRow = {
  userId: string
  secretSealed: string
  createdAt: string
  confirmedAt: string | null // null: enrollment has started, but no code is required yet
  lastStep: number // time step of the last accepted code: no code is accepted twice
}

export type RecoveryCodeRow = {
  userId: string
  hash: string // see features/auth/recovery-codes.ts; a used code is deleted
}

export type ApiKeyRow = Owned & {
  name: string
  hash: string // SHA-256 of the key; the key itself is not stored
  prefix: string
  scopes: string | null // JSON
  rateLimit: number
  lastUsedAt: string | null
  expiresAt: string | null
  isActive: Bit
  isBootstrap: Bit // from BOOTSTRAP_API_KEY: it may have any form
  createdBy?: string | null // the person; null, from the previous release: the person with the id of the organization
}

export type AgentRow = VersionedRow & {
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
  removedAt: string | null // hidden from every reader with everything it owns; purged in batches (db/purge.ts)
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
  messageCount: number // the number of its last message; incrementing it locks the conversation
  lastMessageAt: string | null
  variables: string | null // JSON: given at the start of a chat; for calls they are in the call's row
  analysis: string | null // JSON
  analysisStatus: AnalysisStatus | null // null while it is in progress
  analysisTries: number
  analysisDueAt: string | null // for pending: not before this; for processing: end of the lease
}
export type AnalysisStatus = (typeof analysisStatuses)[number]
export const analysisStatuses = ['pending', 'processing', 'done', 'failed', 'skipped'] as const
/** The columns of a conversation before its analysis. */
export const notAnalyzed = { analysis: null, analysisStatus: null, analysisTries: 0, analysisDueAt: null } as const

export type MessageRow = {
  id: string
  conversationId: string
  number: number // 1, 2, 3 … within its conversation
  type: 'user' | 'agent' | 'system'
  author: 'operator' | null // who made the agent say it; null: nobody
  content: string
  timestamp: string
}

export type DidRow = VersionedRow & {
  phoneNumber: string
  countryCode: string
  provider: string
  status: 'active' | 'inactive'
  agentId: string | null
}

/** Its key is (userId, id), because the spec lets a user name a trunk before it is configured. */
export type TrunkRow = VersionedRow & {
  name: string
  host: string | null
  passwordSealed: string | null
  passwordOrigin: string | null // JSON: the server that the password was set for; it is sent to no other
  addressClaims: string // JSON: the addresses claimed by each of the trunk's hosts or ranges, and since when
  addressProofs: string // JSON: which of them were proved to belong to the trunk, how and when
  mayReachPrivate: Bit // its target was set with full access: an administrator's trunk may reach private networks
  settings: string // JSON: the other fields of the record, which no query filters by
  status: 'unconfigured' | 'unknown' | 'registering' | 'registered' | 'reachable' | 'unreachable' | 'auth_failed'
  statusDetail: string | null
  lastSeenAt: string | null
  isActive: Bit
  updatedAt: string
}

export type TrunkLinkRow = Owned & { agentId: string; trunkId: string; trunkType: 'inbound' | 'outbound' }
/** A number that came with a trunk link. */
export type LinkNumberRow = { linkId: string; didId: string; createdAt: string }

export type ToolRow = VersionedRow & {
  name: string
  description: string | null
  type: string
  method: string | null
  requestUrl: string | null
  parameters: string | null // JSON
  headersSealed: string | null // JSON
  authorizationSealed: string | null // JSON
  headersFor: string | null // the origin the headers' secrets belong to; null: the current origin of requestUrl
  authorizationFor: string | null // JSON: origin and place of the authorization's secret; null: the current ones
  body: string | null // JSON
  messages: string | null // JSON
  config: string | null // JSON
  isActive: Bit
  updatedAt: string
}

export type ToolLinkRow = { toolId: string; agentId: string; createdAt: string }

export type DeviceRow = VersionedRow & {
  deviceId: string // short and readable
  name: string | null
  token: string
  phone: string | null
  displayName: string | null
  status: 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error' | 'disabled'
  provisioned: Bit // created by provision-device; one per user
  agentId: string | null
  inboundEnabled: Bit
  outboundEnabled: Bit
  maxConcurrentCalls: number | null
  recordCalls: Bit
  webhookUrl: string | null
  driver: 'embedded' | 'whatsapp' | 'remote'
  externalId: string | null // its id at its gateway or network
  trunkSealed: string | null // JSON: how calls reach a device that does not register with us
  sipUsername: string
  sipPasswordSealed: string
  statusAt: string // when the status last changed; increases with each change
  tries: number // consecutive failures to create or poll it at its gateway
  dueAt: string | null // when it is polled next, or the end of a worker's lease; null: not polled
  lastSeenAt: string | null
  lastError: string | null
  updatedAt: string
}

/** A URL that provisions a phone once. The URL itself is not stored: it is derived from the id and the master key. */
export type ProvisioningLinkRow = Owned & {
  deviceId: string
  hash: string // hash of the URL's last segment
  expiresAt: string
  usedAt: string | null
}

/** A text that a device received or sends. */
export type DeviceTextRow = Owned & {
  deviceId: string
  direction: 'in' | 'out'
  key: string // for in: the network's id; for out: ours. Unique per device and direction
  peer: string // the sender of an incoming text, the recipient of an outgoing one
  own: string | null // our address that the peer writes to, if the device has several
  text: string
  conversationId: string | null
  // in: answering, then answered, kept (nobody can answer it) or failed. out: sending, then sent, failed or in_doubt
  status: 'waiting' | 'answering' | 'answered' | 'kept' | 'sending' | 'sent' | 'failed' | 'in_doubt'
  tries: number
  dueAt: string // for waiting: not before this; for answering and sending: end of the lease
  externalId: string | null
  error: string | null
  endedAt: string | null
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

/** A tool call of a conversation, or its refusal: written before anything is sent. */
export type ToolCallRow = {
  id: string // also sent as the idempotency key
  userId: string
  conversationId: string
  callId: string | null
  toolId: string | null // null: the model called a tool that does not exist
  name: string // the function's name as the model sees it
  arguments: string // JSON
  dedupeKey: string // identifies one request within its conversation
  argumentsKey: string // identifies the arguments
  hasEffect: Bit
  status: 'running' | 'done' | 'failed' | 'in_doubt' | 'refused'
  result: string | null
  error: string | null
  variables: string | null // JSON: values of its response for later tools
  attempts: number // how often it was sent, always under the same id
  startedAt: string
  endedAt: string | null
  durationMs: number | null
  leaseUntil: string // if still running after this, its process crashed
}

/** A conversation of a scripted caller with an agent, and its outcome. */
export type RehearsalRow = Owned & {
  agentId: string
  replayOf: string | null // the call whose caller audio was replayed
  name: string
  mode: 'text' | 'audio'
  status: 'running' | 'passed' | 'failed' | 'error'
  checksPassed: number
  checksFailed: number
  durationMs: number | null // in call time, which may run faster than real time
  outcome: string | null // JSON; partial while it is running
  scriptId?: string | null // the saved rehearsal that was run
  script?: string | null // JSON: what was run, without audio
  endedAt: string | null
}

/** This row is the lock for the spreadsheet's rows: every writer locks it first. */
export type SpreadsheetRow = VersionedRow & {
  name: string
  columns: string // JSON: their names, in order
  rowCount: number
  lastNumber: number // number of the last added row
  version: number // incremented when all rows are replaced
  updatedAt: string
}

export type SheetRowRow = {
  id: string
  spreadsheetId: string
  number: number // increasing; the order of the rows, with gaps where rows were removed
  cells: string // JSON, in the order of the columns
  searchText: string // see features/spreadsheets/search.ts
  addedBy: string | null // the tool call that added it, so that a retry finds the same row
  changedBy: string | null // the tool call that changed it last
  createdAt: string
  updatedAt: string
}

/** The response to a POST with an Idempotency-Key. */
export type IdempotencyRow = {
  keyId: string
  idempotencyKey: string
  fingerprint: string // hash of method, path and body
  statusCode: number | null // null while the first request is in progress
  answerSealed: string | null // encrypted under the caller's own API key, not the master key
  createdAt: string
  lockedUntil: string // renewed by the request in progress; once past, its process crashed and the key is free
  holder: string | null // the request in progress
}

export type MetaRow = { name: string; value: string }

/** Which process is the leader for a task, by the database clock (db/leases.ts). */
export type LeaseRow = { name: string; holder: string; leaseUntil: string }

/** `phone`: incremented by triggers with every change of a trunk, a device or the administrators (migration 0028). */
export type ChangeCounterRow = { name: 'phone' | 'bindings'; value: number }

export type Tables = AuditTables &
  CampaignTables &
  ClusterTables &
  HookTables & {
    users: UserRow
    organizations: OrganizationRow
    members: MemberRow
    sessions: SessionRow
    secondFactors: SecondFactorRow
    recoveryCodes: RecoveryCodeRow
    apiKeys: ApiKeyRow
    invitations: InvitationRow
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
    provisioningLinks: ProvisioningLinkRow
    deviceTexts: DeviceTextRow
    gatewayCredentials: GatewayCredentialsRow
    calls: CallRow
    callLadders: CallLadderRow
    callTurns: CallTurnsRow
    recordingRemovals: RecordingRemovalRow
    rehearsalScripts: RehearsalScriptRow
    rehearsals: RehearsalRow
    toolCalls: ToolCallRow
    knowledgeBases: KnowledgeBaseRow
    knowledgeDocuments: KnowledgeDocumentRow
    knowledgePassages: KnowledgePassageRow
    spreadsheets: SpreadsheetRow
    spreadsheetRows: SheetRowRow
    eventCounters: EventCounterRow
    events: EventRow
    webhooks: WebhookRow
    webhookDeliveries: WebhookDeliveryRow
    providerAccounts: ProviderAccountRow
    usages: UsageRow
    toolTests: ToolTestRow
    spentTokens: SpentTokenRow
    callbacks: CallbackRow
    widgets: WidgetRow
    widgetUsages: WidgetUsageRow
    widgetSessions: WidgetSessionRow
    callDrafts: CallDraftRow
    idempotency: IdempotencyRow
    meta: MetaRow
    leases: LeaseRow
    changeCounters: ChangeCounterRow
  }

export const bit = (truth: boolean): Bit => (truth ? 1 : 0)
export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
export const fromJson = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
