import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedVerb } from './failed-verb.ts'

const verb = (method: string, path: string) => failedVerb({ asked: { method, path } })

test('the title of an error says what could not be done', () => {
  assert.equal(verb('GET', '/api/agents'), 'load')
  assert.equal(verb('PATCH', '/api/agents/{id}'), 'save')
  assert.equal(verb('DELETE', '/api/agents/{id}'), 'remove')
  assert.equal(verb('POST', '/api/agents'), 'create')
  assert.equal(verb('POST', '/api/webhooks/{id}/test'), 'test')
  assert.equal(verb('POST', '/api/calls/outbound'), 'call')
  assert.equal(verb('POST', '/api/campaigns/{id}/imports'), 'import')
  assert.equal(verb('POST', '/api/calls/{id}/hangup'), 'finish')
  assert.equal(failedVerb(new TypeError('Failed to fetch')), 'finish')
  assert.equal(failedVerb(null), 'finish')
})
