// SIP headers that users may read and set.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CALL_HEADER,
  callHeadersOf,
  forbiddenHeader,
  headerVariables,
  mergedHeaders,
  READABLE_HEADER,
  readHeaders,
  sendableHeaders,
} from './sip-headers.ts'

test('headers that routing or the dialog depends on can be neither read nor set', () => {
  const [readable, callable] = [new RegExp(READABLE_HEADER), new RegExp(CALL_HEADER)]
  for (const name of ['Via', 'from', 'To', 'Contact', 'Route', 'Authorization', 'Content-Length', 'X-', 'X-a b', ''])
    assert.deepEqual([readable.test(name), callable.test(name)], [false, false], name)
  for (const name of ['X-Customer-Id', 'x-a', 'Diversion', 'USER-TO-USER', 'P-Charging-Vector'])
    assert.deepEqual([readable.test(name), callable.test(name)], [true, true], name)
  for (const name of ['P-Asserted-Identity', 'p-preferred-identity', 'History-Info'])
    assert.deepEqual([readable.test(name), callable.test(name)], [true, false], name)
})

test('inbound headers are joined, bounded and freed of control characters', () => {
  const sent: Record<string, string[]> = {
    'X-A': ['1', 'a\u0000\u001bb'],
    'X-Long': ['x'.repeat(5000)],
    'X-Empty': [' '],
  }
  const read = readHeaders((name) => sent[name] ?? [], ['X-A', 'X-Long', 'X-Empty', 'X-None'])
  assert.deepEqual(Object.keys(read), ['X-A', 'X-Long'])
  assert.deepEqual([read['X-A'], read['X-Long']?.length], ['1, a b', 1024])
  assert.deepEqual(headerVariables({ 'X-Customer-Id': '7', 'User-to-User': 'u' }), {
    sip_x_customer_id: '7',
    sip_user_to_user: 'u',
  })
})

test('a call may set what the list of the trunk names, in any case, and no line break', () => {
  const given = { 'x-customer-id': '7', 'X-Other': 'o', Via: 'v', 'X-Evil': 'a\r\nVia: b' }
  assert.deepEqual(callHeadersOf(given, ['X-Customer-Id', 'X-Evil', 'Via']), { 'x-customer-id': '7' })
  assert.equal(forbiddenHeader(given, ['X-Customer-Id', 'X-Other', 'X-Evil']), 'Via')
  assert.equal(forbiddenHeader({ 'x-customer-id': '7' }, ['X-Customer-Id']), null)
  assert.equal(forbiddenHeader({ 'P-Asserted-Identity': 'x' }, ['P-Asserted-Identity']), 'P-Asserted-Identity')
  assert.deepEqual(sendableHeaders({ 'X-A': 'a', From: 'b', 'X-B': 'a\nb' }), { 'x-a': 'a' })
  assert.deepEqual(mergedHeaders({ 'X-Account': '1', 'x-b': '2' }, { 'x-account': '3' }), {
    'x-b': '2',
    'x-account': '3',
  })
})
