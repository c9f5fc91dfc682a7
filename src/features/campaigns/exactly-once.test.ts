// Exactly once: nodes that share a database claim, dial and settle, and die at random: before or after any commit,
// before or after the INVITE. Every contact is attempted as planned, none twice, none lost; an attempt that may have
// rung is in doubt and waits for a person.
// @run own-process: it crashes simulated nodes, or measures memory.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as breathe } from 'node:timers/promises'
import { testApp } from '../../../test/app.ts'
import { randomFrom } from '../../../test/crash-writers.ts'
import type { AttemptOutcome } from '../../base/domain/campaigns.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { CampaignContactRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { CallRow } from '../../db/tables.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import type { CallEnd } from '../calls/end-store.ts'
import { callLifecycle } from '../calls/lifecycle-store.ts'
import { callStore } from '../calls/store.ts'
import { claimer, type RuleParts } from './claim.ts'
import { dialer } from './dialer.ts'
import { campaignGate } from './gate-rows.ts'
import { expiredClaims, withdrawClaim } from './ledger-store.ts'
import type { RetryPlan } from './schema.ts'
import { settlement } from './settlement-store.ts'

const CONTACTS = 12
const CRASH = 0.04
const LONG_AGO = '2020-01-01T00:00:00.000Z'

class Crash extends Error {}

const plan: RetryPlan = {
  maxAttempts: 4,
  rules: [
    { outcome: 'busy', times: 2, afterMinutes: 0 },
    { outcome: 'no_answer', times: 1, afterMinutes: 0 },
  ],
  otherTimeOfDay: false,
}
const scripted = ['busy', 'no_answer', 'answered', 'busy', 'answered', 'invalid_number'] as const
type Scripted = (typeof scripted)[number]
/** What the contact's phone does at each try. */
const scriptOf = (index: number, tryNumber: number): Scripted =>
  scripted[(index * 7 + tryNumber * 3) % scripted.length] as Scripted

const ends: Readonly<Record<Exclude<Scripted, 'answered'>, CallEnd>> = {
  busy: { status: 'busy', endReason: 'busy', sipCode: 486 },
  no_answer: { status: 'no_answer', endReason: 'no_answer' },
  invalid_number: { status: 'failed', endReason: 'invalid_number', sipCode: 404 },
}

const pack = { monthly: null, shortCalls: null, date: '2026-01-01' } as unknown as RulePack
const rules: RuleParts = {
  packOf: async () => ({ pack }),
  nextAttempt: ({ fromMs }) => ({
    atMs: fromMs,
    trace: {
      pack: 'p',
      version: 1,
      rules: [],
      country: 'BR',
      regions: [],
      zones: [],
      window: null,
      movedBy: [],
    },
  }),
  calleeOf: () => ({ country: 'BR', regions: [], zones: [] }),
  isService: () => false,
  partOfDay: () => null,
}
const suppressions = { find: async () => new Map(), versions: async () => ({ own: 0, lists: [] }) }
const callbacks = { closeIn: async () => {} }

type Sent = { attemptId: string; contactId: string; tryNumber: number }
type World = { db: Db; userId: string; campaignId: string; random: () => number; sent: Sent[]; crashes: number }
type Node = ReturnType<typeof newNode>

