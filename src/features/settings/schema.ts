// API schemas of the settings: the operator's configuration, without secrets. Read-only: settings are changed through
// the environment.
import { type Static, Type } from 'typebox'
import { Choice, Example, Nullable } from '../../http/schema.ts'

export const Setting = Type.Object(
  {
    name: Example('PORT'),
    value: Nullable(Example('3000', { description: 'Effective value; always null for a secret' })),
    isSecret: Type.Boolean({ examples: [false] }),
    isSet: Type.Boolean({ description: 'Set explicitly; otherwise the default applies' }),
    description: Example('Port of the HTTP server'),
  },
  { title: 'Setting' },
)
export type Setting = Static<typeof Setting>

export const SettingGroup = Type.Object(
  { name: Example('Server'), settings: Type.Array(Setting) },
  { title: 'SettingGroup' },
)
export type SettingGroup = Static<typeof SettingGroup>

export const VoiceState = Type.Object(
  {
    wanted: Choice(['natural', 'small', 'off'], { description: 'EMBEDDED_VOICE' }),
    speaking: Choice(['natural', 'small', 'vendor', 'none'], { description: 'The voice agents use now' }),
    preparingPercent: Nullable(
      Type.Integer({ examples: [null], description: 'Progress of preparing the natural voice' }),
    ),
    trouble: Nullable(Example('', { examples: [null], description: 'Why the natural voice is not available' })),
    providers: Type.Object({
      provider_a: Example('natural'),
      provider_b: Example('natural'),
      provider_c: Example('natural'),
    }),
    recognition: Example('whisper', { description: 'Speech recognition engine' }),
    hasTurnModel: Type.Boolean(),
  },
  { title: 'VoiceState' },
)
export type VoiceState = Static<typeof VoiceState>

export const ModelState = Type.Object(
  {
    provider: Nullable(
      Example('openai', { description: 'null: the built-in rule agent, which is not a language model' }),
    ),
    name: Nullable(Example('gpt-5-mini')),
    fallback: Nullable(Example('gpt-5-nano')),
    models: Nullable(Type.Array(Example('gpt-5-mini'), { description: 'Models an agent may choose; null: any' })),
    embeddings: Nullable(Example('text-embedding-3-small', { description: 'Embedding model for semantic search' })),
  },
  { title: 'ModelState' },
)
export type ModelState = Static<typeof ModelState>

export const Settings = Type.Object(
  {
    version: Example('0.1.0'),
    groups: Type.Array(SettingGroup),
    voice: VoiceState,
    model: ModelState,
    phone: Type.Object({
      isOn: Type.Boolean(),
      host: Example('0.0.0.0'),
      port: Type.Integer({ examples: [5060] }),
      tlsPort: Nullable(Type.Integer({ examples: [5061] })),
      rtpPorts: Example('20000-20999'),
      publicAddress: Nullable(Example('203.0.113.7')),
    }),
    server: Type.Object({
      database: Choice(['sqlite', 'postgres']),
      hasRedis: Type.Boolean(),
      isTls: Type.Boolean({ description: 'The server terminates HTTPS itself' }),
      trustsProxy: Type.Boolean({
        description: 'Forwarded headers of a proxy are trusted',
      }),
      publicUrl: Nullable(Example('https://voz.example.com.br')),
    }),
  },
  { title: 'Settings' },
)
export type Settings = Static<typeof Settings>

const Budget = Type.Object({
  limit: Nullable(Type.Integer({ examples: [1000], description: 'Per day (UTC); null: unlimited' })),
  used: Type.Integer({ examples: [37], description: 'Used today' }),
})

export const Platform = Type.Object(
  {
    publicUrl: Nullable(
      Example('https://voz.example.com.br', { description: 'Public URL of this server, if configured' }),
    ),
    voiceProviders: Settings.properties.voice.properties.providers,
    model: Nullable(Example('gpt-5-mini', { description: 'Default model; null: the rule agent answers' })),
    models: ModelState.properties.models,
    missingForPhones: Type.Array(Example('HOST=0.0.0.0'), {
      examples: [[]],
      description: 'Settings without which no phone on the network reaches this server; empty: phones can',
    }),
    gatewayDrivers: Type.Array(Example('embedded'), { description: 'Device drivers available to this user' }),
    budgets: Type.Object({
      texts: Budget,
      calls: Budget,
      ttsCharacters: Budget,
      llmTokens: Budget,
      sttSeconds: Budget,
      embeddings: Budget,
    }),
  },
  { title: 'Platform' },
)
export type Platform = Static<typeof Platform>
