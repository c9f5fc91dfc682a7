// The first tables. Column meanings are in tables.ts.
import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely'

const required = (c: ColumnDefinitionBuilder) => c.notNull()

export async function up(db: Kysely<unknown>): Promise<void> {
  const build = builders(db)
  await createAgents(build)
  await createNumbers(build)
  await createTools(build)
  await createCalls(build)
}

type Builders = ReturnType<typeof builders>

function builders(db: Kysely<unknown>) {
  const table = (name: string) => db.schema.createTable(name)
  const texts = <T extends string>(to: CreateTableBuilder<T>, names: string[], nullable: string[] = []) => {
    let built: CreateTableBuilder<string> = to
    for (const name of names) built = built.addColumn(name, 'text', required)
    for (const name of nullable) built = built.addColumn(name, 'text')
    return built
  }
  /** A table of rows that belong to a user: listed newest first, deleted with their owner. */
  const owned = (name: string, names: string[], nullable: string[] = []) =>
    texts(
      table(name)
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade')),
      names,
      nullable,
    )
  const index = (on: string, columns: string[], unique = false) => {
    const built = db.schema
      .createIndex(`${on}_${columns.join('_')}`)
      .on(on)
      .columns(columns)
    return (unique ? built.unique() : built).execute()
  }
  const agentId = (c: ColumnDefinitionBuilder) => c.notNull().references('agents.id').onDelete('cascade')
  const agentIdOrNull = (c: ColumnDefinitionBuilder) => c.references('agents.id').onDelete('set null')
  return { table, texts, owned, index, agentId, agentIdOrNull }
}

