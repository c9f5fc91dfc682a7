import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeHref, recordHref, telHref } from './callback-links.ts'

test('a number can be dialled; only a complete one by an agent', () => {
  assert.equal(telHref({ phoneNumber: '+5511987654321' }), 'tel:+5511987654321')
  assert.equal(telHref({ phoneNumber: '0800123456' }), 'tel:0800123456')
  assert.equal(telHref({ phoneNumber: 'javascript:alert(1)' }), null)
  assert.equal(telHref({ phoneNumber: null }), null)
  assert.equal(placeHref({ phoneNumber: '+5511987654321' }), '/live?place=%2B5511987654321')
  assert.equal(placeHref({ phoneNumber: '0800123456' }), null)
})

test('a request leads to its call, or to its conversation', () => {
  assert.equal(recordHref({ callId: 'cal_1', conversationId: 'cnv_1' }), '/calls/cal_1')
  assert.equal(recordHref({ callId: null, conversationId: 'cnv_1' }), '/conversations/cnv_1')
  assert.equal(recordHref({ callId: null, conversationId: null }), null)
})
