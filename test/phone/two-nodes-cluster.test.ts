// A whole cluster, all parts real: two nodes, PostgreSQL, Redis, Kamailio, an S3-compatible store and sipp.
// @run postgres
// @run exclusive: several platforms start at once, or 60 calls.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { agentOnService, answeredCall, NUMBER, type PhoneService, startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { startBalancer } from '../phones/kamailio.ts'
import { startSipp } from '../phones/sipp.ts'
import { caller } from '../phones/sipp-scenarios.ts'
import { ask } from '../service.ts'
import { startSwift } from '../swift.ts'
import { until } from '../until.ts'

/** Callers and carriers use a different address than the proxy. */
const OUTSIDE = '127.0.0.21'
const CALLS = 60

type Row = { id: string; nodeId: string; status: string; endReason: string | null; endedAt: string | null }

async function startCluster(t: TestContext, more: Record<string, string> = {}) {
  const shared = {
    DATABASE_URL: await newPostgresDatabase(),
    REDIS_URL: process.env.TEST_REDIS_URL ?? '',
    MASTER_KEY: randomBytes(24).toString('hex'),
    SIP_PROXIES: '127.0.0.1',
    MAX_CALLS: '100',
    MAX_CALLS_PER_USER: '200',
    ...more,
  }
  const one = await startPhoneService({ ...shared, NODE_NAME: 'one' })
  const two = await startPhoneService({ ...shared, NODE_NAME: 'two' }, { key: one.key })
  const carrier = await openByHand(t, OUTSIDE)
  const { agentId } = await agentOnService(one, { host: OUTSIDE, port: carrier.port }, NUMBER)
  for (const node of [one, two]) await (await answeredCall(carrier, node.sipPort)).bye()
  const balancer = await startBalancer({ nodes: [one.sipPort, two.sipPort] })
  t.after(balancer.stop)
  const call = { to: `127.0.0.1:${balancer.port}`, address: OUTSIDE, service: NUMBER }
  return { one, two, agentId, balancer, call }
}

/** The same node again, with the same folder, name and SIP port. */
const restarted = (node: PhoneService) => startPhoneService(node.env, { dataDir: node.dataDir, key: node.key })

const calls = async (node: PhoneService, query: string): Promise<Row[]> => node.get(`/api/calls?limit=100&${query}`)
const live = (node: PhoneService) => calls(node, 'status=in_progress')
const on = (rows: readonly Row[], name: string) => rows.filter(({ nodeId }) => nodeId === name)

/** Speaks into a call of the other node, listens to it and hangs up another. */
async function leadFromOther(t: TestContext, node: PhoneService, [first, second]: readonly Row[]): Promise<void> {
  const said = await node.post(`/api/calls/${first?.id}/say`, { text: 'Um momento, por favor.' })
  assert.equal(said.status, 200, JSON.stringify(said.json))
  const socket = new WebSocket(`${node.url.replace('http', 'ws')}/api/calls/${first?.id}/listen`, {
    headers: { 'x-api-key': node.key },
  })
  t.after(() => socket.terminate())
  let bytes = 0
  socket.on('message', (data, isBinary) => {
    if (isBinary) bytes += (data as Buffer).length
  })
  await until('a second of audio is heard', () => bytes > 64_000)
  socket.close()
  assert.equal((await node.post(`/api/calls/${second?.id}/hangup`)).status, 200)
  await until('it is over', async () => (await node.get(`/api/calls/${second?.id}`)).endedAt)
}

