// API key form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyKey, keyBody, problemsOf, stateOf } from './key-form.ts'

test('a full-access key without expiry', () => {
  assert.deepEqual(keyBody({ ...emptyKey, name: ' CRM ' }), {
    name: 'CRM',
    scopes: null,
    rateLimit: 60,
    expiresInDays: null,
  })
})

test('a key with scopes and a custom expiry', () => {
  const form = { ...emptyKey, name: 'x', access: 'chosen' as const, scopes: ['calls' as const], life: 'other' }
  assert.deepEqual(problemsOf(form), [])
  assert.deepEqual(keyBody({ ...form, otherDays: 3 }), {
    name: 'x',
    scopes: ['calls'],
    rateLimit: 60,
    expiresInDays: 3,
  })
  assert.equal(keyBody({ ...form, life: '90' }).expiresInDays, 90)
})

test('missing values are reported by field', () => {
  assert.deepEqual(problemsOf(emptyKey), ['name'])
  assert.deepEqual(problemsOf({ ...emptyKey, name: 'x', access: 'chosen', rateLimit: '' }), ['scopes', 'rateLimit'])
  assert.deepEqual(problemsOf({ ...emptyKey, name: 'x', life: 'other', otherDays: 0 }), ['otherDays'])
  assert.deepEqual(problemsOf({ ...emptyKey, name: 'x', life: '30', otherDays: 0 }), [])
})

test('a key is active, expired or revoked', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  assert.equal(stateOf({ isActive: true, expiresAt: null }, now), 'active')
  assert.equal(stateOf({ isActive: true, expiresAt: '2026-01-01T00:00:00Z' }, now), 'expired')
  assert.equal(stateOf({ isActive: false, expiresAt: null }, now), 'revoked')
})
