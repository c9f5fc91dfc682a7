// Which providers serve an agent, and in which order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainKind } from '../../base/domain/provider-kinds.ts'
import { readConfig } from '../../config/load.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'
import { type PlannedAgent, type PlanParts, planChain } from './chain-plan.ts'
import { environmentAccounts } from './environment-accounts.ts'
import type { Account } from './store.ts'

const account = (id: string, kind: Account['kind'], more: Partial<Account> = {}): Account => ({
  id,
  userId: 'me',
  kind,
  vendor: 'openai',
  name: id,
  baseUrl: 'https://x.example/v1',
  model: 'm',
  models: null,
  prices: null,
  keySealed: null,
  keyFor: null,
  isDefault: 0,
  sharedAt: null,
  createdAt: 't',
  updatedAt: 't',
  role: 'member',
  ...more,
})
const shared = (id: string, kind: Account['kind']) =>
  account(id, kind, { userId: 'root', role: 'admin', sharedAt: 't', isDefault: 1 })

const agentWith = (settings: AgentSettings, more: Partial<PlannedAgent> = {}): PlannedAgent => ({
  language: 'pt-BR',
  ttsProvider: 'provider_a',
  voiceId: null,
  llmConfig: null,
  provider_aConfig: null,
  settings,
  ...more,
})

const environment = {
  LLM_BASE_URL: 'http://models.example/v1',
  LLM_MODEL: 'main',
  LLM_FALLBACK_BASE_URL: 'http://second.example/v1',
  LLM_FALLBACK_MODEL: 'second',
  STT_PROVIDER: 'deepgram',
  DEEPGRAM_API_KEY: 'k',
  TTS_PROVIDER_A: 'elevenlabs',
  ELEVENLABS_API_KEY: 'k',
}

function partsWith(own: Account[], platform: Account[] = [], env: Record<string, string> = environment): PlanParts {
  const config = readConfig(env)
  return { userId: 'me', own, shared: platform, environment: environmentAccounts(config), speech: config.speech }
}

const idsOf = (kind: ChainKind, settings: AgentSettings, parts: PlanParts) =>
  planChain(kind, agentWith(settings), parts).links.map(({ id }) => id)

test('without accounts the environment comes first and the embedded engines last', () => {
  const parts = partsWith([])
  assert.deepEqual(idsOf('llm', {}, parts), ['environment', 'environment-fallback', 'embedded'])
  assert.deepEqual(idsOf('stt', {}, parts), ['environment-deepgram-stt', 'embedded'])
  assert.deepEqual(idsOf('tts', {}, parts), ['environment-elevenlabs-tts', 'embedded'])
  for (const kind of ['llm', 'stt', 'tts'] as const)
    assert.deepEqual(idsOf(kind, {}, partsWith([], [], {})), ['embedded'], 'nothing is configured')
})

test("the owner's default comes before the platform's, and sends nothing to a vendor they did not name", () => {
  const own = [account('mine', 'llm', { isDefault: 1 }), account('ears', 'stt', { isDefault: 1 })]
  const parts = partsWith(own, [shared('ours', 'llm')])
  assert.deepEqual(idsOf('llm', {}, parts), ['mine', 'embedded'])
  assert.deepEqual(idsOf('stt', {}, parts), ['ears', 'embedded'])
  assert.deepEqual(idsOf('llm', {}, partsWith([], [shared('ours', 'llm')])), [
    'ours',
    'environment-fallback',
    'embedded',
  ])
})

test('an agent names its account and fallbacks in order, of the right kind', () => {
  const parts = partsWith([account('a', 'llm'), account('b', 'llm'), account('voice', 'tts')], [shared('ours', 'llm')])
  const settings: AgentSettings = {
    llm: { providerId: 'a', fallbacks: [{ providerId: 'ours', model: 'x' }, { providerId: 'b' }] },
    voice: { providerId: 'voice', fallbacks: [{ providerId: 'environment-elevenlabs-tts', voiceId: 'v2' }] },
  }
  const agent = agentWith(settings, { voiceId: 'v1', llmConfig: { model: 'y' } })
  const links = (kind: ChainKind) => planChain(kind, agent, parts).links.map(({ id, model }) => [id, model])
  assert.deepEqual(links('llm'), [
    ['a', 'y'],
    ['ours', 'x'],
    ['b', null],
    ['embedded', null],
  ])
  assert.deepEqual(links('tts'), [
    ['voice', 'v1'],
    ['environment-elevenlabs-tts', 'v2'],
    ['embedded', null],
  ])
  const wrong = planChain('llm', agentWith({ llm: { providerId: 'voice' } }), parts)
  assert.deepEqual([wrong.missing, wrong.links[0]?.id], [['voice'], 'ours'])
})

test('a removed account is skipped, and an agent with nothing left is served like one that names nothing', () => {
  const parts = partsWith([account('b', 'llm')])
  const some = planChain('llm', agentWith({ llm: { providerId: 'gone', fallbacks: [{ providerId: 'b' }] } }), parts)
  assert.deepEqual([some.missing, some.links.map(({ id }) => id)], [['gone'], ['b', 'embedded']])
  const none = planChain('llm', agentWith({ llm: { providerId: 'gone' } }), parts)
  assert.deepEqual(
    none.links.map(({ id }) => id),
    ['environment', 'environment-fallback', 'embedded'],
  )
})

test('an embedded voice that the agent chose is not repeated at the end', () => {
  const parts = partsWith([account('voice', 'tts')], [], {})
  const agent = agentWith({ voice: { fallbacks: [{ providerId: 'voice' }] } }, { voiceId: 'pf_dora' })
  assert.deepEqual(
    planChain('tts', agent, parts).links.map(({ id, model }) => [id, model]),
    [
      ['embedded', 'pf_dora'],
      ['voice', null],
    ],
  )
})

test('a model that the account does not list is replaced by its default', () => {
  const parts = partsWith([account('a', 'llm', { models: '["big"]', isDefault: 1 })])
  const modelOf = (model: string) => planChain('llm', agentWith({}, { llmConfig: { model } }), parts).links[0]?.model
  assert.deepEqual([modelOf('big'), modelOf('m'), modelOf('other')], ['big', 'm', null])
})

test('a model file comes first where no other model is configured, else last in chains of the platform', () => {
  const file = { LLM_MODEL_FILE: '/models/small.gguf' }
  const alone = partsWith([], [], file)
  assert.deepEqual(idsOf('llm', {}, alone), ['environment-model-file', 'embedded'])
  const chosen = planChain('llm', agentWith({}, { llmConfig: { model: 'gpt' } }), alone).links[0]
  assert.deepEqual([chosen?.name, chosen?.model], ['small.gguf', null], 'it has one model')
  const all = { ...environment, ...file }
  const platform = ['environment-fallback', 'environment-model-file', 'embedded']
  assert.deepEqual(idsOf('llm', {}, partsWith([], [], all)), ['environment', ...platform])
  assert.deepEqual(idsOf('llm', {}, partsWith([], [shared('ours', 'llm')], all)), ['ours', ...platform])
  const mine = partsWith([account('mine', 'llm', { isDefault: 1 })], [], all)
  assert.deepEqual(idsOf('llm', {}, mine), ['mine', 'embedded'])
  const named = { llm: { providerId: 'mine', fallbacks: [{ providerId: 'environment-model-file' }] } }
  assert.deepEqual(idsOf('llm', named, mine), ['mine', 'environment-model-file', 'embedded'])
})
