// What delays or releases attempts, on a database without a platform: the daily budget, the history of numbers, fair
// rounds, a failing settlement, and the count of a caller's attempts.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { atEnd, testConfig } from '../../../test/app.ts'
import { putCall } from '../../../test/call-rows.ts'
import { putAttempt, putCampaign, putContact } from '../../../test/campaign-rows.ts'
import { until } from '../../../test/until.ts'
import type { HttpResponse } from '../../base/outside/http-port.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import { openDatabase } from '../../db/database.ts'
import type { CallRow } from '../../db/tables.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import { agentStore } from '../agents/store.ts'
import { callStore } from '../calls/store.ts'
import { memberBudgets } from '../usage/budget-store.ts'
import { userIdentities } from '../users/rows.ts'
import { userStore } from '../users/store.ts'
import { attemptHistory } from './attempt-history.ts'
import { type Claimed, type ClaimResult, claimer, type RuleParts } from './claim.ts'
import { dialer } from './dialer.ts'
import { campaignRunner } from './runner.ts'
import { settlement } from './settlement-store.ts'
import { campaignStore } from './store.ts'
import { campaignTransitions } from './transitions.ts'

const { db, close } = await openDatabase((await testConfig({}, { isMigrated: true })).database, () => {})
atEnd(close)

const hashNumber = (number: string) => `hash of ${number}`
const log = pino({ level: 'silent' })
const trace = { pack: 'p', version: 1, rules: [], country: 'BR', regions: [], zones: [], window: null, movedBy: [] }
const pack = { monthly: null, shortCalls: null, date: '2026-01-01' } as unknown as RulePack
const rules: RuleParts = {
  packOf: async () => ({ pack }),
  nextAttempt: ({ fromMs }) => ({ atMs: fromMs, trace }),
  calleeOf: () => ({ country: 'BR', regions: [], zones: [] }),
  isService: (number) => number.startsWith('+55800'),
  partOfDay: () => null,
}
const suppressions = { find: async () => new Map(), versions: async () => ({ own: 0, lists: [] }) }
const callbacks = { closeIn: async () => {} }
const pacing = JSON.stringify({ maxConcurrentCalls: 100, callsPerSecond: 1_000_000 })

async function aUser(name: string) {
  const { id: userId } = await userStore(db).create(name)
  const { id: agentId } = await agentStore(db).create(userId, { name: 'Ana', systemPrompt: 'x' })
  return { userId, agentId }
}

async function campaignOf(
  owner: { userId: string; agentId: string },
  campaign: Partial<CampaignRow>,
  numbers: string[],
) {
  const row = await putCampaign(db, { ...owner, pacing, ...campaign })
  const contacts = []
  for (const phoneNumber of numbers)
    contacts.push(await putContact(db, { userId: owner.userId, campaignId: row.id, phoneNumber, hashNumber }))
  return { id: row.id, contacts }
}

const campaignRow = (id: string) =>
  db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const statusOf = async (id: string) => {
  const { status, statusReason } = await campaignRow(id)
  return [status, statusReason]
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `+55119876540${String(i).padStart(3, '0')}`)

/** A node that dials nothing: its calls are only stored. `calls`: each member's budget. */
function dialing({ calls, predial = true }: { calls: number | null; predial?: boolean }) {
  const limits = { texts: null, calls, ttsCharacters: null, llmTokens: null, sttSeconds: null, embeddings: null }
  const budgets = memberBudgets(db, userIdentities(db), limits)
  const callBudget = {
    leftIn: (trx: Parameters<typeof budgets.leftIn>[0], userId: string) => budgets.leftIn(trx, userId, 'calls'),
    spendIn: (trx: Parameters<typeof budgets.leftIn>[0], userId: string) => budgets.spend(userId, 'calls', 1, trx),
  }
  const asked: string[] = []
  const dialPolicy = { allows: () => true }
  const userPace = { maxConcurrentCalls: 100, callsPerSecond: 1_000_000 }
  const claim = claimer({ db, nodeId: 'a', rules, suppressions, dialPolicy, callBudget, userPace, share: 1 })
  const dial = dialer({
    db,
    packOf: rules.packOf,
    insertCall: callStore(db, 'a').insertOutbound,
    callBudget,
    http: {
      async request({ body }) {
        asked.push(JSON.parse(String(body)).phoneNumber)
        return { status: 200, headers: {}, body: Buffer.from('{"eligible":true}') } as unknown as HttpResponse
      },
    },
    queue: { add: async (_: string, store: () => Promise<CallRow>) => store() },
    predialSecret: () => (predial ? 'whsec_AAAA' : null),
    signal: new AbortController().signal,
  })
  return { budgets, callBudget, asked, claim, dial }
}

