// Two nodes behind HAProxy: requests alternate, streams and WebSockets pass, and no request fails while a node drains.
// @run postgres
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { type PhoneService, startPhoneService, talking } from '../phone-service.ts'
import { startHaproxy } from '../phones/haproxy.ts'
import { ask } from '../service.ts'
import { until } from '../until.ts'

async function behindHaproxy(t: TestContext) {
  const env = {
    DATABASE_URL: await newPostgresDatabase(),
    MASTER_KEY: randomBytes(24).toString('hex'),
    TRUST_PROXY: '127.0.0.1',
  }
  const one = await startPhoneService(env)
  const two = await startPhoneService(env, { key: one.key })
  const balancer = await startHaproxy([one.url, two.url])
  t.after(balancer.stop)
  return { one, two, balancer, env }
}

/** Reads and writes through the balancer until stopped; keeps every response that is not a success. */
function stream(url: string, key: string) {
  const served = { all: 0, by: new Map<string, number>() }
  const errors: string[] = []
  let isOver = false
  const once = async (i: number) => {
    const [method, path, body] =
      i % 3 === 0
        ? ['POST', '/api/agents', { name: `a${i}`, systemPrompt: 'x' }]
        : ['GET', '/api/agents?limit=1', undefined]
    const answer = await ask(`${url}${path}`, key, method as string, body).catch((error) => error as Error)
    served.all++
    if (answer instanceof Error) return void errors.push(`${method}: ${answer.cause ?? answer.message}`)
    const node = answer.headers.get('x-served-by') ?? ''
    served.by.set(node, (served.by.get(node) ?? 0) + 1)
    if (answer.status >= 300) errors.push(`${method} ${answer.status} ${answer.text}`)
  }
  const running = (async () => {
    for (let i = 0; !isOver; i++) await once(i)
  })()
  const since = async (count: number) => {
    const from = served.all
    await until('more requests are served', () => served.all >= from + count)
  }
  return {
    errors,
    since,
    by: (node: string) => served.by.get(node) ?? 0,
    async stop() {
      isOver = true
      await running
    },
  }
}

async function listenToEvents(t: TestContext, url: string, key: string) {
  const request = get(`${url}/api/events`, { headers: { 'x-api-key': key }, agent: false })
  t.after(() => request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  answer.on('error', () => {})
  return { status: answer.statusCode, text: () => text }
}

/** Opens a web call with a token that was never issued; returns which node refused it, and how. */
async function refusedSocket(url: string, token: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/web-calls/audio`, ['ramal.v1', token])
  const upgraded = once(socket, 'upgrade')
  const closed = once(socket, 'close')
  const [response] = (await upgraded) as [IncomingMessage]
  const [code] = (await closed) as [number]
  return { node: response.headers['x-served-by'], code }
}

/** Resolves once the process has exited after SIGTERM. */
async function drained(node: PhoneService, before: () => Promise<unknown> = async () => {}) {
  node.process.kill('SIGTERM')
  await before()
  assert.deepEqual(await node.ended, { code: 0, signal: null })
}

if (usesPostgres) {
  test('requests alternate; events, web calls and uploads pass through', async (t) => {
    const { one, two, balancer } = await behindHaproxy(t)
    const nodes = await Promise.all(Array.from({ length: 6 }, balancer.servedBy))
    assert.deepEqual([...new Set(nodes)].sort(), ['node-1', 'node-2'])
    const events = await listenToEvents(t, balancer.url, one.key)
    assert.equal(events.status, 200)
    const agent = (await one.post('/api/agents', { name: 'Ana', systemPrompt: 'x' })).json
    const made = await two.post('/api/conversations/start', { agentId: agent.id })
    assert.equal(made.status, 201)
    await until('the event comes through', () => events.text().includes(made.json.id))
    const token = `wct_${randomBytes(16).toString('hex')}`
    const first = await refusedSocket(balancer.url, token)
    assert.ok(first.code >= 4000, `closed by Ramal: ${first.code}`)
    for (let i = 0; i < 4; i++)
      assert.deepEqual(await refusedSocket(balancer.url, token), first, 'always the same node')
    const document = await fetch(`${balancer.url}/api/agents`, {
      method: 'POST',
      headers: { 'x-api-key': one.key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Long', systemPrompt: 'x'.repeat(30_000) }),
    })
    assert.equal(document.status, 201, await document.text())
    await Promise.all([one.kill('SIGTERM'), two.kill('SIGTERM')])
  })

  test('no request fails while a node drains, with a live call and without', async (t) => {
    const { one, two, balancer, env } = await behindHaproxy(t)
    const { call } = await talking(t, one)
    const requests = stream(balancer.url, one.key)
    await until('both serve', () => requests.by('node-1') > 5 && requests.by('node-2') > 5)
    await drained(one, async () => {
      await until(
        'it says that it drains',
        async () => (await ask(`${one.url}/readyz`, undefined, 'GET')).status === 503,
      )
      await until('the balancer has taken it out', async () => {
        const had = requests.by('node-1')
        await requests.since(10)
        return requests.by('node-1') === had
      })
      assert.equal(one.process.exitCode, null, 'its call goes on')
      assert.equal((await call.bye()).status, 200)
    })
    await requests.since(10)
    assert.deepEqual(requests.errors, [])

    const again = await startPhoneService({ ...env, PORT: new URL(one.url).port }, { key: one.key })
    const had = requests.by('node-1')
    await until('the restarted node serves', () => requests.by('node-1') > had + 5)
    await drained(again)
    await requests.since(10)
    await requests.stop()
    assert.deepEqual(requests.errors, [])
    await two.kill('SIGTERM')
  })
}
