// Validation of the config of each tool type.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, testApp } from '../../../test/app.ts'

const url = '/api/tools'

/** Valid and invalid configs of each type. */
const configs: Record<string, { good: object[]; bad: object[] }> = {
  custom: {
    good: [
      { async: true, timeoutMs: 15_000, retries: 2, responseVariables: { name: '$.customer.name' }, idempotent: true },
    ],
    bad: [
      { async: 'yes' },
      { idempotent: 1 },
      { timeoutMs: 99 },
      { retries: 11 },
      { responseVariables: { a: 1 } },
      { mode: 'info' },
    ],
  },
  api_request: {
    good: [
      { timeoutMs: 300_000, retry: { maxRetries: 3, baseDelayMs: 100, type: 'exponential' } },
      { responseFilter: ['a.b'], responseVariables: {}, maxResponseBytes: 1, idempotent: false },
    ],
    bad: [{ retry: { type: 'linear' } }, { retry: { tries: 3 } }, { responseFilter: 'a' }, { maxResponseBytes: 0 }],
  },
  dtmf: {
    good: [{ mode: 'rfc4733', toneMs: 160, gapMs: 100, initialDelayMs: 0 }, { mode: 'auto' }],
    bad: [{ mode: 'sip' }, { toneMs: 10 }, { gapMs: '100' }, { digits: '1' }],
  },
  end_call: {
    good: [{ message: 'Bye', waitForSpeech: true, rejectIf: [{ param: 'a' }] }],
    bad: [{ message: 5 }, { waitForSpeech: 1 }, { rejectIf: {} }],
  },
  transfer_call: {
    good: [
      {
        destinations: [
          { type: 'number', number: '+5511987654321', mode: 'warm', whisper: 'summary', ringTimeoutMs: 30_000 },
          { type: 'sip', sipUri: 'sip:x@example.com', method: 'refer', sipHeaders: { 'X-A': 'b' } },
          { type: 'agent', agentId: 'agt_x', onFailure: 'return_to_agent' },
        ],
        allowAnyNumber: false,
      },
    ],
    bad: [
      { destinations: [{ number: '+5511987654321' }] },
      { destinations: [{ type: 'fax' }] },
      { destinations: [{ type: 'number', mode: 'hot' }] },
      { destinations: [{ type: 'number', password: 'x' }] },
      { destinations: {} },
    ],
  },
  send_text: {
    good: [
      { channel: 'whatsapp', from: '+5511987654321', deviceId: 'd', defaultTo: 'caller', template: 'Hi {name}' },
      { allowedNumbers: ['+5511987654321'] },
    ],
    bad: [{ channel: 'pigeon' }, { template: 5 }, { allowedNumbers: '+5511987654321' }],
  },
  query: {
    good: [{ knowledgeBaseIds: ['kb'], topK: 5, minScore: 0.1, maxTokens: 800, autoInject: true }],
    bad: [{ topK: 0 }, { minScore: -1 }, { knowledgeBaseIds: 'kb' }],
  },
  calendar: {
    good: [
      {
        provider: 'p',
        operation: 'create_event',
        calendarId: 'c',
        timeZone: 'America/Sao_Paulo',
        durationMinutes: 30,
      },
      { workingHours: { days: [1, 7], from: '08:00', to: '24:00' }, slotMinutes: 15, bufferMinutes: 0 },
      { maxDaysAhead: 60, allowOverlap: true, showDetails: false },
    ],
    bad: [
      { operation: 'dance' },
      { durationMinutes: 0 },
      { workingHours: { days: [0] } },
      { workingHours: { night: true } },
      { slotMinutes: 1 },
      { maxDaysAhead: 0 },
    ],
  },
  spreadsheet: {
    good: [{ provider: 'p', operation: 'append_row', spreadsheetId: 's', range: 'A1:B2', columns: ['a', 'b'] }],
    bad: [{ operation: 'drop_table' }, { columns: 'a' }],
  },
  chat_workspace: {
    good: [{ provider: 'p', channel: '#support', allowMentions: true }],
    bad: [{ channel: 5 }, { room: 'x' }],
  },
  mcp: {
    good: [{ transport: 'streamable_http', allowTools: ['a'], denyTools: [], toolMessages: {}, timeoutMs: 15_000 }],
    bad: [{ transport: 'stdio' }, { connectTimeoutMs: 1 }, { command: 'sh' }],
  },
}