/** Claims everything that may be claimed now before dialing any of it. */
async function claimAll(claim: () => Promise<ClaimResult>): Promise<Claimed[]> {
  const claimed: Claimed[] = []
  for (let i = 0; i < 20; i++) {
    const result = await claim()
    if ('attempt' in result) claimed.push(result)
    else if (result.waitMs === null) return claimed
  }
  return claimed
}

const usedOf = async ({ budgets }: ReturnType<typeof dialing>, userId: string) => (await budgets.of(userId)).calls.used

test("the day's budget: no attempt beyond it is claimed, the webhook is not asked, the campaign is paused and resumes", async () => {
  const owner = await aUser('budget')
  const { userId } = owner
  const { id } = await campaignOf(owner, { predialUrl: 'https://crm.example.com/ask' }, numbers(5))
  const at = dialing({ calls: 2 })
  const claim = () => at.claim(userId, id)
  const claimed = await claimAll(claim)
  assert.equal(claimed.length, 2, 'what is claimed and not dialled yet counts')
  assert.deepEqual(await statusOf(id), ['running', null])
  for (const one of claimed) await at.dial(one)
  assert.deepEqual([at.asked.length, await usedOf(at, userId)], [2, 2])
  assert.deepEqual(await claimAll(claim), [])
  assert.deepEqual(await statusOf(id), ['paused', 'daily_budget'])
  assert.equal(at.asked.length, 2)
  const contacts = await db.selectFrom('campaignContacts').select('status').where('campaignId', '=', id).execute()
  assert.equal(contacts.filter(({ status }) => status === 'waiting').length, 3, 'nobody is lost')

  const woken: string[] = []
  const { actions, resumeBudgeted } = campaignTransitions({
    db,
    checks: { startProblems: async () => [] },
    callBudget: at.callBudget,
    wake: (campaignId) => void woken.push(campaignId),
  })
  await resumeBudgeted()
  assert.deepEqual(await statusOf(id), ['paused', 'daily_budget'], 'the same day')
  const nextDay = () => db.updateTable('usages').set({ day: '2020-01-01' }).where('userId', '=', userId).execute()
  await nextDay()
  await resumeBudgeted()
  assert.deepEqual([await statusOf(id), woken], [['running', null], [id]])
  for (const one of await claimAll(claim)) await at.dial(one)
  await claim()
  assert.deepEqual(await statusOf(id), ['paused', 'daily_budget'])
  await actions.pause(userId, id)
  await db.deleteFrom('usages').where('userId', '=', userId).execute()
  await resumeBudgeted()
  assert.deepEqual(await statusOf(id), ['paused', 'user'], 'a person paused it')
})

test('without a budget all are called; what is not created costs no call; a call that took the last unit pauses the campaign', async () => {
  const owner = await aUser('free')
  const { userId } = owner
  const { id } = await campaignOf(owner, {}, numbers(3))
  const free = dialing({ calls: null })
  const [first, ...others] = await claimAll(() => free.claim(userId, id))
  assert.ok(first && others.length === 2)

  const limited = dialing({ calls: 2 })
  const set = (status: 'paused' | 'running') =>
    db.updateTable('campaigns').set({ status }).where('id', '=', id).execute()
  await set('paused')
  await limited.dial(first)
  assert.equal(await usedOf(limited, userId), 0, 'the campaign was paused: no call')
  await set('running')
  await limited.dial(others[0] as Claimed)
  assert.equal(await usedOf(limited, userId), 1, 'a call')
  await limited.budgets.spend(userId, 'calls')
  await limited.dial(others[1] as Claimed)
  assert.deepEqual(await statusOf(id), ['paused', 'daily_budget'])
  assert.equal(await usedOf(limited, userId), 2)
})