if (usesPostgres) {
  test('60 calls over two nodes; one is killed: only its calls end, and their recordings are uploaded once its disk is back', async (t) => {
    const swift = await startSwift()
    t.after(swift.stop)
    const { endpoint, bucket, accessKeyId, secretAccessKey, region } = swift.settings
    const { one, two, call } = await startCluster(t, {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    })
    const callers = await startSipp({
      ...call,
      scenario: caller({ talkMs: 300_000 }),
      calls: CALLS,
      rate: 3,
      withinMs: 400_000,
    })
    t.after(callers.stop)
    const rows = await until(
      'all calls are in progress',
      async () => {
        const list = await live(two)
        return list.length === CALLS && list
      },
      60_000,
    )
    const [ofOne, ofTwo] = [on(rows, 'one'), on(rows, 'two')]
    assert.equal(ofOne.length + ofTwo.length, CALLS)
    assert.ok(ofOne.length >= 10 && ofTwo.length >= 10, `spread: ${ofOne.length} and ${ofTwo.length}`)
    await until('both report their calls', async () => {
      const { nodes } = await two.get('/api/overview')
      return nodes.length === 2 && nodes.every(({ calls: count }: { calls: number }) => count >= 10)
    })

    await leadFromOther(t, two, ofOne)
    await leadFromOther(t, one, ofTwo)

    const left = await live(two)
    const [leftOne, leftTwo] = [on(left, 'one'), on(left, 'two')]
    await one.kill('SIGKILL')
    const idsOf = (list: readonly Row[]) => list.map(({ id }) => id).sort()
    const orphaned = async () => (await calls(two, 'status=failed')).filter(({ endReason }) => endReason === 'orphaned')
    await until('its calls are closed', async () => (await orphaned()).length >= leftOne.length, 40_000)
    assert.deepEqual(idsOf(await orphaned()), idsOf(leftOne), 'only its own')
    assert.deepEqual(idsOf(await live(two)), idsOf(leftTwo), 'those of the other node go on')
    await until('it is shown as down', async () => {
      const { nodes } = await two.get('/api/overview')
      return nodes.find(({ name }: { name: string }) => name === 'one').state === 'down'
    })

    const again = await restarted(one)
    const [lost] = leftOne
    const wav = await until(
      'its recording is served by the other node',
      async () => {
        const answer = await ask(`${two.url}/api/gateway/calls/recordings/${lost?.id}`, two.key, 'GET')
        return answer.status === 200 && answer.text.startsWith('RIFF') && answer.text
      },
      40_000,
    )
    assert.ok(wav.length > 10_000, 'up to the kill')
    assert.deepEqual(idsOf(await live(two)), idsOf(leftTwo), 'and still do')
    for (const node of [again, two]) await node.kill('SIGKILL')
  })

  test('a rolling restart of both nodes under load loses no call and refuses none', async (t) => {
    const cluster = await startCluster(t, { DRAIN_SECONDS: '60' })
    const { balancer, call } = cluster
    // Calls that arrived before the nodes had loaded the trunk.
    const before = new Set((await calls(cluster.one, 'status=failed')).map(({ id }) => id))
    const total = 120
    const callers = await startSipp({
      ...call,
      scenario: caller({ talkMs: 3000 }),
      calls: total,
      rate: 2,
      withinMs: 180_000,
    })
    t.after(callers.stop)
    const nodes = { one: cluster.one, two: cluster.two }
    for (const name of ['one', 'two'] as const) {
      const node = nodes[name]
      const other = nodes[name === 'one' ? 'two' : 'one']
      await until(`calls are on ${name}`, async () => on(await live(other), name).length > 0)
      assert.deepEqual(await node.kill('SIGTERM'), { code: 0, signal: null })
      nodes[name] = await restarted(node)
      await balancer.probed(node.sipPort, true)
    }
    const { statistics } = await callers.succeeded()
    assert.equal(statistics.get('SuccessfulCall(C)'), String(total))
    assert.equal(statistics.get('FailedCall(C)'), '0')
    const failed = (await calls(nodes.two, 'status=failed')).filter(({ id }) => !before.has(id))
    assert.deepEqual(failed, [], 'no row says otherwise')
    for (const node of Object.values(nodes)) await node.kill('SIGTERM')
  })
}
