// Invariants after a restart: every acknowledged change is stored, and none is stored in part.
import assert from 'node:assert/strict'
import type { Database } from '../src/db/database.ts'
import type { Acknowledged, Model } from './crash-writers.ts'
import { ask } from './service.ts'

export type Look = { url: string; key: string }

async function read({ url, key }: Look, path: string): Promise<Acknowledged> {
  const { status, text } = await ask(url + path, key, 'GET')
  assert.equal(status, 200, `GET ${path}: ${text}`)
  return JSON.parse(text)
}

const byId = (list: Acknowledged[]) => new Map<string, Acknowledged>(list.map((record) => [record.id, record]))

/** Compares the lists with the acknowledged changes, and resolves the unacknowledged ones. */
export async function checkRecords(model: Model, look: Look): Promise<void> {
  const agents = byId(await read(look, '/api/agents'))
  for (const [id, agent] of model.agents) {
    if (agent.deleted === 'asked') agent.deleted = agents.has(id) ? 'no' : 'yes'
    if (agent.deleted === 'yes') assert.ok(!agents.has(id), `agent ${id} was removed, and is there`)
    else assert.deepEqual(agents.get(id), agent.record, `agent ${id} was acknowledged`)
  }
  const conversations = byId(await read(look, '/api/conversations'))
  for (const [id, conversation] of model.conversations) {
    const found = conversations.get(id)
    if (model.agents.get(conversation.agentId)?.deleted === 'yes') {
      assert.equal(found, undefined, `conversation ${id} outlived its agent`)
      model.conversations.delete(id)
      continue
    }
    if (conversation.ended === 'asked') conversation.ended = found?.status === 'ended' ? found : 'no'
    assert.deepEqual(found, conversation.ended === 'no' ? conversation.record : conversation.ended)
  }
  const dids = byId(await read(look, '/api/did'))
  for (const [id, did] of model.dids) {
    const found = dids.get(id)
    assert.ok(did.status.includes(found?.status), `DID ${id} was acknowledged as ${did.status}: ${found?.status}`)
    did.status = [found.status]
    assert.deepEqual({ ...found, status: 'active' }, did.record)
  }
  const owners = new Map([...dids.values()].map((did) => [did.phoneNumber, did.agentId]))
  for (const [trunkId, link] of model.links) {
    const isGone = model.agents.get(link.agentId)?.deleted === 'yes'
    if (!link.acknowledged && !owners.has(link.phoneNumber)) model.links.delete(trunkId)
    else assert.equal(owners.get(link.phoneNumber), isGone ? null : link.agentId, `the number of ${trunkId}`)
  }
}

/** Conversations selected by `isNew` have all acknowledged messages, in order, and no more than were sent. */
export async function checkMessages(model: Model, look: Look, isNew: (id: string) => boolean): Promise<void> {
  for (const [id, { messages, asked }] of model.conversations) {
    if (!isNew(id)) continue
    const list: Acknowledged[] = await read(look, `/api/conversations/messages/${id}`)
    const acknowledged = new Set(messages.map((message) => message.id))
    assert.deepEqual(
      list.filter((message) => acknowledged.has(message.id)),
      messages,
      `messages of ${id}`,
    )
    assert.ok(list.length <= asked, `conversation ${id} has ${list.length} messages; ${asked} were sent`)
  }
}

export async function checkKeys(model: Model, look: Look): Promise<void> {
  const keys = byId(await read(look, '/api/api-keys'))
  for (const [id, key] of model.keys) {
    const { status } = await ask(`${look.url}/api/agents?limit=1`, key.secret, 'GET')
    if (key.revoked === 'asked') key.revoked = status === 401 ? 'yes' : 'no'
    assert.equal(status, key.revoked === 'yes' ? 401 : 200, `key ${id}, revoked: ${key.revoked}`)
    assert.equal(keys.get(id)?.isActive, key.revoked !== 'yes')
    // Checked once: the list check above shows that the key stays revoked.
    if (key.revoked === 'yes') model.keys.delete(id)
  }
}

/** Repeats the POSTs: acknowledged ones return the same response, and nothing is stored twice. */
export async function checkReplays(model: Model, look: Look): Promise<void> {
  const posts = model.posts.splice(0)
  for (const { path, body, key, answer } of posts) {
    const again = await ask(look.url + path, look.key, 'POST', body, { 'idempotency-key': key })
    if (answer) {
      assert.equal(again.text, answer.text, `${path} with Idempotency-Key ${key}`)
      assert.equal(again.status, answer.status)
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
    } else assert.ok([201, 409].includes(again.status), `${again.status} ${again.text}`)
  }
  const made = [...(await read(look, '/api/agents')), ...(await read(look, '/api/did'))]
  const times = new Map<string, number>()
  for (const { name, phoneNumber } of made) times.set(name ?? phoneNumber, (times.get(name ?? phoneNumber) ?? 0) + 1)
  for (const { body, answer } of posts) {
    const count = times.get(body.name ?? body.phoneNumber ?? '') ?? 0
    assert.ok(answer ? count === 1 : count <= 1, `${JSON.stringify(body)} is there ${count} times`)
  }
}

/** Checks the database: each transaction is stored completely or not at all. */
export async function checkNothingHalfDone({ db }: Database): Promise<void> {
  const [agents, conversations, messages, dids, trunks, links, numbers] = [
    new Set((await db.selectFrom('agents').select('id').execute()).map((row) => row.id)),
    await db.selectFrom('conversations').selectAll().execute(),
    await db.selectFrom('messages').select(['conversationId', 'number']).execute(),
    await db.selectFrom('dids').selectAll().execute(),
    await db.selectFrom('trunks').select('id').execute(),
    await db.selectFrom('trunkLinks').selectAll().execute(),
    await db.selectFrom('linkNumbers').selectAll().execute(),
  ]
  const counts = Map.groupBy(messages, (message) => message.conversationId)
  for (const { id, agentId, status, endedAt, messageCount } of conversations) {
    assert.ok(agents.has(agentId), `conversation ${id} has no agent`)
    assert.equal(status === 'ended', endedAt !== null, `conversation ${id} is half ended`)
    const own = (counts.get(id) ?? []).map((message) => message.number).sort((a, b) => a - b)
    assert.deepEqual(
      own,
      Array.from({ length: messageCount }, (_, i) => i + 1),
      `messages of ${id}`,
    )
    counts.delete(id)
  }
  assert.equal(counts.size, 0, 'messages without their conversation')

  const [didById, numberByLink] = [new Map(dids.map((did) => [did.id, did])), Map.groupBy(numbers, (n) => n.linkId)]
  for (const link of links) {
    const [number] = numberByLink.get(link.id) ?? []
    assert.ok(number, `link ${link.id} came with a number, and has none`)
    assert.equal(didById.get(number.didId)?.agentId, link.agentId, `the number of link ${link.id}`)
  }
  const linkedDids = new Set(numbers.map((number) => number.didId))
  for (const did of dids)
    if (did.agentId) assert.ok(linkedDids.has(did.id), `DID ${did.id} was made by a link that is not there`)
  const linkedTrunks = new Set(links.map((link) => link.trunkId))
  const unbound = dids.filter((did) => did.agentId === null).length
  assert.ok(trunks.filter((trunk) => !linkedTrunks.has(trunk.id)).length <= unbound, 'a trunk without its number')
}
