// Validation of a tool's spoken messages.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, testApp } from '../../../test/app.ts'

const make = (client: Client, messages: unknown) => client.post('/api/tools', { name: 'x', type: 'custom', messages })

const form = {
  content: 'One moment',
  contents: [
    { language: 'pt-BR', content: 'Um momento' },
    { language: 'en', content: 'One moment' },
  ],
  blocking: false,
  role: 'assistant',
  endCall: false,
  timingMs: 3000,
  conditions: [
    { param: 'total', operator: 'gte', value: 100 },
    { param: 'name', operator: 'neq', value: 'x' },
    { param: 'isNew', operator: 'eq', value: true },
  ],
}

test('120 a message is a text, variants of it, or an object with conditions, for each of the four events', async () => {
  const { ana } = await testApp()
  const shapes = [
    'One moment 😀',
    ['One moment', 'Just a second'],
    form,
    { content: 'x' },
    { contents: form.contents },
    { content: 'x', role: 'system', endCall: true, blocking: true },
    [
      { content: 'Still looking', timingMs: 3000 },
      { content: 'Nearly there', timingMs: 8000 },
    ],
  ]
  for (const moment of ['start', 'complete', 'failed', 'delayed'])
    for (const shape of shapes) {
      const { status, json, text } = await make(ana, { [moment]: shape })
      assert.equal(status, 201, `${JSON.stringify(shape)}: ${text}`)
      assert.deepEqual(json.messages, { [moment]: shape })
    }
  const all = { start: 'a', complete: ['b', 'c'], failed: form, delayed: [{ content: 'd', timingMs: 100 }] }
  const { json } = await make(ana, all)
  assert.deepEqual((await ana.get(`/api/tools/${json.id}`)).json.messages, all)
})

test('120 conditions have operators and limits', async () => {
  const { ana } = await testApp()
  for (const operator of ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'])
    assert.equal((await make(ana, { start: { conditions: [{ param: 'a', operator, value: 1 }] } })).status, 201)
  for (const timingMs of [100, 120_000]) assert.equal((await make(ana, { delayed: { timingMs } })).status, 201)
})

test('120 anything else in messages is rejected', async () => {
  const { ana } = await testApp()
  const wrong = [
    'One moment',
    [],
    5,
    { begin: 'x' },
    { start: 'x', success: 'y' },
    { start: 5 },
    { start: true },
    { start: [5] },
    { start: [['x']] },
    { start: 'x'.repeat(2001) },
    { start: { text: 'x' } },
    { start: { content: 5 } },
    { start: { content: 'x', extra: 1 } },
    { start: { contents: 'x' } },
    { start: { contents: [{ language: 'en' }] } },
    { start: { contents: [{ language: 'en', content: 'x', extra: 1 }] } },
    { start: { blocking: 'yes' } },
    { start: { role: 'user' } },
    { start: { endCall: 1 } },
    { delayed: { timingMs: 99 } },
    { delayed: { timingMs: 120_001 } },
    { delayed: { timingMs: 1000.5 } },
    { delayed: { timingMs: '1000' } },
    { start: { conditions: {} } },
    { start: { conditions: [{ param: 'a', operator: 'like', value: 1 }] } },
    { start: { conditions: [{ param: 'a', operator: 'eq' }] } },
    { start: { conditions: [{ param: 'a', operator: 'eq', value: {} }] } },
    { start: { conditions: [{ operator: 'eq', value: 1 }] } },
    { start: Array.from({ length: 20 }, () => 'x'.repeat(2000)) },
  ]
  for (const messages of wrong) {
    const answer = await make(ana, messages)
    assert.equal(answer.status, 400, `${JSON.stringify(messages).slice(0, 200)}: ${answer.text}`)
    assertError(answer, 400, /messages/)
  }
  assert.deepEqual((await ana.get('/api/tools')).json, [])
})
