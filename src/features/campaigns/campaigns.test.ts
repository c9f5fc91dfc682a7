// The campaigns API: records, checks, transitions, progress, attempts and preview.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, type TestApp, testApp } from '../../../test/app.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'
import { putAttempt, putContact } from '../../../test/campaign-rows.ts'
import { everyRow } from '../../../test/every-row.ts'
import { until } from '../../../test/until.ts'
import { eventReader } from '../events/store.ts'

const url = '/api/campaigns'
const HOUR_MS = 3_600_000
const hashNumber = (number: string) => `hash of ${number}`
const ended = { status: 'ended', endedAt: new Date().toISOString() } as const
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

async function made(client: Client, path: string, body: object) {
  const { status, json, text } = await client.post(path, body)
  assert.ok(status === 201 || status === 200, text)
  return json
}

/** An agent with an outbound trunk, and a campaign for it with `contacts` contacts. */
async function campaignOf({ ana, database }: TestApp, { contacts = 1, body = {} } = {}) {
  const agent = await made(ana, '/api/agents', { ...anAgent, initialSpeech: 'Oi, {{nome}}.' })
  const trunk = await made(ana, '/api/trunks', { name: 'line', host: 'sip.example.com' })
  await made(ana, `/api/agents/${agent.id}/link-trunk`, { trunkId: trunk.id, trunkType: 'outbound' })
  const campaign = await made(ana, url, { name: 'Lembrete', agentId: agent.id, ...body })
  const key = { userId: ana.userId, campaignId: campaign.id }
  const put = []
  const variables = '{"nome":"Bia"}'
  for (let i = 0; i < contacts; i++)
    put.push(await putContact(database.db, { ...key, hashNumber, variables, phoneNumber: `+551198765432${i}` }))
  return { agent, trunk, campaign, id: campaign.id as string, key, contacts: put }
}

/** The types of events about a campaign that its owner can read. */
async function typesOf({ database: { db } }: TestApp, { userId }: Client, about: string): Promise<string[]> {
  const events = await eventReader(db).after(userId, 0, 100)
  return events.flatMap(({ type, data }) => (JSON.parse(data).campaign?.id === about ? [type] : [])).sort()
}

test('a campaign is created with its defaults, read, listed, changed and removed', async () => {
  const app = await testApp()
  const { ana, bia } = app
  const { agent, id, campaign } = await campaignOf(app, { contacts: 2 })
  const { predialSecret, ...record } = campaign
  assert.equal(predialSecret, null)
  assert.deepEqual(
    [record.status, record.rulesId, record.defaultCountry, record.disclosure, record.predial, record.contacts.total],
    ['draft', 'br-strict', 'BR', { isOn: true }, null, 0],
  )
  const read = (await ana.get(`${url}/${id}`)).json
  assert.deepEqual({ ...read, contacts: record.contacts }, record)
  assert.deepEqual([read.contacts.total, read.contacts.waiting], [2, 2])
  assert.deepEqual((await ana.get(`${url}?status=draft&agentId=${agent.id}&q=lemb`)).json, [read])
  assert.deepEqual((await ana.get(`${url}?status=running`)).json, [])
  for (const answer of [
    await bia.get(`${url}/${id}`),
    await bia.post(`${url}/${id}/start`),
    await bia.delete(`${url}/${id}`),
  ])
    assertError(answer, 404)
  const changed = (await ana.patch(`${url}/${id}`, { name: 'Outro', schedule: null, pacing: null })).json
  assert.deepEqual([changed.name, changed.schedule.windows ?? null], ['Outro', null])
  assert.deepEqual((await ana.patch(`${url}/${id}`, {})).json, changed, 'an empty change changes nothing')
  const removed = await ana.delete(`${url}/${id}`)
  assert.deepEqual([removed.status, removed.json.name], [200, 'Outro'])
  assertError(await ana.get(`${url}/${id}`), 404)
  assertError(await ana.get(`${url}/${id}/attempts`), 404)
  assert.deepEqual((await ana.get(url)).json, [])
  assert.deepEqual(await typesOf(app, ana, id), ['campaign.created', 'campaign.updated'])
})

