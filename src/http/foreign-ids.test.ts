// Another user's id behaves exactly like an id that does not exist, wherever it is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../test/answers.ts'
import { aNumber, assertError, testApp } from '../../test/app.ts'
import { belongings, pathOf, sent, visible } from '../../test/belongings.ts'
import { missingIds, type Operation, operationsOf, urlOf } from '../../test/operations.ts'
import { scopeOf } from './scopes.ts'

const isForAdmins = ({ path }: Operation) => scopeOf(path) === 'admin'

function assertSame(foreign: Answer, missing: Answer, about: string): void {
  assert.equal(missing.status, 404, `${about}: ${missing.text}`)
  assert.equal(foreign.status, 404, `${about}: ${foreign.text}`)
  assertError(foreign, 404)
  assert.equal(foreign.text, missing.text, about)
  const names = (answer: Answer) => Object.keys(answer.headers).sort()
  assert.deepEqual(names(foreign), names(missing), about)
}

test("29 another user's id in a path gets the same response as a missing one, and changes nothing", async () => {
  const { app, ana, bia } = await testApp()
  const own = await belongings(ana)
  const before = await visible(ana, own)
  const all = operationsOf(app).filter(({ pathParameters }) => pathParameters.length > 0)
  const [forAdmins, withIds] = [all.filter(isForAdmins), all.filter((operation) => !isForAdmins(operation))]
  for (const operation of forAdmins)
    assertError(
      await bia.send({ method: operation.method, url: urlOf(operation, missingIds), ...sent(operation) }),
      403,
    )
  assert.ok(withIds.length >= 20)
  for (const operation of withIds) {
    const ask = (url: string) =>
      operation.method === 'GET' || operation.method === 'DELETE'
        ? bia.send({ method: operation.method, url })
        : bia.send({ method: operation.method, url, ...sent(operation) })
    assertSame(await ask(pathOf(operation, own)), await ask(urlOf(operation, missingIds)), operation.title)
    const head = await bia.send({ method: 'HEAD', url: pathOf(operation, own) })
    assert.ok(head.status === 404 || head.status === 405, `HEAD ${operation.path}`)
  }
  assert.deepEqual(await visible(ana, own), before)
  assert.equal((await ana.get(`/api/calls/${own.call}`)).status, 200)
})

test("29 another user's id in a body gets the same response as a missing one, and creates nothing", async () => {
  const { ana, bia } = await testApp()
  const [hers, mine] = [await belongings(ana), await belongings(bia)]
  const before = [await visible(ana, hers), await visible(bia, mine)]
  const toNumber = '+5511999990000'
  const tries: Record<string, (ids: { agent: string; conversation: string }) => Promise<Answer>> = {
    'a conversation': ({ agent }) => bia.post('/api/conversations/start', { agentId: agent }),
    'the end of a conversation': ({ conversation }) =>
      bia.post('/api/conversations/end', { conversationId: conversation }),
    'a number': ({ agent }) => bia.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId: agent }),
    'a binding': ({ agent }) => bia.patch(`/api/did/${mine.did}`, { agentId: agent, status: 'inactive' }),
    'a device': ({ agent }) => bia.post('/api/gateway/devices', { agentId: agent }),
    'a change of a device': ({ agent }) =>
      bia.patch(`/api/gateway/devices/${mine.device.id}`, { agentId: agent, name: 'x' }),
    'a rehearsal': ({ agent }) => bia.post('/api/rehearsals', { agentId: agent, steps: [] }),
    'a saved rehearsal': ({ agent }) => bia.post('/api/rehearsal-scripts', { name: 'x', agentId: agent, script: {} }),
    'a call': ({ agent }) => bia.post('/api/calls/outbound', { agentId: agent, toNumber }),
    'a widget': ({ agent }) => bia.post('/api/widgets', { agentId: agent, name: 'x' }),
    'a web call': ({ agent }) => bia.post('/api/web-calls', { agentId: agent }),
    'a call by a device': ({ agent }) => bia.post('/api/gateway/calls/outbound', { agentId: agent, toNumber }),
  }
  for (const [about, ask] of Object.entries(tries))
    assertSame(await ask(hers), await ask({ agent: 'missing', conversation: 'missing' }), about)
  assert.deepEqual([await visible(ana, hers), await visible(bia, mine)], before)
})

test('29 a link with one foreign id, on either side, is a 404', async () => {
  const { ana, bia } = await testApp()
  const [hers, mine] = [await belongings(ana), await belongings(bia)]
  const missing = await bia.post(`/api/tools/${mine.tool}/agents/missing`)
  assertSame(await bia.post(`/api/tools/${mine.tool}/agents/${hers.agent}`), missing, 'her agent')
  assertSame(
    await bia.post(`/api/tools/${hers.tool}/agents/${mine.agent}`),
    await bia.post(`/api/tools/missing/agents/${mine.agent}`),
    'her tool',
  )
  assertSame(
    await bia.delete(`/api/agents/${hers.agent}/link-trunk/${mine.trunk}`),
    await bia.delete(`/api/agents/missing/link-trunk/${mine.trunk}`),
    'her agent and my trunk',
  )
  assert.equal((await ana.get(`/api/agents/${hers.agent}/tools`)).json.length, 1)
})

test("29 another user's id in a query matches nothing", async () => {
  const { ana, bia } = await testApp()
  const hers = await belongings(ana)
  await belongings(bia)
  for (const url of ['/api/gateway/device-status', '/api/gateway/sip/credentials']) {
    const missing = await bia.get(`${url}?deviceId=missing`)
    for (const id of [hers.device.id, hers.device.deviceId, hers.device.token])
      assertSame(await bia.get(`${url}?deviceId=${id}`), missing, url)
  }
  const rotate = '/api/gateway/sip/credentials/rotate?deviceId='
  const before = (await ana.get('/api/gateway/sip/credentials')).json.password
  assertSame(await bia.post(`${rotate}${hers.device.id}`), await bia.post(`${rotate}missing`), 'rotate')
  assert.equal((await ana.get('/api/gateway/sip/credentials')).json.password, before)
  assert.deepEqual((await bia.get(`/api/calls?agentId=${hers.agent}`)).json, [])
})
