// The form of a provider account: validation and request body. The agents that use an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent, Provider } from '../../../../client/paths.ts'
import { agentsNaming } from './account-usage.ts'
import { bodyOf, canListModels, draftOf, errorsOf, type FormTarget, fieldsOf } from './provider-form.ts'
import { kinds, vendorsFor } from './vendors.ts'

const account: Provider = {
  id: 'prv_1',
  kind: 'llm',
  vendor: 'openai',
  name: 'Work',
  baseUrl: 'https://api.openai.com/v1',
  model: 'm',
  models: null,
  hasKey: true,
  keyHint: '…abcd',
  source: 'own',
  isDefault: true,
  isShared: false,
  isInUse: true,
  prices: null,
  health: { state: 'unused', reason: null, since: null, firstMs: null },
  createdAt: null,
  updatedAt: null,
}
const stored: FormTarget = { kind: 'llm', vendor: 'openai', account }
const fresh = (vendor: string, kind: FormTarget['kind'] = 'llm'): FormTarget => ({ kind, vendor, account: null })

test('a new account needs a key and a model; a stored one keeps its key', () => {
  const empty = fieldsOf(fresh('openai'))
  assert.deepEqual(errorsOf(fresh('openai'), empty), { apiKey: 'missing', model: 'missing' })
  assert.deepEqual(errorsOf(fresh('openai'), { ...empty, apiKey: 'k', model: 'm' }), {})
  assert.deepEqual(errorsOf(fresh('ollama'), { ...empty, model: 'm' }), {})
  assert.deepEqual(errorsOf(stored, fieldsOf(stored)), {})
})

test('a vendor with a usual model needs none', () => {
  const fields = fieldsOf(fresh('deepgram', 'stt'))
  assert.equal(fields.model, 'nova-3')
  assert.deepEqual(errorsOf(fresh('deepgram', 'stt'), { ...fields, model: '' }), { apiKey: 'missing' })
  assert.deepEqual(errorsOf(fresh('openai-compatible', 'stt'), { ...fields, model: '' }), {
    baseUrl: 'missing',
    model: 'missing',
  })
})

test('an address is needed where the vendor has none, and another origin needs the key again', () => {
  const compatible = fresh('openai-compatible')
  const empty = { ...fieldsOf(compatible), model: 'm' }
  assert.deepEqual(errorsOf(compatible, empty), { baseUrl: 'missing' })
  assert.deepEqual(errorsOf(compatible, { ...empty, baseUrl: 'example.com' }), { baseUrl: 'notUrl' })
  assert.deepEqual(errorsOf(compatible, { ...empty, baseUrl: 'http://10.0.0.5:8000/v1' }), {})
  assert.deepEqual(errorsOf(fresh('azure', 'tts'), { ...empty, apiKey: 'k' }), { baseUrl: 'missing' })
  const moved = { ...fieldsOf(stored), baseUrl: 'https://proxy.example.com/v1' }
  assert.deepEqual(errorsOf(stored, moved), { apiKey: 'keyAgain' })
  assert.deepEqual(errorsOf(stored, { ...moved, baseUrl: 'https://api.openai.com/v2' }), {})
})

test('models can be listed before one is chosen', () => {
  const target = fresh('openai')
  assert.equal(canListModels(target, fieldsOf(target)), false)
  assert.equal(canListModels(target, { ...fieldsOf(target), apiKey: 'k' }), true)
  assert.equal(canListModels(stored, fieldsOf(stored)), true)
  const draft = { kind: 'llm', vendor: 'openai' }
  assert.deepEqual(draftOf(target, { ...fieldsOf(target), apiKey: ' k ' }), { ...draft, apiKey: 'k' })
  assert.deepEqual(draftOf(stored, fieldsOf(stored)), { ...draft, id: 'prv_1' })
})

test('only administrators share accounts and use a server on this machine', () => {
  const fields = { ...fieldsOf(fresh('openai')), apiKey: 'k', model: ' m ', isShared: true }
  const sent = { name: 'OpenAI', baseUrl: null, model: 'm', prices: null, isDefault: true, apiKey: 'k' }
  assert.deepEqual(bodyOf(fresh('openai'), fields, false), sent)
  assert.deepEqual(bodyOf(fresh('openai'), fields, true), { ...sent, isShared: true })
  for (const kind of kinds) {
    assert.ok(!vendorsFor(kind, false).includes('ollama'))
    assert.equal(vendorsFor(kind, true).includes('ollama'), kind === 'llm' || kind === 'embeddings')
  }
})

test('a voice is never a default: agents name theirs', () => {
  const target = fresh('elevenlabs', 'tts')
  assert.equal('isDefault' in bodyOf(target, { ...fieldsOf(target), isDefault: true }, false), false)
})

test('agents that name an account, first or as a fallback', () => {
  const agent = (id: string, settings: object | null) => ({ id, settings }) as Agent
  const agents = [
    agent('a', { llm: { providerId: 'prv_1' } }),
    agent('b', { recognition: { fallbacks: [{ providerId: 'prv_2' }, { providerId: 'prv_1' }] } }),
    agent('c', { voice: { providerId: 'prv_2', fallbacks: null } }),
    agent('d', null),
  ]
  assert.deepEqual(
    agentsNaming('prv_1', agents).map(({ id }) => id),
    ['a', 'b'],
  )
})