test('a change with If-Match applies to one version only', async () => {
  const app = await testApp()
  const { ana } = app
  const { id } = await campaignOf(app)
  const { headers } = await ana.get(`${url}/${id}`)
  const etag = String(headers.etag)
  const change = (name: string, tag: string) =>
    ana.send({ method: 'PATCH', url: `${url}/${id}`, headers: { 'if-match': tag }, payload: { name } })
  assert.equal((await change('first', etag)).status, 200)
  assertError(await change('second', etag), 412)
  assert.equal((await ana.get(`${url}/${id}`)).json.name, 'first')
})

test('one Idempotency-Key creates one campaign', async () => {
  const app = await testApp()
  const { ana } = app
  const { agent } = await campaignOf(app)
  const create = () =>
    ana.send({
      method: 'POST',
      url,
      headers: { 'idempotency-key': 'one' },
      payload: { name: 'twice', agentId: agent.id },
    })
  const [first, second] = [await create(), await create()]
  assert.deepEqual([first.status, second.json.id], [201, first.json.id])
  assert.equal((await ana.get(url)).json.length, 2)
})

test('what a campaign may not say is refused with the name of the field', async () => {
  const app = await testApp()
  const { ana, bia } = app
  const { agent, trunk } = await campaignOf(app)
  const device = await made(ana, '/api/gateway/devices', { name: 'phone', agentId: agent.id })
  const inbound = await made(ana, '/api/trunks', { name: 'in', host: 'sip.example.com', directions: ['inbound'] })
  const hers = await made(bia, '/api/trunks', { name: 'hers', host: 'sip.example.com' })
  const refused = async (body: object, status: number, message: string | RegExp) =>
    assertError(await ana.post(url, { name: 'x', agentId: agent.id, ...body }), status, message)
  await refused({ agentId: 'agt_none' }, 404, 'Agent not found')
  await refused({ trunkId: hers.id }, 404, 'Trunk not found')
  await refused({ deviceId: 'none' }, 404, 'Device not found')
  await refused({ trunkId: trunk.id, deviceId: device.id }, 400, /trunkId and deviceId/)
  await refused({ trunkId: inbound.id }, 400, /^trunkId/)
  await refused({ deviceId: device.id, callerId: '+551130000000' }, 400, /^callerId/)
  await refused({ callerId: '1130000000' }, 400, /callerId/)
  await refused({ defaultCountry: 'XX' }, 400, /^defaultCountry/)
  await refused({ schedule: { endAt: inHours(-1) } }, 400, /^schedule\.endAt/)
  await refused({ schedule: { startAt: inHours(3), endAt: inHours(2) } }, 400, /^schedule\.endAt/)
  await refused({ schedule: { windows: [{ days: [1], from: '18:00', to: '09:00' }] } }, 400, /^schedule\.windows/)
  await refused({ predial: { url: 'http://127.0.0.1/x' } }, 400, /^predial\.url/)
  await ana.patch(`/api/gateway/devices/${device.id}`, { outboundEnabled: false })
  await refused({ deviceId: device.id }, 400, /^deviceId/)
  assert.equal((await ana.get(url)).json.length, 1, 'nothing was created')
})

test('the secret of the pre-dial webhook is shown once, stored sealed, and never follows a changed address', async () => {
  const app = await testApp()
  const { ana, database } = app
  const predial = { url: 'https://crm.example.com/ask' }
  const { id, campaign } = await campaignOf(app, { body: { predial } })
  assert.match(campaign.predialSecret, /^whsec_/)
  assert.ok(!(await everyRow(database.db)).includes(campaign.predialSecret.slice(6)))
  assert.equal((await ana.patch(`${url}/${id}`, { predial })).json.predialSecret, null)
  const moved = (await ana.patch(`${url}/${id}`, { predial: { url: 'https://other.example.com/' } })).json
  assert.match(moved.predialSecret, /^whsec_/)
  assert.notEqual(moved.predialSecret, campaign.predialSecret)
  assert.equal((await ana.patch(`${url}/${id}`, { predial: null })).json.predial, null)
})