/** The database as seen by one node. Once the node is dead, nothing it does has an effect. */
function mortal(world: World, state: { isDead: boolean }): { db: Db; mayDie: () => void } {
  const mayDie = () => {
    if (!state.isDead && world.random() < CRASH) {
      state.isDead = true
      world.crashes++
    }
    if (state.isDead) throw new Crash()
  }
  const inTransaction = async <T>(work: (trx: Trx) => Promise<T>): Promise<T> => {
    mayDie()
    const result = await world.db.inTransaction(async (trx) => {
      const done = await work(trx)
      mayDie() // rolled back
      return done
    })
    mayDie() // committed without the node knowing
    return result
  }
  const db = new Proxy(world.db, {
    get(target, name) {
      if (name === 'inTransaction') return inTransaction
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db, mayDie }
}

function newNode(world: World) {
  const state = { isDead: false }
  const { db, mayDie } = mortal(world, state)
  const nodeId = newId('nod' as 'usr')
  const queued: CallRow[] = []
  const [calls, course] = [callStore(db, nodeId), callLifecycle(db, nodeId)]
  const { settle } = settlement(db, { shortCallsOf: async () => null, suppressions, callbacks })
  const userPace = { maxConcurrentCalls: 6, callsPerSecond: 1000 }
  const callBudget = { leftIn: async () => null, spendIn: async () => mayDie() }
  const dialPolicy = { allows: () => true }
  const claim = claimer({ db, nodeId, rules, suppressions, dialPolicy, callBudget, userPace, share: 1 })
  const dial = dialer({
    db,
    packOf: rules.packOf,
    insertCall: calls.insertOutbound,
    callBudget,
    http: { request: () => Promise.reject(new Error('unused')) },
    predialSecret: () => null,
    signal: new AbortController().signal,
    queue: {
      async add(_, store) {
        const call = await store()
        queued.push(call)
        return call
      },
    },
  })

  /** Same sequence as the phone: the gate, the row, the INVITE, the end. */
  async function place(call: CallRow): Promise<void> {
    mayDie()
    const gate = await campaignGate(db, call)
    if ('problem' in gate)
      return void (await calls.finish(call.id, {
        status: 'canceled',
        endReason: 'canceled_by_api',
        hangupBy: 'system',
      }))
    mayDie()
    const route = { trunkId: 'trk_1', deviceId: null, fromNumber: null, channel: 'sip' as const }
    if (!(await course.placed(call.id, route))) return
    mayDie()
    const attempt = await world.db
      .selectFrom('campaignAttempts')
      .selectAll()
      .where('id', '=', call.attemptId ?? '')
      .executeTakeFirstOrThrow()
    world.sent.push({ attemptId: attempt.id, contactId: attempt.contactId, tryNumber: attempt.tryNumber })
    mayDie()
    const outcome = scriptOf(Number(call.toNumber.slice(-3)), attempt.tryNumber)
    if (outcome !== 'answered') return void (await calls.finish(call.id, ends[outcome]))
    await course.answered(call.id)
    await calls.finish(call.id, { status: 'completed', endReason: 'agent_ended' })
  }

  const actions = {
    async claim() {
      const result = await claim(world.userId, world.campaignId)
      if ('attempt' in result) await dial(result)
    },
    async dialQueued() {
      const call = queued.shift()
      if (call) await place(call)
    },
    settle,
    async takeOver() {
      for (const attempt of await expiredClaims(db, 10))
        await withdrawClaim(db, attempt, { detail: 'dead', afterMs: 0 })
      queued.push(...(await calls.takeWaiting(new Set(queued.map(({ id }) => id)))))
      await calls.closeOrphans()
    },
  }

  /** One random action of a node; false if the node died of it. */
  async function act(): Promise<void> {
    const names = Object.keys(actions) as (keyof typeof actions)[]
    const name = names[Math.floor(world.random() * names.length)] as keyof typeof actions
    try {
      await actions[name]()
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
    // Time passes, and the leases of a dead node expire.
    if (state.isDead) await expireLeases(world, nodeId)
  }
  return { act, state }
}

async function expireLeases({ db }: World, nodeId: string): Promise<void> {
  const past = { leaseUntil: new Date(Date.now() - 1000).toISOString() }
  await db.updateTable('calls').set(past).where('nodeId', '=', nodeId).where('endedAt', 'is', null).execute()
  const claims = db.updateTable('campaignAttempts').set(past).where('nodeId', '=', nodeId)
  await claims.where('status', '=', 'claimed').execute()
}

async function newCampaign(db: Db, userId: string, agentId: string): Promise<string> {
  const at = now()
  const campaign: CampaignRow = {
    id: newId('cmp'),
    userId,
    agentId,
    name: 'c',
    status: 'running',
    statusReason: null,
    statusDetail: null,
    trunkId: null,
    deviceId: null,
    callerId: null,
    defaultCountry: 'BR',
    schedule: '{}',
    pacing: JSON.stringify({ maxConcurrentCalls: 5, callsPerSecond: 1000 }),
    retries: JSON.stringify(plan),
    rulesId: 'x',
    disclosure: '{"isOn":false}',
    predialUrl: null,
    predialSecretSealed: null,
    columns: '[]',
    phoneColumn: null,
    createdAt: at,
    updatedAt: at,
    startedAt: at,
    endedAt: null,
    removedAt: null,
  }
  await db.insertInto('campaigns').values(campaign).execute()
  const contacts = Array.from({ length: CONTACTS }, (_, index): CampaignContactRow => {
    const phoneNumber = `+55119876540${String(index).padStart(3, '0')}`
    return {
      id: newId('cct'),
      userId,
      campaignId: campaign.id,
      phoneNumber,
      numberHash: `hash ${index}`,
      variables: '{}',
      status: 'waiting',
      outcome: null,
      tries: 0,
      dueAt: LONG_AGO,
      dueReason: null,
      hasVoicemail: 0,
      createdAt: at,
      updatedAt: at,
    }
  })
  await db.insertInto('campaignContacts').values(contacts).execute()
  return campaign.id
}

/** The plan's expected result for these outcomes, computed independently of the code under test. */
function expectedEnd(outcomes: readonly (AttemptOutcome | null)[]): 'completed' | 'exhausted' | 'open' {
  const last = outcomes.at(-1)
  if (last === undefined || last === null) return 'open'
  if (last === 'answered') return 'completed'
  const most = { busy: 2, no_answer: 1 }[last as 'busy'] ?? 0
  const same = outcomes.filter((each) => each === last).length
  return same > most || outcomes.length >= plan.maxAttempts ? 'exhausted' : 'open'
}

const isDone = async ({ db, campaignId }: World) => {
  const open = db.selectFrom('campaignContacts').select('id').where('campaignId', '=', campaignId)
  return !(await open.where('status', 'in', ['waiting', 'calling']).executeTakeFirst())
}

async function runToEnd(world: World): Promise<void> {
  let nodes: Node[] = [newNode(world), newNode(world)]
  for (let step = 0; !(await isDone(world)); step++) {
    assert.ok(step < 6000, 'it comes to an end')
    await Promise.all(nodes.map(({ act }) => act()))
    nodes = nodes.map((node) => (node.state.isDead ? newNode(world) : node))
    // Withdrawn contacts wait for a moment: skip it.
    await world.db
      .updateTable('campaignContacts')
      .set({ dueAt: LONG_AGO })
      .where('campaignId', '=', world.campaignId)
      .where('status', '=', 'waiting')
      .execute()
    await breathe()
  }
}

async function check(world: World): Promise<{ inDoubt: number }> {
  const { db, campaignId, sent } = world
  const contacts = await db.selectFrom('campaignContacts').selectAll().where('campaignId', '=', campaignId).execute()
  const attempts = await db
    .selectFrom('campaignAttempts')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .orderBy('tryNumber')
    .execute()
  assert.equal(contacts.length, CONTACTS)
  assert.equal(new Set(sent.map(({ attemptId }) => attemptId)).size, sent.length, 'no attempt was sent twice')
  for (const contact of contacts) {
    const own = attempts.filter(({ contactId, status }) => contactId === contact.id && status !== 'withdrawn')
    assert.deepEqual(
      own.map(({ tryNumber }) => tryNumber),
      Array.from({ length: contact.tries }, (_, i) => i + 1),
      'every try is in the ledger once',
    )
    const index = Number(contact.phoneNumber.slice(-3))
    for (const { id, outcome, tryNumber, status } of own) {
      const left = sent.filter(({ attemptId }) => attemptId === id).length
      if (outcome !== null) assert.deepEqual([left, outcome], [1, scriptOf(index, tryNumber)], 'as its phone ended it')
      else assert.ok(status === 'in_doubt' || status === 'ended', 'in doubt, or resolved')
    }
    const ofContact = sent.filter(({ contactId }) => contactId === contact.id)
    assert.ok(ofContact.length <= contact.tries, 'never more calls than tries')
    if (contact.status !== 'in_doubt')
      assert.equal(expectedEnd(own.map(({ outcome }) => outcome)), contact.status, contact.phoneNumber)
  }
  return { inDoubt: contacts.filter(({ status }) => status === 'in_doubt').length }
}

test('two nodes that die at any moment attempt every contact as its plan says, none twice, none lost', async () => {
  const { database, ana } = await testApp()
  const { db } = database
  const agent = (await ana.post('/api/agents', { name: 'A', systemPrompt: 'x' })).json
  for (const seed of [1, 42]) {
    const campaignId = await newCampaign(db, ana.userId, agent.id)
    const world: World = { db, userId: ana.userId, campaignId, random: randomFrom(seed), sent: [], crashes: 0 }
    const { resolve } = settlement(db, { shortCallsOf: async () => null, suppressions, callbacks })
    let doubts = 0
    for (let round = 0; round < 20; round++) {
      await runToEnd(world)
      const { inDoubt } = await check(world)
      doubts += inDoubt
      if (inDoubt === 0) break
      const open = db.selectFrom('campaignContacts').select('id').where('campaignId', '=', campaignId)
      for (const { id } of await open.where('status', '=', 'in_doubt').execute())
        await resolve(ana.userId, campaignId, { contactId: id, resolution: 'retry' })
    }
    assert.ok(world.crashes > 5, `${world.crashes} crashes`)
    const campaign = await db.selectFrom('campaigns').select('status').where('id', '=', campaignId).executeTakeFirst()
    assert.equal(campaign?.status, 'completed', `seed ${seed}: ${doubts} in doubt, ${world.crashes} crashes`)
  }
})
