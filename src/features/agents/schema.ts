// API schemas of agents.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  FreeObject,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  SortBy,
  Text,
  Timestamp,
} from '../../http/schema.ts'

import { AgentSettings, exampleSettings } from './settings-schema.ts'

const bounded = { 'x-max-bytes': 32_768, 'x-max-depth': 10 }

const LlmConfig = FreeObject({
  properties: {
    model: Type.String({ examples: ['gpt-5-mini'] }),
    temperature: Type.Number({ minimum: 0, maximum: 2, examples: [0.3] }),
  },
  description: 'Language-model configuration, stored as sent',
  ...bounded,
})
const ProviderAConfig = FreeObject({
  description: 'Voice configuration of provider_a: model_id, voice_settings',
  examples: [{ model_id: 'eleven_flash_v2_5', voice_settings: { stability: 0.5 } }],
  ...bounded,
})

/** Returned as stored: fields that a newer version no longer accepts are still shown. */
const StoredSettings = Type.Unsafe<AgentSettings>({
  type: 'object',
  additionalProperties: true,
  description: 'As sent, with the fields described in the request body of POST /api/agents',
  examples: [exampleSettings],
})

const name = Text(255, { examples: ['Recepção da Clínica Aurora'] })
const systemPrompt = Text(100_000, {
  description: "The agent's instructions",
  examples: [
    'Você é a recepcionista da Clínica Aurora. Marque, remarque e cancele consultas. Fale de forma breve e cordial.',
  ],
})
const description = Type.String({ maxLength: 2000, examples: ['Atende pacientes e marca consultas'] })
const voiceId = Type.String({ maxLength: 255, description: 'A voice of the ttsProvider', examples: ['pf_dora'] })
const language = Type.String({ maxLength: 35, format: 'language-tag', default: 'pt-BR' })
const direction = Choice(['inbound', 'outbound', 'both'])
const ttsProvider = Choice(['provider_a', 'provider_b', 'provider_c'])
const initialSpeech = Type.String({
  maxLength: 5000,
  description: 'First sentence when the call is answered; may hold {{name}} variables',
  examples: ['Clínica Aurora, bom dia! Em que posso ajudar?'],
})

export const Agent = Type.Object(
  {
    id: Id('agt'),
    name,
    description: Nullable(description),
    systemPrompt,
    voiceId: Nullable(voiceId),
    isActive: Type.Boolean(),
    direction,
    language,
    ttsProvider,
    initialSpeech: Nullable(initialSpeech),
    llmConfig: Nullable(FreeObject({ description: 'As sent', examples: [{ model: 'gpt-5-mini', temperature: 0.3 }] })),
    provider_aConfig: Nullable(FreeObject({ description: 'As sent', examples: [null] })),
    settings: Nullable(StoredSettings),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Agent' },
)
export type Agent = Static<typeof Agent>

export const NewAgent = Body({
  name,
  systemPrompt,
  description: Maybe(description),
  voiceId: Maybe(voiceId),
  language: Maybe(language),
  direction: Maybe(direction),
  ttsProvider: Maybe(ttsProvider),
  initialSpeech: Maybe(initialSpeech),
  llmConfig: Maybe(LlmConfig),
  provider_aConfig: Maybe(ProviderAConfig),
  settings: Maybe(AgentSettings),
})
export type NewAgent = Static<typeof NewAgent>

export const AgentPatch = Body(
  {
    name: Type.Optional(name),
    systemPrompt: Type.Optional(systemPrompt),
    description: Maybe(description),
    voiceId: Maybe(voiceId),
    isActive: Type.Optional(Type.Boolean()),
    language: Type.Optional(language),
    direction: Type.Optional(direction),
    ttsProvider: Type.Optional(ttsProvider),
    initialSpeech: Maybe(initialSpeech),
    llmConfig: Maybe(LlmConfig),
    provider_aConfig: Maybe(ProviderAConfig),
    settings: Maybe(AgentSettings),
  },
  { examples: [{ initialSpeech: 'Clínica Aurora, boa tarde!', settings: { turn: { maxPauseMs: 3000 } } }] },
)
export type AgentPatch = Static<typeof AgentPatch>

export const AgentQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('Words of the name or the description', 'recepção'),
  direction: Type.Optional(direction),
  language: Type.Optional(Type.String({ maxLength: 35, examples: ['pt-BR'] })),
  isActive: Type.Optional(Type.Boolean()),
  sort: SortBy(['name', 'language', 'updatedAt', 'createdAt']),
})
export type AgentQuery = Static<typeof AgentQuery>

/** The name of the copy. Chosen by the client, which knows the user's language. */
export const Duplicate = Body({ name: Maybe(name) }, { examples: [{ name: 'Recepção da Clínica Aurora (cópia)' }] })

/** What deleting an agent also deletes, and what it leaves without an agent. */
export const AgentContents = Type.Object(
  {
    calls: Type.Integer({ examples: [1204] }),
    recordings: Type.Integer({ examples: [987] }),
    conversations: Type.Integer({ examples: [1251] }),
    phoneNumbers: Type.Integer({ description: 'Numbers that stay, without an agent', examples: [1] }),
  },
  { title: 'AgentContents' },
)
export type AgentContents = Static<typeof AgentContents>

/** Accepted by agent tests: validated like a PATCH, applied to one call or reply, never stored with the agent. */
export const AgentDraft = Type.Optional(
  Body(AgentPatch.properties, {
    description:
      'Unsaved changes, as in PATCH /api/agents/:id, for this test alone: nothing is stored with the agent. Needs the scope agents',
    examples: [{ systemPrompt: 'Você é a recepcionista da Clínica Aurora. Seja breve.' }],
  }),
)
