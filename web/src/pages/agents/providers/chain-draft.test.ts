// An agent's providers as ordered lists: order, validation, and the request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent, AgentChain, Provider } from '../../../../../client/paths.ts'
import { draftOf, patchOf, problemsOf } from '../agent-draft.ts'
import { tabsWithProblems } from '../agent-tabs.ts'
import { voiceOptions } from './chain-choices.ts'
import { canAdd, chainOf, itemProblems, moved, patchOfChain, withChoice, without, withProvider } from './chain-draft.ts'
import { defaultAccount, hasModel, warningsOf } from './chain-links.ts'
import type { ChainItem } from './chain-settings.ts'
import { indexAt } from './drag-order.ts'

const agent = {
  id: 'agt_1',
  name: 'Ana',
  systemPrompt: 'x',
  voiceId: 'dora',
  language: 'pt-BR',
  ttsProvider: 'provider_a',
  llmConfig: { model: 'small' },
  settings: {
    llm: {
      fallbacks: [
        { providerId: 'prv_2', model: null },
        { providerId: 'prv_3', model: 'large' },
      ],
    },
    recognition: { providerId: 'prv_4', provider: 'old text', hints: ['Ramal'] },
    voice: { speed: 1.2, providerId: 'prv_5', fallbacks: [{ providerId: 'prv_6', voiceId: 'v' }] },
  },
} as unknown as Agent
const item = (providerId: string, choice = ''): ChainItem => ({ providerId, choice })
const draft = draftOf(agent)

test('a chain is the first link and its fallbacks, and an unchanged one sends nothing', () => {
  assert.deepEqual(chainOf(draft, 'llm'), [item('', 'small'), item('prv_2'), item('prv_3', 'large')])
  assert.deepEqual(chainOf(draft, 'stt'), [item('prv_4')])
  assert.deepEqual(chainOf(draft, 'tts'), [item('prv_5', 'dora'), item('prv_6', 'v')])
  assert.deepEqual(patchOf(agent, { ...draft, ...patchOfChain('llm', chainOf(draft, 'llm')) }), {})
})

test('a changed chain keeps the other settings beside it', () => {
  const stt = patchOfChain('stt', [item('prv_7', ' nova '), item('prv_4')])
  const recognition = { providerId: 'prv_7', model: 'nova', fallbacks: [{ providerId: 'prv_4' }] }
  const { settings } = patchOf(agent, { ...draft, ...stt })
  assert.deepEqual(settings?.recognition, { ...recognition, provider: 'old text', hints: ['Ramal'] })
  assert.deepEqual(settings?.voice, agent.settings?.voice)
  const voice = patchOf(agent, { ...draft, ...patchOfChain('tts', [item('', 'dora')]) })
  assert.deepEqual(voice, { settings: { ...agent.settings, llm: settings?.llm, voice: { speed: 1.2 } } })
  const model = patchOf(agent, { ...draft, ...patchOfChain('llm', [item('prv_3', 'large'), item('prv_2')]) })
  assert.deepEqual(model.llmConfig, { model: 'large' })
  assert.deepEqual(model.settings?.llm, { providerId: 'prv_3', fallbacks: [{ providerId: 'prv_2' }] })
})

test('links change places; the default account gets its name where it is no longer first', () => {
  const [first, second, third] = [item('', 'small'), item('prv_2'), item('prv_3')]
  assert.deepEqual(moved([first, second, third], [2, 1], 'prv_1'), [first, third, second])
  assert.deepEqual(moved([first, second, third], [0, 2], 'prv_1'), [second, third, item('prv_1', 'small')])
  assert.deepEqual(moved([first, second], [1, 0], 'prv_1'), [second, item('prv_1', 'small')])
  assert.deepEqual(moved([first, second], [1, 0], null), [second], 'an engine inside the platform comes last anyway')
  for (const to of [-1, 1, 2]) assert.equal(moved([first, second], [1, to], 'prv_1'), null)
})

