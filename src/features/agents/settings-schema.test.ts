// Validation of an agent's settings.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

const everything = {
  firstMessage: 'agent_first_generated',
  interruptible: true,
  turn: {
    minPauseMs: 400,
    maxPauseMs: 2500,
    speculate: false,
    interruptAfterMs: 300,
    interruptAfterWords: 2,
    idleReminderMs: 8000,
    silenceHangupMs: 30_000,
    maxDurationMs: 1_800_000,
  },
  recognition: { provider: 'local', hints: ['Ramal', 'ção'] },
  pronunciation: [{ from: 'SQL', to: 'esse quê ele' }],
  voice: { speed: 1.1 },
  recording: { enabled: true, consentNotice: 'Esta ligação é gravada.' },
  voicemail: { action: 'message', message: 'Ligo depois.' },
  analysis: { summary: true, success: 'A date was agreed', fields: { type: 'object', properties: { day: {} } } },
  endPhrases: ['tchau'],
  variables: { company: 'Acme', tone: '' },
}

test('62 settings accept every field and are returned as sent', async () => {
  const { ana } = await testApp()
  const made = await ana.post('/api/agents', { ...anAgent, settings: everything })
  assert.equal(made.status, 201, made.text)
  const text = `"settings":${JSON.stringify(everything)}`
  for (const answer of [made, await ana.get(`/api/agents/${made.json.id}`), await ana.get('/api/agents')])
    assert.ok(answer.text.includes(text), answer.text)
})

test('62 each field of settings may be omitted or null', async () => {
  const { ana } = await testApp()
  for (const settings of [
    {},
    { turn: {} },
    { recognition: {}, pronunciation: [], voice: {}, recording: {}, voicemail: {}, analysis: {}, variables: {} },
    Object.fromEntries(Object.keys(everything).map((name) => [name, null])),
  ]) {
    const { status, json } = await ana.post('/api/agents', { ...anAgent, settings })
    assert.equal(status, 201)
    assert.deepEqual(json.settings, settings)
  }
})

test('62 an unknown field in settings, at any level, is a 400 that names it', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const inside = ['turn', 'recognition', 'voice', 'recording', 'voicemail', 'analysis']
  const wrong: [object, RegExp][] = [
    [{ color: 'red' }, /\bcolor is not known here/],
    [{ FirstMessage: 'agent_first' }, /\bFirstMessage is not known here/],
    [{ pronunciation: [{ from: 'a', to: 'b', color: 1 }] }, /pronunciation\.0\.color is not known here/],
    ...inside.map((name): [object, RegExp] => [
      { [name]: { color: 1 } },
      new RegExp(`${name}\\.color is not known here`),
    ]),
  ]
  for (const [settings, message] of wrong) {
    assertError(await ana.post('/api/agents', { ...anAgent, settings }), 400, message)
    assertError(await ana.patch(`/api/agents/${agent.id}`, { settings }), 400, message)
  }
  assert.deepEqual((await ana.get('/api/agents')).json, [agent])
})

test('62 an invalid value in settings is a 400 that names its path', async () => {
  const { ana } = await testApp()
  const wrong: Record<string, unknown[]> = {
    firstMessage: ['nobody', 1, ''],
    interruptible: ['yes', 1],
    turn: [[], 'fast'],
    'turn.minPauseMs': [-1, 0.5, '400'],
    'turn.maxPauseMs': [30_001],
    'turn.interruptAfterWords': [-1, '2'],
    'turn.silenceHangupMs': [0, 3_600_001],
    'turn.maxDurationMs': [999, 43_200_001],
    'recognition.hints': ['Ramal', [5]],
    pronunciation: [{}, ['x'], [{ from: 'a' }], [{ to: 'b' }], [{ from: '', to: 'b' }]],
    'voice.speed': [0.49, 2.01, '1'],
    'recording.enabled': ['no', 0],
    'voicemail.action': ['shout', false],
    'analysis.summary': ['yes'],
    'analysis.fields': [[], 'x'],
    endPhrases: ['tchau', [5]],
    variables: [[], { name: 5 }, { name: null }],
  }
  for (const [path, values] of Object.entries(wrong))
    for (const value of values) {
      const [outer = '', inner] = path.split('.')
      const settings = { [outer]: inner ? { [inner]: value } : value }
      const answer = await ana.post('/api/agents', { ...anAgent, settings })
      assertError(answer, 400, new RegExp(`^settings\\.${path.replace('.', '\\.')}`))
    }
  for (const settings of [[], 'x', 5, true])
    assertError(await ana.post('/api/agents', { ...anAgent, settings }), 400, /^settings must be object/)
})

test('62 settings have at most 32 KB in total', async () => {
  const { ana } = await testApp()
  const variables = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`name${i}`, 'x'.repeat(5000)]))
  assertError(await ana.post('/api/agents', { ...anAgent, settings: { variables } }), 400, /^settings must be smaller/)
})

test('23, 62 PATCH replaces settings as a whole, and null clears them', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', { ...anAgent, settings: everything })
  const settings = { voice: { speed: 2 } }
  assert.deepEqual((await ana.patch(`/api/agents/${agent.id}`, { settings })).json.settings, settings)
  assert.equal((await ana.patch(`/api/agents/${agent.id}`, { settings: null })).json.settings, null)
  assert.equal((await ana.get(`/api/agents/${agent.id}`)).json.settings, null)
})
