// Tools and webhooks never call the server they run on, however wide the allowed networks are.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { assertError, startTestApp } from '../app.ts'
import { onLoopback, startCounterpart } from './counterpart.ts'

const account = { email: 'mallory@example.com', password: 'a zebra in the night' }

test('a tool cannot set the first password, read the metrics or call anything else on this server', async () => {
  const { app, ana, anonymous } = await startTestApp({ ...onLoopback, HOST: '0.0.0.0' })
  const { port } = new URL(await app.listen())
  const counterpart = await startCounterpart()
  const run = async (fields: object) => {
    const made = await ana.post('/api/tools', { name: 'x', type: 'api_request', ...fields })
    assert.equal(made.status, 201, made.text)
    return (await ana.post(`/api/tools/${made.json.id}/test`, {})).json
  }
  const here = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter((each) => each.family === 'IPv4'),
  )
  const hosts = [
    '127.0.0.1',
    '127.0.0.2',
    'localhost',
    '[::ffff:127.0.0.1]',
    '[::1]',
    ...here.map(({ address }) => address),
  ]
  for (const host of hosts) {
    const setup = { method: 'POST', requestUrl: `http://${host}:${port}/auth/setup`, body: account }
    const told = await run(setup)
    assert.equal(told.status, 'failed', host)
    assert.match(told.error, /is this server, which tools may not call/, host)
  }
  assert.match((await run({ requestUrl: `http://127.0.0.1:${port}/metrics` })).error, /is this server/)
  const webhook = await ana.post('/api/webhooks', { url: `http://127.0.0.1:${port}/auth/setup` })
  assertError(webhook, 400, /is this server/)
  const state = await anonymous({ method: 'GET', url: '/auth/session' })
  assert.equal(state.json.needsSetup, true, 'nobody has a password')
  assert.equal((await run({ requestUrl: counterpart.url })).status, 'done', 'other servers of this machine are allowed')
  assert.equal((await ana.post('/api/webhooks', { url: counterpart.url })).status, 201)
})

test('tools cannot set the headers that browsers use to identify their page', async () => {
  const { ana } = await startTestApp(onLoopback)
  const counterpart = await startCounterpart()
  const forged = { name: 'x', type: 'api_request', headers: { 'Sec-Fetch-Site': 'same-origin' } }
  assertError(await ana.post('/api/tools', forged), 400, /headers: Sec-Fetch-Site cannot be set/)
  const authorization = { type: 'custom_header', headerName: 'sec-fetch-site', value: 'same-origin' }
  const { json } = await ana.post('/api/tools', {
    name: 'x',
    type: 'api_request',
    requestUrl: counterpart.url,
    authorization,
  })
  assert.match((await ana.post(`/api/tools/${json.id}/test`, {})).json.error, /header of that name cannot be sent/)
  assert.equal(counterpart.received.length, 0)
})

test('a webhook to a forbidden address is refused at once, and a name at delivery', async () => {
  const { ana } = await startTestApp()
  const { json: hook } = await ana.post('/api/webhooks', { url: 'https://hooks.example.com/x' })
  for (const url of ['http://10.0.0.1/', 'http://[::1]/x', 'http://169.254.169.254/', 'http://2130706433/']) {
    assertError(await ana.post('/api/webhooks', { url }), 400, /^url: .*may not reach/)
    assertError(await ana.patch(`/api/webhooks/${hook.id}`, { url }), 400, /^url: .*may not reach/)
  }
  assert.equal((await ana.patch(`/api/webhooks/${hook.id}`, { url: 'https://8.8.8.8/x' })).status, 200)
})
