// How many trunks and addresses a user may have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

const addresses = (count: number) => Array.from({ length: count }, (_, i) => `198.51.${i >> 8}.${i & 255}`)

test('a user has 50 trunks, however they are added; removing one makes room', async () => {
  const { ana, bia } = await testApp()
  const agent = (await ana.post('/api/agents', anAgent)).json
  const link = (trunkId: string) => ana.post(`/api/agents/${agent.id}/link-trunk`, { trunkId, trunkType: 'outbound' })
  for (let i = 0; i < 49; i++) assert.equal((await ana.post('/api/trunks', { name: `t${i}` })).status, 201)
  assert.equal((await link('mine')).status, 201)
  assertError(await ana.post('/api/trunks', { name: 'more' }), 409, /No more than 50 trunks/)
  assertError(await ana.post('/api/trunks/mine/duplicate', {}), 409, /No more than 50 trunks/)
  assertError(await link('more'), 409, /No more than 50 trunks/)
  assert.equal((await link('mine')).status, 200, 'it exists already')
  assert.equal((await bia.post('/api/trunks', { name: 'hers' })).status, 201)
  await ana.delete('/api/trunks/mine')
  assert.equal((await ana.post('/api/trunks', { name: 'more' })).status, 201)
})

test('a user has 200 addresses in all trunks together', async () => {
  const { ana } = await testApp()
  const trunk = (allowedAddresses: string[]) => ({ name: 'x', host: 'carrier.example', allowedAddresses })
  const first = (await ana.post('/api/trunks', trunk(addresses(150)))).json
  assertError(await ana.post('/api/trunks', trunk(addresses(51))), 409, /No more than 200 addresses/)
  const second = (await ana.post('/api/trunks', trunk(addresses(50)))).json
  assertError(await ana.patch(`/api/trunks/${second.id}`, { allowedAddresses: addresses(51) }), 409)
  assertError(await ana.post(`/api/trunks/${second.id}/duplicate`, {}), 409)
  assert.equal(
    (await ana.patch(`/api/trunks/${second.id}`, { name: 'y', allowedAddresses: addresses(50) })).status,
    200,
  )
  assert.equal((await ana.patch(`/api/trunks/${first.id}`, { allowedAddresses: addresses(100) })).status, 200)
  assert.equal((await ana.patch(`/api/trunks/${second.id}`, { allowedAddresses: addresses(100) })).status, 200)
})