test('start, pause, resume and cancel, each from its states only, with an event for each', async () => {
  const app = await testApp()
  const { ana, database } = app
  const { id, contacts } = await campaignOf(app, { contacts: 3 })
  const act = async (name: string) => (await ana.post(`${url}/${id}/${name}`)).json
  for (const name of ['pause', 'resume']) assertError(await ana.post(`${url}/${id}/${name}`), 409)
  const started = await act('start')
  assert.deepEqual([started.status, started.statusReason], ['running', null])
  assert.ok(started.startedAt)
  assertError(await ana.post(`${url}/${id}/start`), 409, 'This campaign is running')
  assertError(await ana.delete(`${url}/${id}`), 409)
  assertError(await ana.patch(`${url}/${id}`, { callerId: '+551130000000' }), 409, /^callerId/)
  assert.equal((await ana.patch(`${url}/${id}`, { callerId: null, name: 'as before' })).status, 200)
  const paused = await act('pause')
  assert.deepEqual([paused.status, paused.statusReason], ['paused', 'user'])
  assertError(await ana.post(`${url}/${id}/pause`), 409, 'This campaign is paused')
  assert.equal((await ana.patch(`${url}/${id}`, { callerId: '+551130000000' })).status, 200)
  assert.equal((await act('resume')).status, 'running')
  const [first] = contacts
  await database.db
    .updateTable('campaignContacts')
    .set({ status: 'calling' })
    .where('id', '=', first?.id ?? '')
    .execute()
  assert.equal((await act('cancel')).status, 'canceled')
  for (const name of ['cancel', 'start', 'resume', 'pause']) assertError(await ana.post(`${url}/${id}/${name}`), 409)
  assertError(await ana.patch(`${url}/${id}`, { name: 'late' }), 409)
  assertError(await ana.delete(`${url}/${id}`), 409, 'Calls of this campaign are in progress')
  const counts = await until('the waiting contacts are canceled', async () => {
    const { contacts: now } = (await ana.get(`${url}/${id}`)).json
    return now.waiting === 0 && now
  })
  assert.deepEqual([counts.canceled, counts.calling], [2, 1])
  assert.deepEqual(
    await typesOf(app, ana, id),
    [
      ...['campaign.created', 'campaign.started', 'campaign.paused', 'campaign.resumed', 'campaign.canceled'],
      ...['campaign.updated', 'campaign.updated'],
    ].sort(),
  )
})

test('of many starts at once, one succeeds', async () => {
  const app = await testApp()
  const { ana } = app
  const { id } = await campaignOf(app)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ana.post(`${url}/${id}/start`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409, 409, 409])
  assert.equal((await typesOf(app, ana, id)).filter((type) => type === 'campaign.started').length, 1)
})

test('nothing starts half: contacts, agent and a way to call are needed', async () => {
  const app = await testApp()
  const { ana, database } = app
  const { id, agent, trunk, key } = await campaignOf(app, { contacts: 0 })
  const start = () => ana.post(`${url}/${id}/start`)
  const codes = async () =>
    (await ana.post(`${url}/${id}/preview`, {})).json.problems.map(({ code }: { code: string }) => code)
  assertError(await start(), 409, 'This campaign has no contacts to call')
  await putContact(database.db, { ...key, hashNumber, phoneNumber: '+5511987654321' })
  await ana.patch(`/api/agents/toggle/${agent.id}`)
  assertError(await start(), 409, 'This agent is not active')
  await ana.patch(`/api/agents/toggle/${agent.id}`)
  await ana.patch(`/api/agents/${agent.id}`, { direction: 'inbound' })
  assertError(await start(), 409)
  assert.deepEqual(await codes(), ['agent_inbound_only'])
  await ana.patch(`/api/agents/${agent.id}`, { direction: 'outbound' })
  await ana.patch(`/api/trunks/${trunk.id}`, { isActive: false })
  assertError(await start(), 400, /^agentId/)
  assert.deepEqual(await codes(), ['campaign_no_route'])
  assert.equal((await ana.get(`${url}/${id}`)).json.status, 'draft')
  await ana.patch(`/api/trunks/${trunk.id}`, { isActive: true })
  assert.deepEqual(await codes(), [])
  assert.equal((await start()).json.status, 'running')
})

test('a campaign with a start in the future is scheduled and starts when it is due', async () => {
  const app = await testApp()
  const { ana } = app
  const { id } = await campaignOf(app, { body: { schedule: { startAt: inHours(2) } } })
  assert.equal((await ana.post(`${url}/${id}/start`)).json.status, 'scheduled')
  assertError(await ana.delete(`${url}/${id}`), 409)
  await ana.patch(`${url}/${id}`, { schedule: { startAt: inHours(-1) } })
  await until('the campaign runs', async () => (await ana.get(`${url}/${id}`)).json.status === 'running')
  assert.deepEqual(
    (await typesOf(app, ana, id)).filter((type) => type === 'campaign.started'),
    ['campaign.started'],
  )
})

