import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Voice } from '../../components/voice-providers.ts'
import { agentsByVoice, filterVoices, type ListedVoice, languagesOf, type Speaker, voiceKey } from './voice-filter.ts'

const builtIn = { provider: 'provider_b', engine: 'embedded', name: 'Built-in' } as const
function voice(id: string, name: string, language: string, gender: string | null): ListedVoice {
  const one: Voice = { id, name, language, gender, previewUrl: null }
  return { key: voiceKey(builtIn.engine, id), voice: one, vendor: builtIn }
}
const voices = [
  voice('pf_dora', 'Dora', 'pt-BR', 'female'),
  voice('em_santa', 'Nicolás', 'es-ES', 'male'),
  voice('x', 'Any', 'es-MX', null),
]
const all = { language: null, gender: null, text: '' }

test('filters voices by language, gender and text, ignoring case and accents', () => {
  const ids = (filter: Partial<typeof all> | object) =>
    filterVoices(voices, { ...all, ...filter }).map((one) => one.voice.id)
  assert.deepEqual(ids({}), ['pf_dora', 'em_santa', 'x'])
  assert.deepEqual(ids({ language: 'es' }), ['em_santa', 'x'])
  assert.deepEqual(ids({ language: 'es', gender: 'male' }), ['em_santa'])
  assert.deepEqual(ids({ text: 'NICOLAS ' }), ['em_santa'])
  assert.deepEqual(ids({ text: 'pf_' }), ['pf_dora'])
  assert.deepEqual(ids({ text: 'nobody' }), [])
})

test('lists each language once', () => {
  assert.deepEqual(languagesOf(voices), ['pt', 'es'])
})

test('a voice is used by the agents that name it, by any slot of its service, and by those without a voice', () => {
  const agent = (name: string, part: Partial<Speaker>): Speaker => ({
    id: name,
    name,
    voiceId: null,
    language: 'pt-BR',
    ttsProvider: 'provider_a',
    settings: null,
    ...part,
  })
  const agents = [
    agent('by slot A', { voiceId: 'pf_dora' }),
    agent('by slot B', { voiceId: 'pf_dora', ttsProvider: 'provider_b' }),
    agent('default', {}),
    agent('Spanish', { language: 'es-AR' }),
    agent('own account', { voiceId: 'pf_dora', settings: { voice: { providerId: 'prv_1' } } }),
    agent('other service', { voiceId: 'pf_dora', ttsProvider: 'provider_c' }),
  ]
  const used = agentsByVoice(agents, voices, {
    provider_a: 'embedded',
    provider_b: 'embedded',
    provider_c: 'cartesia',
  })
  const names = (id: string) => used.get(voiceKey('embedded', id))?.map(({ name }) => name)
  assert.deepEqual(names('pf_dora'), ['by slot A', 'by slot B', 'default'])
  assert.deepEqual(names('em_santa'), ['Spanish'])
  assert.equal(names('x'), undefined)
})
