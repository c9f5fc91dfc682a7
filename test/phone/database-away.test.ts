// Inbound calls during a database outage get 503, so that the carrier tries another server; they work again afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPostgresDatabase } from '../app.ts'
import { tcpWay } from '../cut-way.ts'
import { agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

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
