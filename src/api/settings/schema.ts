// The settings on the wire: what the operator has set, without any secret. They are changed where they are set, not here.
import { type Static, Type } from 'typebox'
import { Choice, Nullable } from '../../http/schema.ts'

const text = Nullable(Type.String())

export const Setting = Type.Object(
  {
    name: Type.String(),
    value: Nullable(Type.String({ description: 'Effective value; always null for a secret' })),
    isSecret: Type.Boolean(),
    isSet: Type.Boolean({ description: 'Set explicitly; otherwise the default applies' }),
    description: Type.String(),
  },
  { title: 'Setting' },
)
export type Setting = Static<typeof Setting>

export const SettingGroup = Type.Object(
  { name: Type.String(), settings: Type.Array(Setting) },
  { title: 'SettingGroup' },
)
export type SettingGroup = Static<typeof SettingGroup>

export const VoiceState = Type.Object(
  {
    wanted: Choice(['natural', 'small', 'off'], { description: 'EMBEDDED_VOICE' }),
    speaking: Choice(['natural', 'small', 'vendor', 'none'], { description: 'The voice agents use now' }),
    preparingPercent: Nullable(Type.Integer({ description: 'Progress of preparing the natural voice' })),
    trouble: Nullable(Type.String({ description: 'Why the natural voice is not available' })),
    providers: Type.Object({ provider_a: Type.String(), provider_b: Type.String(), provider_c: Type.String() }),
    recognition: Type.String({ description: 'Speech recognition engine' }),
    hasTurnModel: Type.Boolean(),
  },
  { title: 'VoiceState' },
)
export type VoiceState = Static<typeof VoiceState>

export const ModelState = Type.Object(
  {
    provider: Nullable(Type.String({ description: 'null: the built-in rule agent, which is not a language model' })),
    name: text,
    fallback: text,
    models: Nullable(Type.Array(Type.String(), { description: 'Models an agent may choose; null: any' })),
    embeddings: Nullable(Type.String({ description: 'Embedding model for semantic search' })),
  },
  { title: 'ModelState' },
)
export type ModelState = Static<typeof ModelState>

export const Settings = Type.Object(
  {
    version: Type.String(),
    groups: Type.Array(SettingGroup),
    voice: VoiceState,
    model: ModelState,
    phone: Type.Object({
      isOn: Type.Boolean(),
      host: Type.String(),
      port: Type.Integer(),
      tlsPort: Nullable(Type.Integer()),
      rtpPorts: Type.String(),
      publicAddress: text,
    }),
    server: Type.Object({
      database: Choice(['sqlite', 'postgres']),
      hasRedis: Type.Boolean(),
      isTls: Type.Boolean({ description: 'The server terminates HTTPS itself' }),
      trustsProxy: Type.Boolean({
        description: 'Forwarded headers of a proxy are trusted',
      }),
      publicUrl: text,
    }),
  },
  { title: 'Settings' },
)
export type Settings = Static<typeof Settings>

const Budget = Type.Object({
  limit: Nullable(Type.Integer({ description: 'Per day (UTC); null: unlimited' })),
  used: Type.Integer({ description: 'Used today' }),
})

export const Platform = Type.Object(
  {
    publicUrl: Nullable(Type.String({ description: 'Public URL of this server, if configured' })),
    voiceProviders: Settings.properties.voice.properties.providers,
    model: Nullable(Type.String({ description: 'Default model; null: the rule agent answers' })),
    models: ModelState.properties.models,
    gatewayDrivers: Type.Array(Type.String(), { description: 'Device drivers available to this user' }),
    budgets: Type.Object({ texts: Budget, calls: Budget, ttsCharacters: Budget }),
  },
  { title: 'Platform' },
)
export type Platform = Static<typeof Platform>
