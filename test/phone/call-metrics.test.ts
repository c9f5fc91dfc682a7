// Calls, campaign attempts and nodes in /metrics: each series changes with what it counts. (For the database see
// database-away.test.ts.)
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { putAttempt, putCampaign, putContact } from '../campaign-rows.ts'
import { agentOnTrunk, newNumber, startPhoneApp } from '../phone-app.ts'
import { agentOnService, answeredCall, NUMBER, type PhoneService, startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { ask } from '../service.ts'
import { until } from '../until.ts'

/** 0 if there is no such line: a counter appears with its first label. */
function valueIn(metrics: string, series: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length) ?? 0)
}

test('calls in progress, waiting, ended and refused, and attempts in doubt are counted', async (t) => {
  const app = await startPhoneApp({ MAX_CALLS: '1' })
  const carrier = await openByHand(t)
  const { number, agentId, trunkId } = await agentOnTrunk(app, app.ana, carrier.port)
  await app.ana.post(`/api/agents/${agentId}/link-trunk`, { trunkId, trunkType: 'outbound' })
  const read = async (...series: string[]) => {
    const { text } = await app.anonymous({ url: '/metrics', remoteAddress: '127.0.0.1' })
    return series.map((each) => valueIn(text, each))
  }
  const live = 'ramal_calls_live'
  const waiting = 'ramal_calls_waiting'
  const doubts = 'ramal_campaign_attempts_in_doubt'
  const ended = 'ramal_calls_ended_total{reason="caller_hangup"}'
  const refused = 'ramal_calls_refused_total{code="503"}'
  assert.deepEqual(await read(live, waiting, doubts, ended, refused), [0, 0, 0, 0, 0])

  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  assert.deepEqual(await read(live, ended), [1, 0])
  assert.equal((await (await carrier.call(app.sipPort, { uri: number })).final()).status, 503)
  assert.deepEqual(await read(refused), [1])
  const order = await app.ana.post('/api/calls/outbound', { agentId, toNumber: newNumber() })
  assert.deepEqual(await read(live, waiting), [1, 1])
  assert.equal((await app.ana.post(`/api/calls/${order.json.callId}/hangup`)).status, 200)
  await call.bye()
  await until('the call has ended', async () => {
    const [now, queued, over] = await read(live, waiting, ended)
    return now === 0 && queued === 0 && over === 1
  })

  const { db } = app.database
  const { userId } = app.ana
  const campaign = await putCampaign(db, { userId, agentId })
  const of = { userId, campaignId: campaign.id, phoneNumber: newNumber(), hashNumber: String }
  await putAttempt(db, await putContact(db, of), { status: 'in_doubt' })
  assert.deepEqual(await read(doubts), [1])
})

if (usesPostgres)
  test('a node that dies and its calls are in the metrics and in the log of the other', async (t) => {
    const shared = {
      DATABASE_URL: await newPostgresDatabase(),
      MASTER_KEY: randomBytes(24).toString('hex'),
      LOG_LEVEL: 'info',
    }
    const one = await startPhoneService({ ...shared, NODE_NAME: 'one' })
    const two = await startPhoneService({ ...shared, NODE_NAME: 'two' }, { key: one.key })
    const read = async (node: PhoneService, series: string) =>
      valueIn((await ask(`${node.url}/metrics`, undefined, 'GET')).text, series)
    await until('it sees both', async () => (await read(two, 'ramal_nodes{state="up"}')) === 2)
    const carrier = await openByHand(t)
    await agentOnService(one, { host: '127.0.0.1', port: carrier.port }, NUMBER)
    for (let i = 0; i < 2; i++) await answeredCall(carrier, one.sipPort)
    assert.equal(await read(one, 'ramal_calls_live'), 2)
    await one.kill('SIGKILL')
    const orphaned = 'ramal_calls_ended_total{reason="orphaned"}'
    await until('its calls are closed', async () => (await read(two, orphaned)) === 2, 60_000)
    assert.equal(await read(two, 'ramal_nodes{state="down"}'), 1)
    const again = await startPhoneService(one.env, { dataDir: one.dataDir, key: one.key })
    await until('it is back', () => two.output().includes('a node is back'))
    const told = two
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; node?: string; calls?: number })
      .filter(({ node }) => node === 'one')
    const closed = told.filter(({ msg }) => msg === 'closed the calls of a process that ended')
    assert.equal(
      closed.reduce((sum, { calls = 0 }) => sum + calls, 0),
      2,
    )
    assert.deepEqual(
      told.filter((line) => !closed.includes(line)).map(({ msg }) => msg),
      ['a node has died: it no longer renews its lease', 'a node is back'],
    )
    await Promise.all([again, two].map((node) => node.kill('SIGTERM')))
  })