test('a link is removed, and another account forgets the model of the one before', () => {
  const items = [item('prv_1', 'a'), item('prv_2', 'b')]
  assert.deepEqual(without(items, 0), [item('prv_2', 'b')])
  assert.deepEqual(without([item('prv_1', 'a')], 0), [item('')])
  assert.deepEqual(withProvider(items, 1, 'prv_3'), [items[0], item('prv_3')])
  assert.deepEqual(withChoice(items, 1, 'c'), [items[0], item('prv_2', 'c')])
  assert.ok(canAdd(Array.from({ length: 4 }, () => item('x'))))
  assert.ok(!canAdd(Array.from({ length: 5 }, () => item('x'))))
})

test('a fallback needs an account, and none comes twice with the same model', () => {
  assert.deepEqual(itemProblems([item('a'), item(''), item('a'), item('a', 'm')]), [null, 'empty', 'repeated', null])
  const problems = problemsOf({ ...draft, ...patchOfChain('stt', [item('a'), item('')]) })
  assert.deepEqual(problems, { sttFallbacks: 'chain' })
  assert.deepEqual(tabsWithProblems(problems), ['providers'])
})

test('voices of the language come first, and the chosen one is always there', () => {
  const voices = [
    { id: '1', name: 'Sam', language: 'en-US' },
    { id: '2', name: 'Dora', language: 'pt-BR' },
    { id: '3', name: 'Any', language: 'mul' },
    { id: '2', name: 'Dora', language: 'pt-PT' },
  ]
  const labels = (chosen: string) => voiceOptions(voices, 'pt-BR', chosen).map(({ label }) => label)
  assert.deepEqual(labels('1'), ['Dora (pt-BR)', 'Any', 'Sam (en-US)'])
  assert.equal(labels('own')[0], 'own')
})

test('a dragged row goes where the pointer is, or to the ends', () => {
  const rows = [0, 50, 100].map((top) => ({ top, bottom: top + 50 }))
  assert.deepEqual(
    [-10, 10, 60, 149, 500].map((y) => indexAt(y, rows)),
    [0, 0, 1, 2, 2],
  )
})

test('where no account is named, the default one stands first; for a voice, the one of the voice tab', () => {
  const account = (id: string, kind: string, isInUse = false) => ({ id, kind, isInUse }) as Provider
  const accounts = [account('a', 'llm'), account('b', 'llm', true), account('environment-azure-tts', 'tts')]
  const idOf = (kind: 'llm' | 'stt' | 'tts', engine: string) => defaultAccount(kind, { accounts, engine })?.id
  assert.deepEqual([idOf('llm', 'azure'), idOf('stt', 'azure')], ['b', undefined])
  assert.deepEqual([idOf('tts', 'azure'), idOf('tts', 'embedded')], ['environment-azure-tts', undefined])
})

test('a model that the account does not list is told at the field', () => {
  assert.ok(hasModel({ model: 'a', models: null }, 'anything'))
  assert.ok(hasModel({ model: 'a', models: ['b'] }, ' a '))
  assert.ok(hasModel({ model: 'a', models: ['b'] }, ''))
  assert.ok(!hasModel({ model: 'a', models: ['b'] }, 'c'))
})

test('warnings of a chain, each once, without what its fields tell', () => {
  const warning = (kind: 'llm' | 'stt' | 'tts', code: AgentChain['warnings'][number]['code']) => ({
    kind,
    code,
    providerId: null,
    message: '',
  })
  const chain = {
    warnings: [
      warning('llm', 'account_missing'),
      warning('llm', 'key_missing'),
      warning('llm', 'key_missing'),
      warning('tts', 'no_embedded_voice'),
    ],
  }
  assert.deepEqual(warningsOf(chain, 'llm'), ['key_missing'])
  assert.deepEqual(warningsOf(chain, 'tts'), ['no_embedded_voice'])
  assert.deepEqual(warningsOf({ warnings: [...chain.warnings, warning('tts', 'embedded_voice_off')] }, 'tts'), [
    'embedded_voice_off',
  ])
  assert.deepEqual(warningsOf(undefined, 'stt'), [])
})
