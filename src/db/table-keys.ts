// The primary key of each table and the sealed columns: used by backups and by `rekey`.
import type { Tables } from './tables.ts'

/** Parents before children: the order in which a backup is written and restored. */
export const tableKeys = {
  users: ['id'],
  apiKeys: ['id'],
  sessions: ['id'],
  secondFactors: ['userId'],
  recoveryCodes: ['userId', 'hash'],
  invitations: ['id'],
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
  provisioningLinks: ['id'],
  deviceTexts: ['id'],
  gatewayCredentials: ['userId'],
  calls: ['id'],
  callLadders: ['callId'],
  callTurns: ['callId'],
  callbacks: ['id'],
  recordingRemovals: ['node', 'file'],
  rehearsalScripts: ['id'],
  rehearsals: ['id'],
  toolCalls: ['id'],
  knowledgeBases: ['id'],
  knowledgeDocuments: ['id'],
  knowledgePassages: ['documentId', 'number'],
  spreadsheets: ['id'],
  spreadsheetRows: ['id'],
  eventCounters: ['userId'],
  events: ['id'],
  webhooks: ['id'],
  webhookDeliveries: ['id'],
  providerAccounts: ['id'],
  usages: ['userId', 'day', 'kind'],
  toolTests: ['id'],
  spentTokens: ['id'],
  widgets: ['id'],
  widgetUsages: ['widgetId', 'day', 'kind'],
  widgetSessions: ['id'],
  callDrafts: ['id'],
  answerHooks: ['id'],
  callHooks: ['callId'],
  conversationHooks: ['conversationId'],
  idempotency: ['keyId', 'idempotencyKey'],
  meta: ['name'],
  leases: ['name'],
  changeCounters: ['name'],
} as const satisfies { readonly [T in keyof Tables]: readonly (keyof Tables[T] & string)[] }

/**
 * State of running processes and browsers, left out of backups: a restored session or link might be one that was ended or used
 * since.
 */
export const notBackedUp: readonly (keyof Tables)[] = [
  'sessions',
  'invitations',
  'leases',
  'changeCounters',
  'callDrafts',
]

/** The columns that hold secrets, and the column whose value each secret is bound to. */
export const sealedColumns = [
  { table: 'trunks', column: 'passwordSealed', row: 'id' },
  { table: 'tools', column: 'headersSealed', row: 'id' },
  { table: 'tools', column: 'authorizationSealed', row: 'id' },
  { table: 'devices', column: 'sipPasswordSealed', row: 'id' },
  { table: 'devices', column: 'trunkSealed', row: 'id' },
  { table: 'webhooks', column: 'secretSealed', row: 'id' },
  { table: 'webhooks', column: 'oldSecretSealed', row: 'id' },
  { table: 'providerAccounts', column: 'keySealed', row: 'id' },
  { table: 'answerHooks', column: 'secretSealed', row: 'id' },
  { table: 'answerHooks', column: 'oldSecretSealed', row: 'id' },
  { table: 'gatewayCredentials', column: 'passwordSealed', row: 'userId' },
  { table: 'secondFactors', column: 'secretSealed', row: 'userId' },
] as const