test('a scheduled campaign that cannot start when it is due is paused with the reason', async () => {
  const app = await testApp()
  const { ana } = app
  const { id, trunk } = await campaignOf(app, { body: { schedule: { startAt: inHours(2) } } })
  await ana.post(`${url}/${id}/start`)
  await ana.patch(`/api/trunks/${trunk.id}`, { isActive: false })
  await ana.patch(`${url}/${id}`, { schedule: null })
  const paused = await until('the campaign is paused', async () => {
    const campaign = (await ana.get(`${url}/${id}`)).json
    return campaign.status === 'paused' && campaign
  })
  assert.deepEqual([paused.statusReason, /agentId/.test(paused.statusDetail)], ['no_route', true])
})

test('removing an agent, a trunk or a device cancels its campaigns at once; the campaigns stay visible', async () => {
  const app = await testApp()
  const { ana } = app
  const { agent, trunk, id } = await campaignOf(app)
  const device = await made(ana, '/api/gateway/devices', { name: 'phone' })
  const withDevice = await made(ana, url, { name: 'device', agentId: agent.id, deviceId: device.id })
  const withTrunk = await made(ana, url, { name: 'trunk', agentId: agent.id, trunkId: trunk.id })
  await ana.post(`${url}/${id}/start`)
  const stateOf = async (campaignId: string) => {
    const { status, statusReason } = (await ana.get(`${url}/${campaignId}`)).json
    return [status, statusReason]
  }
  assert.equal((await ana.delete(`/api/gateway/devices/${device.id}`)).status, 200)
  assert.deepEqual(await stateOf(withDevice.id), ['canceled', 'device_removed'])
  assert.equal((await ana.delete(`/api/trunks/${trunk.id}`)).status, 200)
  assert.deepEqual(await stateOf(withTrunk.id), ['canceled', 'trunk_removed'])
  assert.deepEqual(await stateOf(id), ['running', null])
  assert.equal((await ana.delete(`/api/agents/${agent.id}`)).status, 200)
  assert.deepEqual(await stateOf(id), ['canceled', 'agent_removed'])
  assert.ok((await typesOf(app, ana, id)).includes('campaign.canceled'), 'the event is not hidden with the agent')
  await until('the agent is purged', async () => (await ana.get(`${url}/${id}`)).json.agentId === null)
  assert.deepEqual(await stateOf(id), ['canceled', 'agent_removed'])
})

test('progress counts contacts, outcomes, hours and live calls; attempts are listed with their decision', async () => {
  const app = await testApp()
  const { ana, database } = app
  const { id, contacts, agent } = await campaignOf(app, { contacts: 4 })
  const [one, two, three, four] = contacts as [never, never, never, never]
  await putAttempt(database.db, one, { ...ended, outcome: 'answered', talkSeconds: 30 })
  await putAttempt(database.db, two, { ...ended, outcome: 'busy', decision: '{"pack":"br-strict"}' })
  await putAttempt(database.db, three, { ...ended, outcome: 'answered', talkSeconds: 4 })
  // An attempt without a call could be settled at any moment.
  const call = await putCall(database.db, { userId: ana.userId, agentId: agent.id, ...goingOn })
  await putAttempt(database.db, four, { callId: call.id })
  const progress = (await ana.get(`${url}/${id}/progress`)).json
  assert.deepEqual(progress.outcomes, { answered: 2, busy: 1 })
  assert.deepEqual([progress.answerRate, progress.shortCallShare, progress.liveCalls], [0.667, 0.5, 1])
  assert.equal(progress.contacts.waiting, 4)
  assert.equal(
    progress.hours.reduce(
      (sum: number, { outcomes }: { outcomes: { busy?: number } }) => sum + (outcomes.busy ?? 0),
      0,
    ),
    1,
  )
  const attempts = (await ana.get(`${url}/${id}/attempts`)).json
  assert.equal(attempts.length, 4)
  assert.ok(!('numberHash' in attempts[0]) && !('leaseUntil' in attempts[0]))
  const busy = (await ana.get(`${url}/${id}/attempts?outcome=busy`)).json
  assert.deepEqual([busy.length, busy[0].decision], [1, { pack: 'br-strict' }])
  assert.equal((await ana.get(`${url}/${id}/attempts?status=dialing`)).json.length, 1)
  const first = await ana.get(`${url}/${id}/attempts?limit=3`)
  assert.equal(first.json.length, 3)
  assert.match(String(first.headers.link), /rel="next"/)
})

