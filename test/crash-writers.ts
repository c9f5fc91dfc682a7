// Writers for the crash test. Each records its requests and which of them were acknowledged; a request that was not
// acknowledged may or may not be stored, but never in part. Writers stop at the first request without a response.
import assert from 'node:assert/strict'
import { ask, type HttpAnswer } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: acknowledged records of many shapes
export type Acknowledged = any
/** `asked`: the change may or may not have happened; a check after the restart resolves it. */
type Change = 'no' | 'asked' | 'yes'

export type Model = {
  agents: Map<string, { record: Acknowledged; deleted: Change }>
  conversations: Map<
    string,
    {
      record: Acknowledged
      agentId: string
      ended: Acknowledged | 'no' | 'asked'
      messages: Acknowledged[]
      asked: number
    }
  >
  dids: Map<string, { record: Acknowledged; status: string[] }>
  /** Links by trunk id: each link has a trunk and a number of its own. */
  links: Map<string, { agentId: string; phoneNumber: string; acknowledged: boolean }>
  keys: Map<string, { secret: string; revoked: Change }>
  posts: { path: string; body: { name?: string; phoneNumber?: string }; key: string; answer: HttpAnswer | undefined }[]
  acknowledgements: number
}

export const newModel = (): Model => ({
  agents: new Map(),
  conversations: new Map(),
  dids: new Map(),
  links: new Map(),
  keys: new Map(),
  posts: [],
  acknowledgements: 0,
})

export type Random = () => number

/** Seeded pseudo-random numbers (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

let names = 0
const newName = () => `n${++names}`
const newNumber = () => `+5511${String(++names).padStart(9, '0')}`

/** The request got no response: the process was killed. */
class Unanswered extends Error {}

export function writers(model: Model, url: string, key: string, random: Random): Promise<void>[] {
  async function send(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    let answer: HttpAnswer
    try {
      answer = await ask(url + path, key, method, body, headers)
    } catch {
      throw new Unanswered()
    }
    assert.ok(answer.status === 200 || answer.status === 201, `${method} ${path}: ${answer.status} ${answer.text}`)
    model.acknowledgements++
    return answer
  }
  const write = async (method: string, path: string, body?: unknown): Promise<Acknowledged> =>
    JSON.parse((await send(method, path, body)).text)

  async function talk(agentId: string): Promise<void> {
    const record = await write('POST', '/api/conversations/start', { agentId, title: newName() })
    const conversation = { record, agentId, ended: 'no' as Acknowledged, messages: [] as Acknowledged[], asked: 0 }
    model.conversations.set(record.id, conversation)
    for (let n = Math.floor(random() * 4); n > 0; n--) {
      conversation.asked++
      const message = { type: 'user', content: `${newName()} 😀` }
      conversation.messages.push(await write('POST', `/api/conversations/message/send/${record.id}`, message))
    }
    if (random() < 0.5) return
    conversation.ended = 'asked'
    conversation.ended = await write('POST', '/api/conversations/end', { conversationId: record.id })
  }

  async function link(agentId: string): Promise<void> {
    const [trunkId, phoneNumber] = [`line-${newName()}`, newNumber()]
    const entry = { agentId, phoneNumber, acknowledged: false }
    model.links.set(trunkId, entry)
    await write('POST', `/api/agents/${agentId}/link-trunk`, { trunkId, trunkType: 'inbound', phoneNumber })
    entry.acknowledged = true
  }

  async function agentLife(): Promise<void> {
    const record = await write('POST', '/api/agents', { name: newName(), systemPrompt: 'x'.repeat(500) })
    const agent = { record, deleted: 'no' as Change }
    model.agents.set(record.id, agent)
    await talk(record.id)
    await link(record.id)
    if (random() < 0.5) await talk(record.id)
    if (random() < 0.6) return
    agent.deleted = 'asked'
    await write('DELETE', `/api/agents/${record.id}`)
    agent.deleted = 'yes'
  }

  async function numberLife(): Promise<void> {
    const record = await write('POST', '/api/did', { phoneNumber: newNumber(), countryCode: '55' })
    const did = { record, status: ['active'] }
    model.dids.set(record.id, did)
    if (random() < 0.5) return
    did.status.push('inactive')
    await write('PATCH', `/api/did/${record.id}`, { status: 'inactive' })
    did.status = ['inactive']
  }

  async function keyLife(): Promise<void> {
    const { id, key: secret } = await write('POST', '/api/api-keys', { name: newName() })
    const entry = { secret, revoked: 'no' as Change }
    model.keys.set(id, entry)
    entry.revoked = 'asked'
    await write('DELETE', `/api/api-keys/${id}`)
    entry.revoked = 'yes'
  }

  async function onceOnly(): Promise<void> {
    const isAgent = random() < 0.5
    const path = isAgent ? '/api/agents' : '/api/did'
    const body = isAgent ? { name: newName(), systemPrompt: 'x' } : { phoneNumber: newNumber(), countryCode: '55' }
    const post: Model['posts'][number] = { path, body, key: newName(), answer: undefined }
    model.posts.push(post)
    post.answer = await send('POST', path, body, { 'idempotency-key': post.key })
  }

  const forever = async (life: () => Promise<void>): Promise<void> => {
    try {
      for (;;) await life()
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
    }
  }
  return [agentLife, agentLife, agentLife, numberLife, keyLife, onceOnly, onceOnly].map(forever)
}
