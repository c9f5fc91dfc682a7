// Text-to-speech on the wire.
import { type Static, Type } from 'typebox'
import { Body, Maybe, Nullable, Text } from '../../http/schema.ts'

export const providers = ['provider_a', 'provider_b', 'provider_c'] as const
export type Provider = (typeof providers)[number]

export const Voice = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    language: Type.String(),
    gender: Nullable(Type.String()),
    previewUrl: Nullable(Type.String()),
  },
  { title: 'Voice', additionalProperties: true },
)
export type Voice = Static<typeof Voice>

export const TtsToken = Type.Object(
  { token: Type.String(), expiresAt: Type.String(), url: Type.String() },
  { title: 'TtsToken' },
)
export type TtsToken = Static<typeof TtsToken>

const text = Text(5000)

export const SpeakB = Body({
  text,
  voiceId: Text(255),
  speed: Maybe(Type.Number({ minimum: 0.5, maximum: 2 })),
})

export const SpeakC = Body({
  text,
  voiceId: Type.String({ format: 'uuid' }),
  modelId: Maybe(Type.String({ maxLength: 255 })),
  language: Maybe(Type.String({ maxLength: 35, format: 'language-tag' })),
})

export const PreviewQuery = Type.Object({
  voiceId: Type.Optional(Type.String({ maxLength: 255, description: 'The first voice if omitted' })),
})
