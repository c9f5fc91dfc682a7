// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, testApp } from '../app.ts'
import { openWebServer, sendJson } from '../web-server.ts'

const MASK = '********'

test('a tool reaches no private network unless the operator allows it', async (t) => {
  const server = await openWebServer(t, (_asked, response) => sendJson(response, { secret: 'x' }))
  const { ana } = await testApp()
  for (const type of ['api_request', 'custom', 'chat_workspace'])
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      const requestUrl = `http://${host}:${server.port}/`
      const { json: tool } = await ana.post('/api/tools', { name: 'x', type, requestUrl })
      const { status, json } = await ana.post(`/api/tools/${tool.id}/test`, { arguments: { text: 'x' } })
      assert.equal(status, 200)
      assert.equal(json.status, 'failed')
      assert.match(json.error, /is in a network that tools may not reach$/)
    }
  assert.equal(server.connections(), 0)
})

test('an allowed tool runs, and secrets echoed by the server are masked', async (t) => {
  const server = await openWebServer(t, ({ url, headers, body }, response) => {
    if (url === '/token') return sendJson(response, { access_token: 'planted-token', expires_in: 600 })
    sendJson(response, { url, headers, body })
  })
  const { ana, logs } = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const authorizations = [
    { type: 'bearer', token: 'planted-1' },
    { type: 'basic', username: 'ana', password: 'planted-2' },
    { type: 'api_key', in: 'query', name: 'key', value: 'planted 3&' },
    { type: 'oauth2_client_credentials', tokenUrl: `${server.url}/token`, clientId: 'c', clientSecret: 'planted-4' },
    { type: 'hmac', secret: 'planted-5' },
  ]
  for (const authorization of authorizations) {
    const { json: tool } = await ana.post('/api/tools', {
      name: 'x',
      type: 'api_request',
      method: 'POST',
      requestUrl: `${server.url}/orders/{id}`,
      headers: { 'X-Planted': 'planted-6' },
      authorization,
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      body: { order: '{id}' },
    })
    const { json, text } = await ana.post(`/api/tools/${tool.id}/test`, { arguments: { id: 'A 1' } })
    assert.equal(json.status, 'done', text)
    assert.match(json.result, /A%201/)
    assert.equal(json.request.headers['X-Planted'], MASK)
    assert.doesNotMatch(text, /planted[- %\d]|cGxhbnRlZ/)
  }
  assert.doesNotMatch(logs(), /planted/)
})
