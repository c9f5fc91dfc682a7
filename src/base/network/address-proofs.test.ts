import assert from 'node:assert/strict'
import { test } from 'node:test'
import { now, nowMs } from '../time/clock.ts'
import { type AddressProofs, isValidProof, withProof } from './address-proofs.ts'

const daysAgo = (days: number) => new Date(nowMs() - days * 86_400_000).toISOString()

test('a registration counts while it lasts, anything else for 90 days', () => {
  assert.equal(isValidProof({ by: 'registration', at: daysAgo(0) }, false), false)
  assert.equal(isValidProof({ by: 'registration', at: daysAgo(300) }, true), true)
  assert.equal(isValidProof({ by: 'call', at: daysAgo(89) }, false), true)
  assert.equal(isValidProof({ by: 'digest', at: daysAgo(91) }, true), false)
})

test('a proof is renewed once a day, and never by a weaker one', () => {
  const fresh: AddressProofs = { '203.0.113.7': { by: 'call', at: daysAgo(0.5) } }
  for (const by of ['call', 'digest', 'registration'] as const)
    assert.equal(withProof(fresh, '203.0.113.7', by, now()), fresh, by)
  const older: AddressProofs = { '203.0.113.7': { by: 'call', at: daysAgo(2) } }
  const at = now()
  assert.deepEqual(withProof(older, '203.0.113.7', 'call', at), { '203.0.113.7': { by: 'call', at } })
  assert.equal(withProof(older, '203.0.113.7', 'contact', at), older)
  const expired: AddressProofs = { '203.0.113.7': { by: 'call', at: daysAgo(91) } }
  assert.equal(withProof(expired, '203.0.113.7', 'registration', at)['203.0.113.7']?.by, 'registration')
})

test('a trunk is registered at one address, and has 64 proved ones at most', () => {
  const moved = withProof(
    { '203.0.113.7': { by: 'registration', at: daysAgo(1) } },
    '203.0.113.8',
    'registration',
    now(),
  )
  assert.deepEqual(Object.keys(moved), ['203.0.113.8'])
  let proofs: AddressProofs = {}
  for (let i = 0; i < 100; i++) proofs = withProof(proofs, `2001:db8::${i}`, 'call', daysAgo(50 - i / 10))
  assert.equal(Object.keys(proofs).length, 64)
  assert.ok(proofs['2001:db8::99'] && !proofs['2001:db8::0'])
})