test('a number of a service is not dialled, also when it was imported before', async () => {
  const owner = await aUser('service')
  const { id } = await campaignOf(owner, {}, ['+558001234567', '+5511987654321'])
  const result = await dialing({ calls: null }).claim(owner.userId, id)
  assert.ok('attempt' in result && result.attempt.phoneNumber === '+5511987654321')
  const query = db.selectFrom('campaignContacts').select(['status', 'dueReason']).where('campaignId', '=', id)
  const refused = await query.where('phoneNumber', '=', '+558001234567').executeTakeFirstOrThrow()
  assert.deepEqual([refused.status, refused.dueReason], ['exhausted', '{"never":"number_not_callable"}'])
})

test('the newest attempts to each number are known, however many there are to the others of a batch', async () => {
  const owner = await aUser('history')
  const { userId } = owner
  const { id, contacts } = await campaignOf(owner, { status: 'draft' }, numbers(2))
  const [busy, quiet] = contacts
  assert.ok(busy && quiet)
  const atMs = Date.now()
  const many = Array.from({ length: 5200 }, (_, i) => ({
    id: `cat_${i}_${id}`,
    userId,
    campaignId: id,
    contactId: busy.id,
    phoneNumber: busy.phoneNumber,
    numberHash: busy.numberHash,
    tryNumber: i + 1,
    status: 'ended' as const,
    outcome: 'busy' as const,
    detail: null,
    callerId: null,
    callId: null,
    decision: '{}',
    nodeId: null,
    leaseUntil: '',
    talkSeconds: null,
    createdAt: new Date(atMs - (6000 - i) * 60_000).toISOString(),
    dialedAt: null,
    endedAt: null,
  }))
  for (let from = 0; from < many.length; from += 500)
    await db
      .insertInto('campaignAttempts')
      .values(many.slice(from, from + 500))
      .execute()
  const at = (daysAgo: number) => new Date(atMs - daysAgo * 86_400_000).toISOString()
  await putAttempt(db, quiet, { status: 'ended', outcome: 'busy', createdAt: at(20), dialedAt: at(20) })
  await putAttempt(db, busy, { tryNumber: 6000, createdAt: at(0), dialedAt: at(0) })
  await db.inTransaction(async (trx) => {
    const both = await attemptHistory(trx, { userId, hashes: [busy.numberHash, quiet.numberHash], atMs })
    const newest = (await both(busy.numberHash)).at(-1)
    assert.deepEqual([newest?.isOpen, newest?.atMs], [true, Date.parse(at(0))])
    assert.equal((await both(quiet.numberHash)).length, 1)
    const few = await attemptHistory(trx, { userId, hashes: [quiet.numberHash], atMs })
    assert.deepEqual([(await few(quiet.numberHash)).length, (await few('nobody')).length], [1, 0])
  })
})

test('a campaign that is woken does not wake the others, and the last of very many has its turn', async (t) => {
  const owner = await aUser('rounds')
  await db.updateTable('campaigns').set({ status: 'paused' }).where('status', '=', 'running').execute()
  const ids = Array.from({ length: 1001 }, (_, i) => `cmp_${String(i).padStart(4, '0')}`)
  const first = await putCampaign(db, { ...owner, id: ids[0] as string })
  for (let from = 1; from < ids.length; from += 100)
    await db
      .insertInto('campaigns')
      .values(ids.slice(from, from + 100).map((id) => ({ ...first, id })))
      .execute()
  const claims = new Map<string, number>()
  const runner = campaignRunner({
    db,
    log,
    lastOutageMs: () => Number.NEGATIVE_INFINITY,
    async claim(_, id) {
      claims.set(id, (claims.get(id) ?? 0) + 1)
      return { waitMs: 2000 }
    },
    dial: async () => {},
    settle: async () => ({ campaignIds: [], failures: [], isDialing: false }),
    hasCapacity: async () => true,
  })
  t.after(() => runner[Symbol.asyncDispose]())
  runner.start()
  const [one, other, last] = [ids[0], ids[1], ids[1000]] as [string, string, string]
  await until('the last has its turn', () => claims.has(last), 60_000)
  const before = claims.get(other) ?? 0
  for (let i = 0; i < 40; i++) {
    const seen = claims.get(one) ?? 0
    runner.wake(one)
    await until('it is asked again', () => (claims.get(one) ?? 0) > seen, 60_000)
  }
  const more = (claims.get(other) ?? 0) - before
  assert.ok(more < 20, `${more} claims of another campaign`)
})

