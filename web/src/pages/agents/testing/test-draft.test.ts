import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent } from '../../../../../client/paths.ts'
import { draftOf } from '../agent-draft.ts'
import { testDraft } from './test-draft.ts'

const agent = {
  id: 'agt_1',
  name: 'Ana',
  description: null,
  systemPrompt: 'You are {{role}}.',
  voiceId: null,
  isActive: false,
  direction: 'both',
  language: 'pt-BR',
  ttsProvider: 'provider_a',
  initialSpeech: null,
  llmConfig: null,
  provider_aConfig: null,
  settings: { variables: { role: 'a clerk' }, interruptible: false },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
} as Agent

test('an unchanged agent is tested as saved, but active', () => {
  assert.deepEqual(testDraft(agent, draftOf(agent), {}), { isActive: true })
})

test('unsaved changes and the values of the test go with it; empty values do not', () => {
  const draft = { ...draftOf(agent), systemPrompt: 'Be {{role}} for {{caller}}.' }
  assert.deepEqual(testDraft(agent, draft, { caller: '+5511999990000', role: ' ' }), {
    isActive: true,
    systemPrompt: 'Be {{role}} for {{caller}}.',
    settings: { variables: { role: 'a clerk', caller: '+5511999990000' }, interruptible: false },
  })
})

test('a field that cannot be sent stops the test', () => {
  assert.equal(testDraft(agent, { ...draftOf(agent), moreModel: '{ half' }, {}), null)
  assert.equal(testDraft(agent, { ...draftOf(agent), systemPrompt: ' ' }, {}), null)
})
