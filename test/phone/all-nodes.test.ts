// A live call is controlled through the node that does not run it, with Redis and with PostgreSQL alone.
// @run postgres
// @run gate
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import pg from 'pg'
import { anAgent, assertError, usesPostgres } from '../app.ts'
import { ended } from '../phone-app.ts'
import { tone } from '../phones/spectrum.ts'
import { startRedis } from '../servers.ts'
import { listenThrough, processesOf, saidIn, through, twoApps, webCallOn } from '../two-apps.ts'
import { until } from '../until.ts'

const WORDS = 'A loja fecha às seis da tarde.'
const CALLER_HZ = 1000

if (usesPostgres) {
  for (const bus of ['redis', 'postgres'] as const)
    test(`say, listen, transfer and hangup reach the other node over ${bus}`, async (t) => {
      const redisUrl = process.env.TEST_REDIS_URL ?? assert.fail('TEST_REDIS_URL is set by test/run.ts')
      const { one, two } = await twoApps(bus === 'redis' ? { REDIS_URL: redisUrl } : {})
      const { caller, callId, url } = await webCallOn(t, one, one.ana)
      const ask = through(two, one.ana)
      const processes = await processesOf(two)
      if (bus === 'redis') {
        const redis = new Redis(redisUrl)
        t.after(() => redis.disconnect())
        const channels = await redis.pubsub('CHANNELS', 'ramal:bus:*')
        for (const processId of processes.values()) assert.ok(channels.includes(`ramal:bus:${processId}`))
      }

      const ear = await listenThrough(t, two, one.ana, callId)
      assert.equal(ear.refused, null)
      caller.says(tone(CALLER_HZ, 30, 16_000).pcm)
      const said = await ask(`${url}/say`, { text: WORDS })
      assert.deepEqual([said.status, said.json], [200, { callId, status: 'said' }])
      await caller.until('said', ({ text, who }) => text === WORDS && who === 'agent')
      await until('both sides are heard', () => ear.heard.callerMs > 1000 && ear.heard.agentMs > 300)
      assert.deepEqual(ear.texts[0], { type: 'format', rateHz: 16_000, channels: 2, encoding: 'pcm_s16le' })
      assert.ok(ear.heard.isWhole)

      const refused = await ask(`${url}/transfer`, { to: '+8821612345678' })
      assertError(refused, 403, /not allowed/)
      assert.equal(refused.headers['x-error-code'], 'call_number_forbidden')
      const toNumber = await ask(`${url}/transfer`, { to: '+5511999990000' })
      assert.deepEqual([toNumber.status, toNumber.json.status], [200, 'failed'])
      const sales = { ...anAgent, name: 'Vendas', ttsProvider: 'provider_b', initialSpeech: 'Aqui é de vendas.' }
      const { id: agentId } = (await one.ana.post('/api/agents', sales)).json
      const handed = await ask(`${url}/transfer`, { agentId })
      assert.deepEqual(handed.json, { callId, status: 'connected', detail: 'Vendas takes over.' })

      const strange = through(two, one.bia)
      assertError(await strange(`${url}/say`, { text: 'x' }), 404)
      assertError(await strange(`${url}/hangup`, {}), 404)
      assert.equal((await listenThrough(t, two, one.bia, callId)).refused, 404)

      const over = await ask(`${url}/hangup`, {})
      assert.equal(over.status, 200, over.text)
      assert.equal((await caller.until('ended')).endReason, 'canceled_by_api')
      assert.equal(await ear.closed, 1000)
      assert.deepEqual(ear.texts.at(-1), { type: 'ended' })
      assertError(await ask(`${url}/say`, { text: 'x' }), 409, 'This call has ended')
      for (const { logs } of [one, two]) assert.ok(!/dropped a message|between nodes failed/.test(logs()), logs())
    })

  test('without Redis, which was there before, PostgreSQL carries the commands', async (t) => {
    const redis = await startRedis()
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await redis.stop()
      isStopped = true
    }
    t.after(stop)
    const { one, two } = await twoApps({ REDIS_URL: redis.url })
    const { callId, url } = await webCallOn(t, one, one.ana)
    await stop()
    const said = await through(two, one.ana)(`${url}/say`, { text: WORDS })
    assert.deepEqual([said.status, said.json], [200, { callId, status: 'said' }])
  })

  test('messages on the bus cannot be read, forged or repeated, and nothing of them is logged', async (t) => {
    const { one, two } = await twoApps()
    const { callId, url } = await webCallOn(t, one, one.ana)
    const target = (await processesOf(two)).get('one') as string
    const spy = new pg.Client(two.config.database.kind === 'postgres' ? two.config.database.url : '')
    await spy.connect()
    t.after(() => spy.end())
    const seen: string[] = []
    spy.on('notification', ({ payload = '' }) => seen.push(payload))
    await spy.query(`listen "ramal_${target}"`)
    const said = await through(two, one.ana)(`${url}/say`, { text: WORDS })
    assert.equal(said.status, 200, said.text)
    await until('it was carried', () => seen.length > 0)
    await until('it is said', async () => (await saidIn(one.ana, callId)).includes(`agent: ${WORDS}`))
    const before = [...seen]
    assert.ok(!before.some((payload) => Buffer.from(payload, 'base64').toString('latin1').includes('loja')))
    for (const payload of [...before, 'abcdefghijkl.0.1.AAAA', 'no message'])
      await spy.query('select pg_notify($1, $2)', [`ramal_${target}`, payload])
    await until('both are dropped', async () => {
      const { text: metrics } = await one.anonymous({ method: 'GET', url: '/metrics' })
      return Number(/ramal_faults_total\{component="bus"\} (\d+)/.exec(metrics)?.[1] ?? 0) >= 2
    })
    assert.match(one.logs(), /dropped a message between nodes/)
    for (const { logs } of [one, two]) assert.ok(!logs().includes('loja fecha'))
    // A later command is spoken after everything accepted before it.
    await through(two, one.ana)(`${url}/say`, { text: 'Fim.', interrupt: false })
    const lines = await until('the last is said', async () => {
      const all = await saidIn(one.ana, callId)
      return all.includes('agent: Fim.') && all
    })
    assert.equal(lines.filter((line) => line === `agent: ${WORDS}`).length, 1)
  })

  test('a listener who does not read loses audio, and the call goes on', async (t) => {
    const { one, two } = await twoApps()
    const { caller, callId, url } = await webCallOn(t, one, one.ana)
    const slow = await listenThrough(t, two, one.ana, callId)
    slow.socket.pause()
    const ear = await listenThrough(t, two, one.ana, callId)
    caller.says(tone(CALLER_HZ, 30, 16_000).pcm)
    assert.equal((await through(two, one.ana)(`${url}/say`, { text: WORDS })).status, 200)
    await until('the other listener hears the caller', () => ear.heard.callerMs > 1000)
    caller.tell({ type: 'hangup' })
    await ended(one.ana, callId)
    slow.socket.resume()
    assert.equal(await ear.closed, 1000)
  })
}