/** Users, API keys, agents, conversations and messages. */
async function createAgents({ table, texts, owned, index, agentId }: Builders): Promise<void> {
  await texts(
    table('users').addColumn('id', 'text', (c) => c.primaryKey()),
    ['name', 'createdAt'],
    ['email'],
  ).execute()

  await owned('apiKeys', ['name', 'prefix', 'createdAt'], ['scopes', 'lastUsedAt', 'expiresAt'])
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('rateLimit', 'integer', required)
    .addColumn('isActive', 'integer', required)
    .execute()
  await index('apiKeys', ['userId', 'createdAt', 'id'])

  await owned(
    'agents',
    ['name', 'systemPrompt', 'direction', 'language', 'ttsProvider', 'createdAt', 'updatedAt'],
    ['description', 'voiceId', 'initialSpeech', 'llmConfig', 'provider_aConfig', 'settings'],
  )
    .addColumn('isActive', 'integer', required)
    .execute()
  await index('agents', ['userId', 'createdAt', 'id'])

  await owned('conversations', ['status', 'startedAt'], ['title', 'endedAt', 'lastMessageAt'])
    .addColumn('agentId', 'text', agentId)
    .addColumn('messageCount', 'integer', required)
    .execute()
  await index('conversations', ['userId', 'startedAt', 'id'])
  await index('conversations', ['agentId'])

  await texts(
    table('messages')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('conversationId', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
      .addColumn('number', 'integer', required),
    ['type', 'content', 'timestamp'],
  ).execute()
  await index('messages', ['conversationId', 'number'], true)
}

/** Numbers, trunks and their links. */
async function createNumbers({ table, texts, owned, index, agentId, agentIdOrNull }: Builders): Promise<void> {
  await owned('dids', ['countryCode', 'provider', 'status', 'createdAt'])
    .addColumn('phoneNumber', 'text', (c) => c.notNull().unique())
    .addColumn('agentId', 'text', agentIdOrNull)
    .execute()
  await index('dids', ['userId', 'createdAt', 'id'])
  await index('dids', ['agentId'])

  await texts(
    table('trunks').addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade')),
    ['id', 'name', 'settings', 'status', 'createdAt', 'updatedAt'],
    ['host', 'passwordSealed', 'statusDetail', 'lastSeenAt'],
  )
    .addColumn('isActive', 'integer', required)
    .addPrimaryKeyConstraint('trunks_key', ['userId', 'id'] as never[])
    .execute()
  await index('trunks', ['userId', 'createdAt', 'id'])

  await owned('trunkLinks', ['trunkId', 'trunkType', 'createdAt'])
    .addColumn('agentId', 'text', agentId)
    .addUniqueConstraint('trunkLinks_once', ['agentId', 'trunkId', 'trunkType'] as never[])
    .addForeignKeyConstraint(
      'trunkLinks_trunk',
      ['userId', 'trunkId'] as never[],
      'trunks',
      ['userId', 'id'] as never[],
      (c) => c.onDelete('cascade'),
    )
    .execute()
  await index('trunkLinks', ['userId', 'trunkId'])

  await table('linkNumbers')
    .addColumn('linkId', 'text', (c) => c.notNull().references('trunkLinks.id').onDelete('cascade'))
    .addColumn('didId', 'text', (c) => c.notNull().references('dids.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', required)
    .addPrimaryKeyConstraint('linkNumbers_key', ['linkId', 'didId'])
    .execute()
  await index('linkNumbers', ['didId'])
}

/** Tools, devices and gateway accounts. */
async function createTools({ table, texts, owned, index, agentId, agentIdOrNull }: Builders): Promise<void> {
  await owned(
    'tools',
    ['name', 'type', 'createdAt', 'updatedAt'],
    [
      'description',
      'method',
      'requestUrl',
      'parameters',
      'headersSealed',
      'authorizationSealed',
      'body',
      'messages',
      'config',
    ],
  )
    .addColumn('isActive', 'integer', required)
    .execute()
  await index('tools', ['userId', 'createdAt', 'id'])

  await table('toolLinks')
    .addColumn('toolId', 'text', (c) => c.notNull().references('tools.id').onDelete('cascade'))
    .addColumn('agentId', 'text', agentId)
    .addColumn('createdAt', 'text', required)
    .addPrimaryKeyConstraint('toolLinks_key', ['toolId', 'agentId'])
    .execute()
  await index('toolLinks', ['agentId'])

  await owned(
    'devices',
    ['deviceId', 'token', 'status', 'sipPasswordSealed', 'createdAt', 'updatedAt'],
    ['name', 'phone', 'displayName', 'webhookUrl', 'lastSeenAt', 'lastError'],
  )
    .addColumn('sipUsername', 'text', (c) => c.notNull().unique())
    .addColumn('provisioned', 'integer', required)
    .addColumn('agentId', 'text', agentIdOrNull)
    .addColumn('inboundEnabled', 'integer', required)
    .addColumn('outboundEnabled', 'integer', required)
    .addColumn('maxConcurrentCalls', 'integer')
    .addColumn('recordCalls', 'integer', required)
    .execute()
  await index('devices', ['userId', 'createdAt', 'id'])
  await index('devices', ['userId', 'deviceId'], true)
  await index('devices', ['agentId'])

  await texts(
    table('gatewayCredentials').addColumn('userId', 'text', (c) =>
      c.primaryKey().references('users.id').onDelete('cascade'),
    ),
    ['email', 'passwordSealed', 'status', 'createdAt', 'updatedAt'],
    ['lastVerifiedAt'],
  ).execute()
}

/** Calls, idempotent requests and settings of the database itself. */
async function createCalls({ table, texts, owned, index, agentId }: Builders): Promise<void> {
  await owned(
    'calls',
    ['direction', 'status', 'toNumber', 'channel', 'leaseUntil', 'startedAt'],
    [
      'endReason',
      'endDetail',
      'hangupBy',
      'fromNumber',
      'trunkId',
      'deviceId',
      'deviceTokens',
      'variables',
      'metadata',
      'recording',
      'ringingAt',
      'answeredAt',
      'endedAt',
    ],
  )
    .addColumn('agentId', 'text', agentId)
    .addColumn('conversationId', 'text', (c) => c.references('conversations.id').onDelete('set null'))
    .addColumn('sipCode', 'integer')
    .execute()
  await index('calls', ['userId', 'startedAt', 'id'])
  await index('calls', ['agentId'])
  await index('calls', ['conversationId'])
  await index('calls', ['status', 'leaseUntil'])

  await texts(
    table('idempotency').addColumn('keyId', 'text', (c) => c.notNull().references('apiKeys.id').onDelete('cascade')),
    ['idempotencyKey', 'fingerprint', 'createdAt', 'lockedUntil'],
    ['answerSealed'],
  )
    .addColumn('statusCode', 'integer')
    .addPrimaryKeyConstraint('idempotency_key', ['keyId', 'idempotencyKey'] as never[])
    .execute()
  await index('idempotency', ['createdAt'])

  await table('meta')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', required)
    .execute()
}
