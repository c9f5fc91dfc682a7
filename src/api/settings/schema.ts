// The settings on the wire: what the operator has set, without any secret. They are changed where they are set, not here.
import { type Static, Type } from 'typebox'
import { Choice, Nullable } from '../../http/schema.ts'

const text = Nullable(Type.String())

export const Setting = Type.Object(
  {
    name: Type.String(),
    value: Nullable(Type.String({ description: 'What holds, given or by default; always null of a secret' })),
    isSecret: Type.Boolean(),
    isSet: Type.Boolean({ description: 'It is given; else the default holds' }),
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
    speaking: Choice(['natural', 'small', 'vendor', 'none'], { description: 'What is heard of an agent now' }),
    preparingPercent: Nullable(Type.Integer({ description: 'How far the natural voice is, while it gets ready' })),
    trouble: Nullable(Type.String({ description: 'Why there is no natural voice though it was wanted' })),
    providers: Type.Object({ provider_a: Type.String(), provider_b: Type.String(), provider_c: Type.String() }),
    recognition: Type.String({ description: 'Who hears what callers say' }),
    hasTurnModel: Type.Boolean(),
  },
  { title: 'VoiceState' },
)
export type VoiceState = Static<typeof VoiceState>

export const ModelState = Type.Object(
  {
    provider: Nullable(
      Type.String({ description: 'null: the built-in rule agent answers, which is no language model' }),
    ),
    name: text,
    fallback: text,
    models: Nullable(Type.Array(Type.String(), { description: 'What an agent may choose; null: any name' })),
    embeddings: Nullable(Type.String({ description: 'The model that finds documents by meaning' })),
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
      isTls: Type.Boolean({ description: 'It speaks HTTPS itself' }),
      trustsProxy: Type.Boolean({
        description: 'A proxy may tell where requests come from, and that they came by HTTPS',
      }),
      publicUrl: text,
    }),
  },
  { title: 'Settings' },
)
export type Settings = Static<typeof Settings>

const Budget = Type.Object({
  limit: Nullable(Type.Integer({ description: 'A day (UTC); null: there is none' })),
  used: Type.Integer({ description: 'Today' }),
})

export const Platform = Type.Object(
  {
    publicUrl: Nullable(
      Type.String({ description: 'How the outside reaches this server, where the operator has told' }),
    ),
    voiceProviders: Settings.properties.voice.properties.providers,
    model: Nullable(
      Type.String({ description: 'The model of an agent that names none; null: the rule agent answers' }),
    ),
    models: ModelState.properties.models,
    gatewayDrivers: Type.Array(Type.String(), { description: 'The kinds of devices that this user may make' }),
    budgets: Type.Object({ texts: Budget, calls: Budget, ttsCharacters: Budget }),
  },
  { title: 'Platform' },
)
export type Platform = Static<typeof Platform>
