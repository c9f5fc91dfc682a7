// Agents on the wire.
import { type Static, Type } from 'typebox'
import { Body, Choice, FreeObject, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'
import { AgentSettings } from './settings.ts'

const bounded = { 'x-max-bytes': 32_768, 'x-max-depth': 10 }

const LlmConfig = FreeObject({
  properties: { model: Type.String(), temperature: Type.Number({ minimum: 0, maximum: 2 }) },
  description: 'Language-model configuration, stored as sent',
  ...bounded,
})
const ProviderAConfig = FreeObject({
  description: 'Voice configuration of provider_a: model_id, voice_settings',
  ...bounded,
})

const name = Text(255)
const systemPrompt = Text(100_000, { description: "The agent's instructions" })
const description = Type.String({ maxLength: 2000 })
const voiceId = Type.String({ maxLength: 255, description: 'A voice of the ttsProvider' })
const language = Type.String({ maxLength: 35, format: 'language-tag', default: 'pt-BR' })
const direction = Choice(['inbound', 'outbound', 'both'])
const ttsProvider = Choice(['provider_a', 'provider_b', 'provider_c'])
const initialSpeech = Type.String({
  maxLength: 5000,
  description: 'First sentence when the call is answered; may hold {{name}} variables',
})

export const Agent = Type.Object(
  {
    id: Type.String(),
    name,
    description: Nullable(description),
    systemPrompt,
    voiceId: Nullable(voiceId),
    isActive: Type.Boolean(),
    direction,
    language,
    ttsProvider,
    initialSpeech: Nullable(initialSpeech),
    llmConfig: Nullable(FreeObject()),
    provider_aConfig: Nullable(FreeObject()),
    settings: Nullable(FreeObject()),
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

export const AgentPatch = Body({
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
})
export type AgentPatch = Static<typeof AgentPatch>
