import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Voice } from '../../components/voice-providers.ts'
import { filterVoices, languagesOf } from './voice-filter.ts'

const voice = (id: string, name: string, language: string, gender: string | null): Voice => ({
  id,
  name,
  language,
  gender,
  previewUrl: null,
})
const voices = [
  voice('pf_dora', 'Dora', 'pt-BR', 'female'),
  voice('em_santa', 'Nicolás', 'es-ES', 'male'),
  voice('x', 'Any', 'es-MX', null),
]
const all = { language: null, gender: null, text: '' }

test('filters voices by language, gender and text, ignoring case and accents', () => {
  const ids = (filter: Partial<typeof all> | object) => filterVoices(voices, { ...all, ...filter }).map(({ id }) => id)
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
