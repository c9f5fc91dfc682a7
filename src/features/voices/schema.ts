// API schemas of text-to-speech.
import { type Static, Type } from 'typebox'
import { Body, Example, Maybe, Nullable, Text } from '../../http/schema.ts'

export const providers = ['provider_a', 'provider_b', 'provider_c'] as const
export type Provider = (typeof providers)[number]

export const Voice = Type.Object(
  {
    id: Example('pf_dora'),
    name: Example('Dora'),
    language: Example('pt-BR'),
    gender: Nullable(Example('female')),
    previewUrl: Nullable(Example('/api/tts/provider_a/preview?voiceId=pf_dora')),
  },
  { title: 'Voice', additionalProperties: true },
)
export type Voice = Static<typeof Voice>

export const TtsToken = Type.Object(
  {
    token: Example('eyJ2IjoxLCJ1c2VyIjoi…'),
    expiresAt: Example('2026-03-02T14:10:00.000Z'),
    url: Example('https://voz.example.com.br/api/tts/provider_b/stream'),
  },
  { title: 'TtsToken' },
)
export type TtsToken = Static<typeof TtsToken>

const text = Text(5000, { examples: ['Olá! Sua consulta está confirmada para quinta às dez horas.'] })

export const SpeakB = Body({
  text,
  voiceId: Text(255, { examples: ['pf_dora'] }),
  speed: Maybe(Type.Number({ minimum: 0.5, maximum: 2 })),
})

export const SpeakC = Body({
  text,
  voiceId: Type.String({ format: 'uuid', examples: ['a0e99841-438c-4a64-b679-ae501e7d6091'] }),
  modelId: Maybe(Type.String({ maxLength: 255 })),
  language: Maybe(Type.String({ maxLength: 35, format: 'language-tag' })),
})

export const PreviewQuery = Type.Object({
  voiceId: Type.Optional(
    Type.String({ maxLength: 255, description: 'The first voice if omitted', examples: ['pf_dora'] }),
  ),
})
