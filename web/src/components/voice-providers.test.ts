import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bestProvider,
  defaultVoice,
  previewRequest,
  providerName,
  providerTitle,
  type Voice,
  vendorsOf,
} from './voice-providers.ts'

const voice = (id: string, language: string, category = 'local'): Voice => ({
  id,
  name: id,
  language,
  gender: null,
  previewUrl: null,
  category,
})

test('prefers a configured vendor over built-in voices, and a responding provider over a failing one', () => {
  const local = [voice('pf_dora', 'pt-BR')]
  assert.equal(bestProvider({ provider_a: local, provider_b: local, provider_c: local }), 'provider_a')
  assert.equal(
    bestProvider({ provider_a: local, provider_b: [voice('x', 'en', 'premade')], provider_c: local }),
    'provider_b',
  )
  assert.equal(bestProvider({ provider_a: undefined, provider_b: undefined, provider_c: local }), 'provider_c')
})

test('defaults to the first voice of the language', () => {
  const voices = [voice('a', 'en-US'), voice('b', 'pt-PT'), voice('c', 'pt-BR')]
  assert.equal(defaultVoice(voices, 'pt-BR')?.id, 'c')
  assert.equal(defaultVoice(voices, 'pt-AO')?.id, 'b')
  assert.equal(defaultVoice(voices, 'fr-FR')?.id, 'a')
})

test('provider A previews custom text only if provider B has the same voice', () => {
  const asked = { provider: 'provider_a', voiceId: 'pf_dora', text: ' Olá ', speed: 1.2, language: 'pt-BR' } as const
  assert.deepEqual(previewRequest(asked, [voice('pf_dora', 'pt-BR')]), {
    provider: 'provider_b',
    voiceId: 'pf_dora',
    text: 'Olá',
    speed: 1.2,
  })
  assert.deepEqual(previewRequest(asked, []), { provider: 'provider_a', voiceId: 'pf_dora' })
  assert.deepEqual(previewRequest({ ...asked, provider: 'provider_c' }, []), {
    provider: 'provider_c',
    voiceId: 'pf_dora',
    text: 'Olá',
    language: 'pt-BR',
  })
})

test("a provider's title is its letter and vendor", () => {
  assert.equal(providerTitle('provider_a', 'elevenlabs', 'Ramal'), 'A · ElevenLabs')
  assert.equal(providerTitle('provider_b', 'embedded', 'Ramal'), 'B · Ramal')
  assert.equal(providerTitle('provider_c', undefined, 'Ramal'), 'C')
})

test('vendors are called by their names', () => {
  const mixed = { provider_a: 'elevenlabs', provider_b: 'embedded', provider_c: 'embedded' }
  assert.equal(providerName('provider_a', mixed, 'Ramal'), 'ElevenLabs')
  assert.equal(providerName('provider_b', mixed, 'Ramal'), 'Ramal')
  assert.equal(providerName('provider_b', { provider_a: 'openai', provider_b: 'openai' }, 'Ramal'), 'B · OpenAI')
  assert.equal(providerName('provider_c', {}, 'Ramal'), 'C')
})

test('each service is listed once, by name, under the slot in use', () => {
  const builtIn = { provider_a: 'embedded', provider_b: 'embedded', provider_c: 'embedded' }
  assert.deepEqual(vendorsOf(builtIn, 'provider_a', 'Built-in'), [
    { provider: 'provider_a', engine: 'embedded', name: 'Built-in' },
  ])
  const mixed = { provider_a: 'elevenlabs', provider_b: 'embedded', provider_c: 'embedded' }
  assert.deepEqual(
    vendorsOf(mixed, 'provider_c', 'Built-in').map(({ provider, name }) => [provider, name]),
    [
      ['provider_a', 'ElevenLabs'],
      ['provider_c', 'Built-in'],
    ],
  )
  assert.deepEqual(
    vendorsOf(mixed, 'provider_a', 'Built-in').map(({ provider }) => provider),
    ['provider_a', 'provider_b'],
  )
  assert.deepEqual(vendorsOf({}, 'provider_b', 'Built-in'), [{ provider: 'provider_b', engine: '', name: '' }])
})
