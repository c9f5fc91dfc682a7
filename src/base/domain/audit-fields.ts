// Which columns of a record the audit log shows with their values. Of the others it has the names alone: they may hold
// secrets, or something about a caller.

/** Kinds of records, with the columns whose values are shown. A JSON object is compared by its fields. */
export const auditFields = {
  agent: [
    ...(['name', 'description', 'systemPrompt', 'voiceId', 'isActive', 'direction', 'language'] as const),
    ...(['ttsProvider', 'initialSpeech', 'settings', 'removedAt'] as const),
  ],
  tool: ['name', 'description', 'type', 'method', 'isActive'],
  toolLink: ['toolId', 'agentId'],
  knowledgeBase: ['name', 'description', 'language', 'generateQuestions'],
  document: ['name', 'contentType', 'letters', 'knowledgeBaseId'],
  spreadsheet: ['name', 'columns', 'rowCount'],
  number: ['phoneNumber', 'countryCode', 'provider', 'status', 'agentId'],
  trunk: ['name', 'host', 'isActive'],
  trunkLink: ['agentId', 'trunkId', 'trunkType', 'phoneNumber'],
  device: [
    ...(['deviceId', 'name', 'phone', 'displayName', 'status', 'driver', 'agentId', 'inboundEnabled'] as const),
    ...(['outboundEnabled', 'maxConcurrentCalls', 'recordCalls'] as const),
  ],
  gatewayAccount: ['email'],
  provider: ['kind', 'vendor', 'name', 'baseUrl', 'model', 'models', 'prices', 'isDefault', 'sharedAt'],
  widget: ['agentId', 'name', 'origins', 'channels', 'appearance', 'limits', 'isActive'],
  webhook: ['events', 'agentIds', 'description', 'isActive'],
  answerHook: ['didId', 'agentId', 'kind', 'spreadsheet', 'timeoutMs', 'isActive'],
  key: ['name', 'scopes', 'rateLimit', 'expiresAt', 'isActive', 'createdBy'],
  campaign: [
    ...(['name', 'agentId', 'status', 'statusReason', 'trunkId', 'deviceId', 'callerId', 'defaultCountry'] as const),
    ...(['schedule', 'pacing', 'retries', 'rulesId', 'disclosure'] as const),
  ],
  contact: ['resolution'],
  callingRules: ['name', 'version'],
  suppression: ['reason'],
  suppressionList: ['name', 'sector', 'effectiveAt', 'version', 'entryCount'],
  callback: ['status'],
  call: ['agentId', 'direction', 'method'],
  conversation: ['agentId', 'status'],
  organization: ['name'],
  member: ['role', 'mayListen', 'mayExport'],
  invitation: ['kind', 'email', 'role', 'memberRole', 'expiresAt'],
  user: ['name', 'email', 'role', 'disabledAt'],
  session: ['reason'],
  settings: ['host', 'sipHost', 'publicUrl', 'publicAddress'],
  audit: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type AuditKind = keyof typeof auditFields
export const auditKinds = Object.keys(auditFields) as [AuditKind, ...AuditKind[]]

/** Columns that say nothing about a change: keys, times, counters and what the platform observes. */
export const unnamed: ReadonlySet<string> = new Set([
  ...['id', 'userId', 'createdAt', 'updatedAt', 'rowVersion', 'hash', 'prefix', 'lastUsedAt', 'readUpTo', 'resumedAt'],
  ...['startedAt', 'endedAt', 'importedAt', 'lastNumber', 'lastVersion', 'importUntil', 'statusAt', 'statusDetail'],
  ...['lastSeenAt', 'lastError', 'tries', 'dueAt', 'addressClaims', 'addressProofs', 'passwordOrigin', 'keyFor'],
  ...['headersFor', 'authorizationFor', 'oldSecretSealed', 'oldSecretUntil', 'embeddedBy', 'passageCount', 'error'],
  ...['organizationId', 'personId', 'isBootstrap', 'lastSignInAt', 'isPerson', 'token', 'sipUsername', 'leaseUntil'],
])
