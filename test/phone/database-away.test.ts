// A node without its database reports it: OPTIONS and inbound calls get 503 at once, so that a proxy or carrier tries
// another server; the outage is one log line and shows in the metrics. Afterwards everything works as before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPostgresDatabase } from '../app.ts'
import { tcpWay } from '../cut-way.ts'
import { agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

type Logged = { level: number; msg: string }

test('a node that has lost its database leaves the rotation, refuses calls, and logs the outage once', async (t) => {
  const url = new URL(await newPostgresDatabase())
  const way = await tcpWay(Number(url.port))
  url.host = new URL(way.url).host
  const app = await startPhoneApp({ DATABASE_URL: url.href })
  const carrier = await openByHand(t, '127.0.10.62')
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: carrier.address } })
  const probe = () => {
    const callId = carrier.ask(app.sipPort, 'OPTIONS').headers.get('call-id')
    return until('the probe is answered', () => {
      const answer = carrier.heard.find(({ message }) => message.headers.get('call-id') === callId)?.message
      return answer?.kind === 'response' ? answer.status : undefined
    })
  }
  const metrics = async () => (await app.anonymous({ url: '/metrics', remoteAddress: '127.0.0.1' })).text
  assert.equal(await probe(), 200)
  assert.match(await metrics(), /^ramal_database_up 1$/m)
  const before = app.logs().length
  way.freeze() // as when packets are dropped
  await until('the node says that it takes no calls', async () => (await probe()) === 503)
  const calls = await Promise.all(Array.from({ length: 5 }, () => carrier.call(app.sipPort, { uri: number })))
  for (const call of calls) {
    const { status, headers } = await call.final()
    assert.deepEqual([status, headers.get('retry-after')], [503, '10'])
  }
  const text = await metrics()
  assert.match(text, /^ramal_database_up 0$/m)
  assert.match(text, /^ramal_calls_refused_total\{code="503"\} 5$/m)
  way.open()
  await until('it takes calls again', async () => (await probe()) === 200)
  await until('the end is logged', () => app.logs().includes('database available again'))
  const lines = app
    .logs()
    .slice(before)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Logged)
  const since = lines.findIndex(({ msg }) => msg === 'database unavailable')
  const end = lines.findIndex(({ msg }) => msg === 'database available again')
  const loud = lines.slice(since, end + 1).filter(({ level }) => level >= 40)
  assert.deepEqual(
    loud.map(({ msg }) => msg),
    ['database unavailable'],
  )
})

test('an INVITE while the database is down is refused with 503 and Retry-After', async (t) => {
  const url = new URL(await newPostgresDatabase())
  const way = await tcpWay(Number(url.port))
  url.host = new URL(way.url).host
  const app = await startPhoneApp({ DATABASE_URL: url.href })
  const carrier = await openByHand(t, '127.0.10.61')
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: carrier.address } })
  const call = async () => await carrier.call(app.sipPort, { uri: number })
  const before = await call()
  await before.answered()
  assert.equal((await before.bye()).status, 200)
  way.shut()
  const refused = await (await call()).final()
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '10'])
  way.open()
  await until('calls are taken again', async () => {
    const again = await call()
    if ((await again.final()).status !== 200) return false
    again.ack()
    return (await again.bye()).status === 200
  })
})
