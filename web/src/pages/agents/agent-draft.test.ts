import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent } from '../../../../client/paths.ts'
import { draftOf, patchOf, problemsOf } from './agent-draft.ts'
import { fillVariables, listVariables, namesIn } from './prompt-variables.ts'

const agent: Agent = {
  id: 'agt_1',
  name: 'Ana',
  description: null,
  systemPrompt: 'You are {{role}}.',
  voiceId: 'pf_dora',
  isActive: true,
  direction: 'both',
  language: 'pt-BR',
  ttsProvider: 'provider_a',
  initialSpeech: null,
  llmConfig: { model: 'small', topP: 0.5 },
  provider_aConfig: null,
  settings: {
    turn: { minPauseMs: 500, speculate: false },
    recognition: { provider: 'deepgram', hints: ['Ramal'] },
    variables: { role: 'a clerk', timeZone: 'America/Manaus' },
    laterSetting: { kept: true },
  },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('an unchanged draft sends nothing', () => {
  assert.deepEqual(patchOf(agent, draftOf(agent)), {})
})

test('sends only changed fields; an emptied text becomes null', () => {
  assert.deepEqual(patchOf(agent, { ...draftOf(agent), name: ' Bia ' }), { name: 'Bia' })
  const greeting = { ...agent, initialSpeech: 'Olá!' }
  assert.deepEqual(patchOf(greeting, { ...draftOf(greeting), initialSpeech: '  ' }), { initialSpeech: null })
})

test('changing a setting keeps the others, including those without a field', () => {
  const { settings } = patchOf(agent, { ...draftOf(agent), isRecorded: false })
  assert.deepEqual(settings, { ...agent.settings, recording: { enabled: false } })
})

test('collect is switched off and on without losing its kinds', () => {
  const restricted = { ...agent, settings: { collect: { kinds: ['cpf'] } } }
  const { settings } = patchOf(restricted, { ...draftOf(restricted), collects: false })
  assert.deepEqual(settings, { collect: { kinds: ['cpf'], enabled: false } })
  const off = { ...agent, settings: { collect: { enabled: false } } }
  assert.equal(draftOf(off).collects, false)
  assert.deepEqual(patchOf(off, { ...draftOf(off), collects: true }), { settings: null })
})

test('a setting back at its default is left out', () => {
  const draft = draftOf(agent)
  const { settings } = patchOf(agent, { ...draft, speculate: true, turn: { ...draft.turn, minPauseMs: '' }, hints: [] })
  assert.deepEqual(settings, {
    recognition: { provider: 'deepgram' },
    variables: { role: 'a clerk', timeZone: 'America/Manaus' },
    laterSetting: { kept: true },
  })
  const plain = { ...agent, settings: { interruptible: false } }
  assert.deepEqual(patchOf(plain, { ...draftOf(plain), interruptible: true }), { settings: null })
})

test('model settings edited as JSON are kept', () => {
  const draft = draftOf(agent)
  assert.deepEqual(patchOf(agent, { ...draft, temperature: 0.3 }).llmConfig, {
    model: 'small',
    topP: 0.5,
    temperature: 0.3,
  })
  assert.deepEqual(patchOf(agent, { ...draft, model: '', moreModel: '' }).llmConfig, null)
})

test('validates what the server would reject', () => {
  const draft = draftOf(agent)
  assert.deepEqual(problemsOf(draft), {})
  assert.deepEqual(problemsOf({ ...draft, name: ' ', fields: '[1]', moreModel: '{' }), {
    name: 'empty',
    fields: 'json',
    moreModel: 'json',
  })
  assert.deepEqual(problemsOf({ ...draft, voicemailAction: 'message' }), { voicemailMessage: 'empty' })
})

test('lists variables used in texts first, then unused ones', () => {
  assert.deepEqual(namesIn('{{a}} {{ b }} {{a}}', '{{ação.x}} {c} {{}}'), ['a', 'b', 'ação.x'])
  assert.deepEqual(listVariables(['Hi {{caller}}, {{company}}'], { old: '1', timeZone: 'UTC' }), [
    { name: 'company', value: '', isUsed: true },
    { name: 'old', value: '1', isUsed: false },
  ])
  assert.equal(fillVariables('Olá, {{ name }}{{x}}!', { name: 'Ana' }), 'Olá, Ana!')
})