test('the preview says who would be called and what they would hear, and changes nothing', async () => {
  const app = await testApp()
  const { ana, database } = app
  const { id } = await campaignOf(app, { contacts: 3 })
  // Of this campaign only: meanwhile the sweep settles attempts of others.
  const { userId } = await database.db
    .selectFrom('campaigns')
    .select('userId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const stored = async () => [
    await database.db.selectFrom('campaigns').selectAll().where('id', '=', id).execute(),
    await database.db.selectFrom('campaignContacts').selectAll().where('campaignId', '=', id).orderBy('id').execute(),
    await database.db.selectFrom('campaignAttempts').selectAll().where('campaignId', '=', id).execute(),
    await database.db.selectFrom('events').select('id').where('userId', '=', userId).orderBy('id').execute(),
  ]
  const before = await stored()
  const preview = (await ana.post(`${url}/${id}/preview`, { contacts: 2 })).json
  assert.deepEqual([preview.canStart, preview.problems, preview.total, preview.evaluated], [true, [], 3, 3])
  assert.equal(preview.callableNow + preview.later + preview.suppressed + preview.never, 3)
  assert.equal(preview.sample.length, 2)
  assert.match(preview.sample[0].greeting, /^Olá, aqui é Ana, .*Oi, Bia\.$/)
  assert.match(preview.usage.month, /^\d{4}-\d{2}$/)
  assert.deepEqual(await stored(), before)
})

test('the preview has the greeting of the call, and counts who was suppressed before and who is never called', async () => {
  const app = await testApp()
  const { ana, database } = app
  const { id, agent, key, contacts } = await campaignOf(app, { contacts: 2 })
  await putContact(database.db, { ...key, hashNumber, phoneNumber: '+558001234567' })
  const [one] = contacts as [(typeof contacts)[number]]
  await database.db.updateTable('campaignContacts').set({ status: 'suppressed' }).where('id', '=', one.id).execute()
  const preview = async () => (await ana.post(`${url}/${id}/preview`, {})).json
  const { total, evaluated, suppressed, never, rejected, sample } = await preview()
  assert.deepEqual([total, evaluated, suppressed, never, rejected], [3, 3, 1, 1, 0])
  const service = sample.find(({ phoneNumber }: { phoneNumber: string }) => phoneNumber === '+558001234567')
  assert.deepEqual([service.result, service.decision.never], ['never', 'number_not_callable'])

  const greeting = async (change: object) => {
    const { status, text } = await ana.patch(`/api/agents/${agent.id}`, change)
    assert.equal(status, 200, text)
    return (await preview()).sample.find(({ result }: { result: string }) => result !== 'never').greeting
  }
  const filled = {
    initialSpeech: 'Hoje é {{weekday}}, {{nome}}, da {{empresa}}.',
    settings: { variables: { empresa: 'Vida' } },
  }
  assert.match(await greeting(filled), /Hoje é \S+, Bia, da Vida\.$/)
  assert.match(await greeting({ initialSpeech: null }), /ligação automática\. Olá! Em que posso ajudar\?$/)
})

test('forgetting a number erases its contacts, attempts and rows, cancels what waits, and keeps the hash', async () => {
  const app = await testApp()
  const { ana, database } = app
  const { id, contacts } = await campaignOf(app, { contacts: 2 })
  const [one] = contacts as [(typeof contacts)[number]]
  await putAttempt(database.db, one, { ...ended, outcome: 'answered', talkSeconds: 30 })
  const counted = (await ana.post('/api/conversations/forget', { number: one.phoneNumber, dryRun: true })).json
  assert.equal(counted.contacts, 1)
  const forgotten = (await ana.post('/api/conversations/forget', { number: one.phoneNumber })).json
  assert.equal(forgotten.contacts, 1)
  const rows = await database.db.selectFrom('campaignContacts').selectAll().where('campaignId', '=', id).execute()
  const erased = rows.find((row) => row.id === one.id)
  assert.deepEqual(
    [erased?.phoneNumber, erased?.variables, erased?.status, erased?.numberHash],
    ['', '{}', 'canceled', one.numberHash],
  )
  assert.equal(rows.find((row) => row.id !== one.id)?.status, 'waiting')
  const [attempt] = (await ana.get(`${url}/${id}/attempts`)).json
  assert.equal(attempt.phoneNumber, '')
  assert.equal((await ana.post('/api/conversations/forget', { number: one.phoneNumber })).json.contacts, 0)
})