test('120 each type has its own config, which accepts no unknown fields', async () => {
  const { ana } = await testApp()
  assert.equal(Object.keys(configs).length, 11)
  for (const [type, { good, bad }] of Object.entries(configs)) {
    for (const config of [{}, ...good]) {
      const { status, json, text } = await ana.post(url, { name: 'x', type, config })
      assert.equal(status, 201, `${type} ${JSON.stringify(config)}: ${text}`)
      assert.deepEqual(json.config, config)
    }
    for (const config of [...bad, { unknown: 1 }]) {
      const answer = await ana.post(url, { name: 'x', type, config })
      assert.equal(answer.status, 400, `${type} ${JSON.stringify(config)}`)
      assertError(answer, 400, new RegExp(`config of a tool of type ${type}`))
    }
    for (const config of [[], 'x', 5, { a: 'x'.repeat(32_768) }])
      assertError(await ana.post(url, { name: 'x', type, config }), 400, /config/)
  }
})

test('123 a change of type validates the config against the new type', async () => {
  const { ana } = await testApp()
  const config = { mode: 'info', toneMs: 100 }
  const { json: tool } = await ana.post(url, { name: 'x', type: 'dtmf', config })
  const one = `${url}/${tool.id}`
  assertError(await ana.patch(one, { type: 'query' }), 400, /config of a tool of type query/)
  assertError(await ana.patch(one, { type: 'query', config: { toneMs: 1 } }), 400, /config of a tool of type query/)
  assertError(await ana.patch(one, { config: { topK: 5 } }), 400, /config of a tool of type dtmf/)
  assert.deepEqual((await ana.get(one)).json, tool)
  const { status, json: changed } = await ana.patch(one, { type: 'query', config: { topK: 5 } })
  assert.equal(status, 200)
  assert.deepEqual([changed.type, changed.config], ['query', { topK: 5 }])
  const { json: cleared } = await ana.patch(one, { type: 'mcp', config: null })
  assert.deepEqual([cleared.type, cleared.config], ['mcp', null])
  assert.equal((await ana.patch(one, { type: 'end_call' })).json.type, 'end_call')
})

/** Invalid settings that must not slip in through the free-form body, which supplies defaults for config. */
const harmful: [type: string, body: object][] = [
  ['calendar', { slotMinutes: 0 }],
  ['calendar', { slotMinutes: -5 }],
  ['calendar', { durationMinutes: 0 }],
  ['transfer_call', { destinations: 'everybody' }],
  ['transfer_call', { destinations: [5] }],
  ['transfer_call', { destinations: [{ type: 'sip', sipUri: 'sip:a@b.example', sipHeaders: { 'X-A': {} } }] }],
  [
    'transfer_call',
    { destinations: [{ type: 'sip', sipUri: 'sip:a@b.example', sipHeaders: { 'X-A': 'x'.repeat(1025) } }] },
  ],
  ['query', { topK: 1_000_000 }],
  ['spreadsheet', { maxResults: 1_000_000 }],
  ['mcp', { timeoutMs: 1e12 }],
  ['mcp', { connectTimeoutMs: -1 }],
]

test('120 settings in a body have the same limits as config, and config overrides them', async () => {
  const { ana } = await testApp()
  for (const [type, body] of harmful) {
    const what = `${type} ${JSON.stringify(body).slice(0, 200)}`
    const refused = new RegExp(`config of a tool of type ${type}`)
    const answer = await ana.post(url, { name: 'x', type, body })
    assert.equal(answer.status, 400, what)
    assertError(answer, 400, refused)
    const { json: tool } = await ana.post(url, { name: 'x', type })
    assertError(await ana.patch(`${url}/${tool.id}`, { body }), 400, refused)
    const { json: request } = await ana.post(url, { name: 'x', type: 'api_request', body })
    assert.deepEqual(request.body, body, 'the body of a request is free')
    assertError(await ana.patch(`${url}/${request.id}`, { type }), 400, refused)
    const note = { note: 'not a setting', anything: [1, { deep: true }] }
    assert.deepEqual((await ana.post(url, { name: 'x', type, body: note })).json.body, note)
  }
  const mended = { name: 'x', type: 'calendar', body: { slotMinutes: 0 }, config: { slotMinutes: 15 } }
  assert.equal((await ana.post(url, mended)).status, 201)
})

test('a tool stored with invalid settings can be renamed, switched off and repaired, but not used', async () => {
  const { ana, database } = await testApp()
  const { json: tool } = await ana.post(url, { name: 'x', type: 'calendar', requestUrl: 'https://calendar.example/' })
  const set = { body: JSON.stringify({ slotMinutes: 0 }) }
  await database.db.updateTable('tools').set(set).where('id', '=', tool.id).execute()
  const one = `${url}/${tool.id}`
  assertError(await ana.post(`${one}/test`, {}), 409, /cannot be used: config of a tool of type calendar: slotMinutes/)
  assert.equal((await ana.patch(one, { name: 'renamed', isActive: false })).status, 200)
  assertError(await ana.patch(one, { config: { bufferMinutes: 5 } }), 400, /slotMinutes/)
  assert.equal((await ana.patch(one, { body: { slotMinutes: 30 } })).status, 200)
})
