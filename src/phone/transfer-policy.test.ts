import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialPolicy } from './dial-policy.ts'
import type { Trunk } from './ports.ts'
import { mayTransfer, referTarget } from './transfer-policy.ts'

const trunk = { host: 'carrier.example', port: 5080, numberFormat: { leadingPlus: false } } as Trunk
const policy = dialPolicy(['+1900', '+881'])
const may = mayTransfer(policy)
const target = referTarget(policy)

test('a number is referred through its trunk, in its format', () => {
  for (const to of ['+5511987654321', '+55 11 98765-4321']) {
    assert.ok(may(to))
    assert.equal(target(to, trunk), 'sip:5511987654321@carrier.example:5080')
  }
  assert.equal(target('+5511987654321', null), null, 'a device has no trunk to call through')
})

test('a SIP address is used unchanged', () => {
  assert.ok(may('sip:ana@example.org'))
  assert.equal(target('sip:ana@example.org', trunk), 'sip:ana@example.org')
})

test('a denied number cannot be a transfer target', () => {
  for (const to of ['+19005551234', '+881612345678', 'sip:+19005551234@carrier.example', 'sip:0019005551234@x.example'])
    assert.equal(may(to), false, to)
})

test('a trunk whose number format would dial a denied number has no Refer-To', () => {
  const numberFormat = { stripPrefix: '5511', prefix: '+881' }
  assert.equal(target('+5511612345678', { ...trunk, numberFormat }), null)
})

test('a transfer target is a number or a SIP address, nothing else', () => {
  for (const to of [
    'ana',
    '190',
    '',
    'sip:',
    '+5511987654321\r\nContact: x',
    'sip:a@b\r\nContact: x',
    'tel:+5511987654321',
  ])
    assert.equal(may(to), false, to)
})
