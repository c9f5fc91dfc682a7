// Fills a database before the real server opens it: one user for single records, and two users with lists.

import { newId } from '../../src/base/ids.ts'
import { toIso } from '../../src/base/time/clock.ts'
import type { DatabaseConfig } from '../../src/config/config.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { notAnalyzed } from '../../src/db/tables.ts'
import { agentStore } from '../../src/features/agents/store.ts'
import { conversationStore } from '../../src/features/conversations/store.ts'
import { keyFinder } from '../../src/features/keys/finder-store.ts'
import { keyStore } from '../../src/features/keys/store.ts'
import { userStore } from '../../src/features/users/store.ts'

export type Seeded = {
  /** A user with the same number of keys, agents and active conversations. */
  one: { keys: string[]; agentIds: string[]; conversationIds: string[] }
  hundred: { keys: string[] }
  tenThousand: { keys: string[] }
}

/** A key allows 100,000 requests a minute, or 1,666 a second, which is less than the benchmark sends. */
const MANY_KEYS = 60
const RATE_LIMIT = 100_000

const agent = {
  name: 'Reception',
  description: 'Answers the practice, takes appointments, passes on what is urgent',
  systemPrompt:
    'You are the receptionist of a dental practice. Greet the caller, ask for the name and the reason of the call, and offer ' +
    'the next two free appointments that fit. Repeat date and time before you book. If the caller is in pain, or asks for a ' +
    'person, transfer the call at once. Never give medical advice, and never speak about other patients.',
  voiceId: 'warm-1',
  initialSpeech: 'Good morning, this is the practice. How can I help you?',
  llmConfig: { model: 'small', temperature: 0.4 },
  settings: { interruptible: true, turn: { minPauseMs: 300, maxPauseMs: 1500 }, endPhrases: ['goodbye', 'bye'] },
}

export async function seed(config: DatabaseConfig): Promise<Seeded> {
  const database = await openDatabase(config, () => {})
  try {
    const { db } = database
    const users = userStore(db)
    const keys = keyStore(db, keyFinder(db, false))
    const agents = agentStore(db)
    const conversations = conversationStore(db)

    const user = async (name: string, keyCount: number) => {
      const { id } = await users.create(name)
      const made = await times(keyCount, () =>
        keys.create({ userId: id, personId: id }, { name: 'bench', rateLimit: RATE_LIMIT }),
      )
      return { id, keys: made.map(({ key }) => key) }
    }
    const withList = async (name: string, keyCount: number, length: number) => {
      const made = await user(name, keyCount)
      const { id: agentId } = await agents.create(made.id, agent)
      await addConversations(db, made.id, agentId, length)
      return { keys: made.keys }
    }

    const one = await user('one', MANY_KEYS)
    const agentIds = (await times(MANY_KEYS, () => agents.create(one.id, agent))).map(({ id }) => id)
    const started = await times(MANY_KEYS, (i) =>
      conversations.start(one.id, { agentId: agentIds[i] ?? '', title: 'A call' }),
    )
    return {
      one: { keys: one.keys, agentIds, conversationIds: started.map(({ id }) => id) },
      hundred: await withList('hundred', MANY_KEYS, 100),
      tenThousand: await withList('ten thousand', 4, 10_000),
    }
  } finally {
    await database.close()
  }
}

async function times<T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let i = 0; i < count; i++) made.push(await make(i))
  return made
}

const BATCH = 500

async function addConversations(db: Db, userId: string, agentId: string, count: number): Promise<void> {
  const first = Date.parse('2026-01-01T00:00:00.000Z')
  const rows = Array.from({ length: count }, (_, i) => ({
    id: newId('cnv'),
    userId,
    agentId,
    title: `Call number ${i}`,
    status: 'ended' as const,
    startedAt: toIso(first + i * 60_000),
    endedAt: toIso(first + i * 60_000 + 45_000),
    messageCount: 0,
    lastMessageAt: null,
    ...notAnalyzed,
  }))
  for (let i = 0; i < count; i += BATCH)
    await db
      .insertInto('conversations')
      .values(rows.slice(i, i + BATCH))
      .execute()
}