test('a settlement that fails holds up its own campaign only, however many of its attempts have ended', async () => {
  const owner = await aUser('settle')
  const { userId } = owner
  const broken = await campaignOf(owner, { id: 'cmp_broken' }, numbers(201))
  const whole = await campaignOf(owner, { id: 'cmp_whole' }, ['+5511987650000'])
  await db.updateTable('campaignAttempts').set({ status: 'ended' }).where('status', '=', 'dialing').execute()
  for (const [i, contact] of [...broken.contacts, ...whole.contacts].entries()) {
    const id = `cat_${String(i).padStart(4, '0')}`
    const call = await putCall(db, { ...owner, status: 'completed', trunkId: 'trk_1', attemptId: id })
    await db.updateTable('campaignContacts').set({ status: 'calling' }).where('id', '=', contact.id).execute()
    await putAttempt(db, contact, { id, callId: call.id })
  }
  let isBroken = true
  const { settle } = settlement(db, {
    suppressions,
    callbacks,
    async shortCallsOf(_, { id }) {
      if (isBroken && id === broken.id) throw new Error('unreadable')
      return null
    },
  })
  const first = await settle()
  assert.deepEqual(
    first.failures.map(({ campaignId }) => campaignId),
    [broken.id],
  )
  assert.deepEqual((await settle()).campaignIds, [whole.id])
  const open = db.selectFrom('campaignAttempts').select('id').where('userId', '=', userId)
  assert.equal((await open.where('status', '=', 'dialing').execute()).length, 201, 'nothing of the other is lost')
  isBroken = false
  const again = settlement(db, { suppressions, callbacks, shortCallsOf: async () => null })
  assert.deepEqual((await again.settle()).campaignIds, [broken.id])
})

test('a rename does not make the circuit breaker forget; a start does', async () => {
  const owner = await aUser('breaker')
  const campaigns = campaignStore(db, {} as never, async () => {})
  const { settle } = settlement(db, { suppressions, callbacks, shortCallsOf: async () => null })
  const minuteAgo = new Date(Date.now() - 60_000).toISOString()
  const failing = async (resumedAt: string) => {
    const { id, contacts } = await campaignOf(owner, { resumedAt }, numbers(11))
    for (const contact of contacts.slice(1))
      await putAttempt(db, contact, { status: 'ended', outcome: 'failed', endedAt: minuteAgo })
    const call = await putCall(db, { ...owner, status: 'completed', trunkId: 'trk_1' })
    await putAttempt(db, contacts[0] as (typeof contacts)[0], { callId: call.id })
    await campaigns.update(owner.userId, { id, ifMatch: undefined }, { name: 'Another name' })
    await settle()
    return statusOf(id)
  }
  assert.deepEqual(await failing(new Date(Date.now() - 3_600_000).toISOString()), ['paused', 'failure_burst'])
  assert.deepEqual(await failing(new Date().toISOString()), ['running', null])
})

test('an attempt that did not leave is taken from the month and the caller for whom it was counted', async () => {
  const owner = await aUser('months')
  const { userId } = owner
  const { id } = await campaignOf(owner, { callerId: '+551130000001' }, numbers(2))
  const at = dialing({ calls: null })
  for (const one of await claimAll(() => at.claim(userId, id))) await at.dial(one)
  const counted = async () =>
    (await db.selectFrom('callerMonths').select(['callerId', 'attempts']).where('userId', '=', userId).execute()).map(
      ({ callerId, attempts }) => [callerId, Number(attempts)],
    )
  assert.deepEqual(await counted(), [['+551130000001', 2]])
  await db.updateTable('campaigns').set({ callerId: '+551130000002' }).where('id', '=', id).execute()
  const ended = { status: 'canceled', endReason: 'canceled_by_api', endedAt: new Date().toISOString() } as const
  const [call] = await db.selectFrom('calls').select('id').where('userId', '=', userId).execute()
  await db
    .updateTable('calls')
    .set(ended)
    .where('id', '=', call?.id ?? '')
    .execute()
  const { settle } = settlement(db, { suppressions, callbacks, shortCallsOf: async () => null })
  await settle()
  assert.deepEqual(await counted(), [['+551130000001', 1]])
})
