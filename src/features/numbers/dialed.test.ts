// Matching a dialed number to a DID.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, testApp } from '../../../test/app.ts'
import { didStore } from './store.ts'

test('a national number never matches a number of a country that the trunk does not serve', async () => {
  const { ana, database } = await testApp()
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const link = { trunkId: 'brazil', trunkType: 'inbound', phoneNumber: '+551140028922' }
  await ana.post(`/api/agents/${agentId}/link-trunk`, link)
  await ana.post(`/api/agents/${agentId}/link-trunk`, { trunkId: 'unknown', trunkType: 'inbound' })
  const dids = didStore(database.db)
  const dialed = async (text: string, trunkId?: string) =>
    (await dids.dialed(ana.userId, text, trunkId ? [trunkId] : []))?.phoneNumber
  assert.equal(await dialed('1140028922', 'brazil'), '+551140028922')
  await ana.post('/api/did', { phoneNumber: '+1140028922', countryCode: '1' })
  assert.equal(await dialed('1140028922', 'brazil'), '+551140028922')
  assert.equal(await dialed('1140028922', 'unknown'), undefined, 'it may be either')
  assert.equal(await dialed('+1140028922', 'brazil'), '+1140028922')
  assert.equal(await dialed('551140028922', 'unknown'), '+551140028922')
})
