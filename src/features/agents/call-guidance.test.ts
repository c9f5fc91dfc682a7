// Answer hook guidance as applied to the agent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Llm, Message } from '../../voice/ports.ts'
import { inLanguage, lateNote } from './call-guidance.ts'
import type { Agent } from './schema.ts'

const agent = {
  language: 'pt-BR',
  voiceId: 'pf_dora',
  initialSpeech: 'Olá!',
  systemPrompt: 'Atenda.',
  settings: null,
} as unknown as Agent

test('another language takes its own voice and greeting; a variant of the same keeps them', () => {
  const spanish = inLanguage(agent, 'es-MX')
  assert.deepEqual([spanish.language, spanish.voiceId, spanish.initialSpeech], ['es-MX', null, null])
  assert.match(spanish.systemPrompt, /Speak .*Spanish.* with this caller/)
  assert.deepEqual(inLanguage(agent, 'pt-PT'), { ...agent, language: 'pt-PT' })
  assert.equal(inLanguage(agent, null), agent)
})

test('a late answer is a note to the model from its next request on', async () => {
  const seen: string[] = []
  const llm = {
    reply(history: readonly Message[]) {
      seen.push(history[0]?.content ?? '')
      return []
    },
  } as unknown as Llm
  const late = Promise.withResolvers<{ variables: Record<string, string>; context: string }>()
  const noted = lateNote(late.promise).llm(llm)
  const ask = () => noted.reply([{ role: 'system', content: 'Atenda.' }], [], {} as never, new AbortController().signal)
  ask()
  late.resolve({ variables: { nome: 'Ana' }, context: 'VIP' })
  await late.promise
  ask()
  assert.equal(seen[0], 'Atenda.')
  assert.match(seen[1] ?? '', /^Atenda\.[\s\S]*VIP\nnome: Ana$/)
})
