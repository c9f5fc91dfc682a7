import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

test('55 the list holds only the agents of its user', async () => {
  const { ana, bia } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  assert.deepEqual((await ana.get('/api/agents')).json, [agent])
  assert.deepEqual((await bia.get('/api/agents')).json, [])
})

test('57 name and systemPrompt are required', async () => {
  const { ana } = await testApp()
  assertError(await ana.post('/api/agents', { systemPrompt: 'x' }), 400, 'name is required')
  assertError(await ana.post('/api/agents', { name: 'x' }), 400, 'systemPrompt is required')
})
