// What holds a campaign back, with real calls: lines reserved for inbound calls, the circuit breaker, the monthly
// budget, the pre-dial webhook, a removed route.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { anyTime } from '../any-time-rules.ts'
import { allOf, campaignWith, expectStatus, start } from '../campaign-api.ts'
import { agentOnTrunk, newNumber, type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { type CalleeKind, startPeople } from '../phones/sipp-callees.ts'
import { until } from '../until.ts'

/** Few enough that a loaded machine refuses none as overloaded (phone/admission.ts). */
const LINES = 7
/** The campaigns' share, from CAMPAIGN_MAX_SHARE. */
const FOR_CAMPAIGNS = 5
const app = await startPhoneApp(
  {
    MAX_CALLS: String(LINES),
    MAX_CALLS_PER_USER: String(LINES),
    CALLS_PER_SECOND: '50',
    ALLOWED_NETWORKS: '127.0.0.0/8',
  },
  { ringMs: 600_000 }, // unanswered calls keep ringing however long the test takes
)
const { ana } = app
const pacing = { maxConcurrentCalls: 100, callsPerSecond: 50 }
const numbers = (count: number) => Array.from({ length: count }, newNumber)

/** Callees who all behave alike, behind an agent's trunk. */
async function peopleOf(t: TestContext, kind: CalleeKind, from: PhoneApp = app) {
  const people = await startPeople({ withinMs: 600_000, all: kind })
  t.after(people.stop)
  const { agentId, trunkId } = await agentOnTrunk(from, from.ana, people.port, { type: 'outbound' })
  return { people, agentId, trunkId }
}

const read = async (id: string) => (await ana.get(`/api/campaigns/${id}`)).json
const paused = (id: string) =>
  until(
    'the campaign is paused',
    async () => {
      const campaign = await read(id)
      return campaign.status === 'paused' && campaign
    },
    60_000,
  )

async function eventsOf(id: string, type: string): Promise<Record<string, unknown>[]> {
  const rows = await app.database.db.selectFrom('events').select('data').where('type', '=', type).execute()
  return rows.map(({ data }) => JSON.parse(data)).filter(({ campaign }) => campaign?.id === id)
}

test('a campaign at its limit leaves lines for inbound calls: none is refused', async (t) => {
  const { people, agentId, trunkId } = await peopleOf(t, 'silent')
  const carrier = await openByHand(t)
  const inbound = await agentOnTrunk(app, ana, carrier.port)
  const id = await campaignWith(ana, { agentId, trunkId, pacing }, numbers(30))
  await start(ana, id)
  await until('the campaign has taken its lines', () => people.called().size >= FOR_CAMPAIGNS, 60_000)
  const calls = []
  for (let line = FOR_CAMPAIGNS; line < LINES; line++) {
    const call = await carrier.call(app.sipPort, { uri: inbound.number })
    const { status, reason } = await call.final(30_000)
    assert.deepEqual([status, reason], [200, 'OK'], `inbound call on line ${line + 1}`)
    call.ack()
    calls.push(call)
  }
  assert.equal(people.called().size, FOR_CAMPAIGNS, 'the campaign waits for a line of its own')
  assert.equal((await read(id)).contacts.calling, FOR_CAMPAIGNS)
  await expectStatus(200, ana.post(`/api/campaigns/${id}/cancel`))
  for (const call of calls) await call.bye()
  for (const { id: callId } of (await ana.get('/api/calls?live=true&limit=100')).json)
    await ana.post(`/api/calls/${callId}/hangup`)
  await until('the lines are free', async () => (await ana.get('/api/calls?live=true')).json.length === 0, 20_000)
})

test('a burst of failures pauses the campaign with the reason; the others are not called', async (t) => {
  const { people, agentId, trunkId } = await peopleOf(t, 'failing')
  const id = await campaignWith(ana, { agentId, trunkId, pacing: { ...pacing, maxConcurrentCalls: 2 } }, numbers(40))
  await start(ana, id)
  const campaign = await paused(id)
  assert.equal(campaign.statusReason, 'failure_burst')
  assert.match(campaign.statusDetail, /1[0-2] of 1[0-2]/)
  const called = people.called().size
  assert.ok(called >= 10 && called <= 12, `${called} called`)
  assert.equal((await eventsOf(id, 'campaign.paused')).length, 1)
})

test('the monthly threshold warns at each share and stops where the rules say so', async (t) => {
  const { people, agentId, trunkId } = await peopleOf(t, 'busy')
  const monthly = {
    id: 'month',
    threshold: 6,
    warnAt: [0.5, 0.9],
    stops: true,
    source: 'for tests',
    date: '2026-11-16',
  }
  const pack = { ...anyTime, monthly }
  const { id: rulesId } = await expectStatus(201, ana.post('/api/calling-rules', { name: 'Few', pack }))
  const id = await campaignWith(ana, { agentId, trunkId, rulesId, pacing }, numbers(9))
  await start(ana, id)
  const campaign = await paused(id)
  assert.equal(campaign.statusReason, 'monthly_limit')
  await until('the calls have ended', async () => (await read(id)).contacts.calling === 0)
  assert.equal(people.called().size, 6)
  const warnings = await eventsOf(id, 'campaign.warning')
  assert.deepEqual(
    warnings.map(({ warning }) => (warning as { percent: number }).percent),
    [50, 90],
  )
  const preview = await expectStatus(200, ana.post(`/api/campaigns/${id}/preview`, {}))
  assert.equal(preview.usage.attempts, 6, 'the preview counts what the runner counted')
})

test('only what the pre-dial webhook allows is called', async (t) => {
  const { people, agentId, trunkId } = await peopleOf(t, 'busy')
  const [allowed, refused, unanswered] = numbers(3) as [string, string, string]
  const server = createServer(async (req, res) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(req)).toString())
    const text = JSON.stringify(body)
    if (text.includes(unanswered)) return void res.writeHead(500).end()
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ eligible: text.includes(allowed) }))
  })
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const predial = { url: `http://127.0.0.1:${port}/ask` }
  const id = await campaignWith(ana, { agentId, trunkId, pacing, predial }, [allowed, refused, unanswered])
  await start(ana, id)
  const contacts = await until(
    'all were asked for',
    async () => {
      const rows = await allOf(ana, `/api/campaigns/${id}/contacts`)
      const of = new Map(rows.map((row) => [row.phoneNumber, row]))
      return (
        of.get(allowed).status === 'exhausted' &&
        of.get(refused).status === 'suppressed' &&
        (await allOf(ana, `/api/campaigns/${id}/attempts`)).length === 3 &&
        of
      )
    },
    60_000,
  )
  assert.deepEqual([...people.called().keys()], [allowed])
  assert.deepEqual([contacts.get(refused).outcome, contacts.get(unanswered).status], ['ineligible', 'waiting'])
  const attempts = await allOf(ana, `/api/campaigns/${id}/attempts`)
  const later = attempts.find(({ phoneNumber }) => phoneNumber === unanswered)
  assert.equal(later.status, 'withdrawn')
  assert.match(later.detail, /Pre-dial webhook/)
})

test('a route that is gone pauses the campaign, and nobody is lost', async (t) => {
  const { people, agentId, trunkId } = await peopleOf(t, 'busy')
  const slow = { maxConcurrentCalls: 1, callsPerSecond: 2 }
  const all = 200 // more than can be called before the route is removed
  const id = await campaignWith(ana, { agentId, trunkId, pacing: slow }, numbers(all))
  await start(ana, id)
  await until('somebody was called', () => people.called().size > 0)
  await expectStatus(200, ana.patch(`/api/trunks/${trunkId}`, { isActive: false }))
  const campaign = await paused(id)
  assert.equal(campaign.statusReason, 'no_route')
  await until('the calls have ended', async () => (await read(id)).contacts.calling === 0)
  assert.equal((await read(id)).contacts.waiting, all - people.called().size, 'who was not called waits')
})
