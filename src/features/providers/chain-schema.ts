// API schemas of an agent's provider chains.
import { type Static, Type } from 'typebox'
import { providerKinds } from '../../base/domain/provider-kinds.ts'
import { Choice, Example, Id, Nullable } from '../../http/schema.ts'
import { ProviderHealth } from './schema.ts'

export const chainWarnings = [
  'no_model',
  'account_missing',
  'key_missing',
  'model_missing',
  'no_embedded_voice',
  'no_embedded_recognition',
  'embedded_voice_off',
] as const

const Link = Type.Object({
  id: Id('prv', { description: 'environment…: set in the environment. embedded: inside the platform' }),
  name: Example('OpenAI'),
  model: Nullable(Example('gpt-5-mini', { description: 'null: the engine has no models, or chooses by itself' })),
  voiceId: Nullable(Example('', { examples: [null], description: 'Kind tts; null: the default for the language' })),
  source: Choice(['own', 'shared', 'environment', 'embedded']),
  health: ProviderHealth,
})

const links = (description: string) =>
  Type.Array(Link, { description: `${description}, in order; the last one is embedded` })

export const AgentChain = Type.Object(
  {
    llm: links('Who replies'),
    stt: links('Who recognises speech'),
    tts: links('Who speaks'),
    warnings: Type.Array(
      Type.Object({
        kind: Choice(providerKinds.filter((kind) => kind !== 'embeddings')),
        code: Choice([...chainWarnings]),
        providerId: Nullable(Id('prv', { description: 'The account that it is about' })),
        message: Example('An account that this agent names was removed; the next one is used'),
      }),
    ),
  },
  { title: 'AgentChain' },
)
export type AgentChain = Static<typeof AgentChain>
