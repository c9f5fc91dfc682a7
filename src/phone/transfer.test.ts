import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trunk } from './ports.ts'
import { referTarget } from './transfer.ts'

const trunk = { host: 'carrier.example', port: 5080, numberFormat: { leadingPlus: false } } as Trunk
const target = referTarget(['+1900', '+881'])

test('a number goes through its own trunk, in its form', () => {
  assert.equal(target('+5511987654321', trunk), 'sip:5511987654321@carrier.example:5080')
  assert.equal(target('+55 11 98765-4321', trunk), 'sip:5511987654321@carrier.example:5080')
})

test('a SIP address goes as it is', () => {
  assert.equal(target('sip:ana@example.org', trunk), 'sip:ana@example.org')
})

test('what may not be called may not be transferred to either', () => {
  for (const to of ['+19005551234', '+881612345678', 'sip:+19005551234@carrier.example', 'sip:0019005551234@x.example'])
    assert.equal(target(to, trunk), null, to)
})

test('what is neither a number nor an address goes nowhere', () => {
  for (const to of ['ana', '190', '', 'sip:', '+5511987654321\r\nContact: x']) assert.equal(target(to, trunk), null, to)
  assert.equal(target('+5511987654321', null), null, 'a device has no trunk to call through')
})
