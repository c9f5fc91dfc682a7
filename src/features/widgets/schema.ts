// API schema of website widgets and their usage.
import { type Static, Type } from 'typebox'
import { Body, Choice, Expected, Id, Maybe, Nullable, Strict, Text, Timestamp } from '../../http/schema.ts'

export const widgetChannels = ['call', 'chat'] as const
export const MAX_ORIGIN = 200
/** Characters in a data URL of 24 kB. */
const MAX_LOGO = 32_800
const LOGO =
  '^(https://[^\\s/?#@"<>\\\\]+(/[^\\s"<>\\\\]{0,500})?|data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})$'

const name = Text(100, { examples: ['Site da clínica'] })
const origins = Type.Array(
  Type.String({
    maxLength: MAX_ORIGIN,
    pattern: '^https?://[^\\s/?#@\\\\]+$',
    ...Expected('the origin of a site, such as https://www.example.com, without a path'),
  }),
  {
    maxItems: 20,
    description: 'Sites that may use the widget: exact https origins; http for localhost only. Empty: none',
    examples: [['https://www.clinica.example']],
  },
)
const channels = Type.Array(Choice([...widgetChannels]), {
  minItems: 1,
  maxItems: 2,
  description: 'What visitors are offered',
  examples: [['call', 'chat']],
})

const look = {
  color: Type.String({
    pattern: '^#[0-9a-f]{6}$',
    description: 'Colour of the button and of the visitor’s messages',
    examples: ['#0b7a5e'],
    ...Expected('a colour such as #0b7a5e'),
  }),
  theme: Choice(['auto', 'light', 'dark'], { description: 'auto: as the visitor’s system', examples: ['auto'] }),
  position: Choice(['right', 'left'], { description: 'Corner at the bottom of the page', examples: ['right'] }),
  language: Choice(['auto', 'pt', 'en', 'es'], {
    description: 'auto: as the page, or the browser',
    examples: ['auto'],
  }),
  title: Nullable(
    Type.String({ maxLength: 60, description: 'null: a text in the language', examples: ['Fale conosco'] }),
  ),
  greeting: Nullable(
    Type.String({ maxLength: 240, description: 'First line of the panel', examples: ['Olá! Como posso ajudar?'] }),
  ),
  buttonText: Nullable(
    Type.String({ maxLength: 30, description: 'On the button; null: a sign alone', examples: ['Fale com a loja'] }),
  ),
  logo: Nullable(
    Type.String({
      maxLength: MAX_LOGO,
      pattern: LOGO,
      description: 'On the button and above the panel: the https address of an image, or the image as a data URL',
      examples: ['https://www.clinica.example/logo.png'],
      ...Expected('the https address of an image, or a PNG, JPEG or WebP image of at most 24 kB as a data URL'),
    }),
  ),
}
export const defaultAppearance: Appearance = {
  color: '#0b7a5e',
  theme: 'auto',
  position: 'right',
  language: 'auto',
  title: null,
  greeting: null,
  buttonText: null,
  logo: null,
}

const count = (maximum: number, example: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, description, examples: [example] })
const bounds = {
  sessionsPerMinute: count(60, 5, 'Calls and chats that one visitor address may start each minute'),
  maxConcurrent: count(
    200,
    5,
    'Calls in progress, and chats with a visitor’s message of the last five minutes, together; one address has 40 % at most',
  ),
  callsPerDay: count(10_000, 100, 'Calls each day (UTC); one address has a fourth at most'),
  messagesPerDay: count(100_000, 1000, 'Chat messages of visitors each day (UTC); one address has a fourth at most'),
  maxCallSeconds: Type.Integer({
    minimum: 30,
    maximum: 14_400,
    examples: [600],
    description: 'A call ends after this; the agent’s own limit applies too',
  }),
}
export const defaultLimits: WidgetLimits = {
  sessionsPerMinute: 5,
  maxConcurrent: 5,
  callsPerDay: 100,
  messagesPerDay: 1000,
  maxCallSeconds: 600,
}

const Appearance = Type.Object(look)
export type Appearance = Static<typeof Appearance>
const Limits = Type.Object(bounds)
export type WidgetLimits = Static<typeof Limits>

const optional = <P extends Record<string, Parameters<typeof Type.Optional>[0]>>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>>
  }
const appearance = Strict(optional(look), { description: 'Fields that are left out keep their value' })
const limits = Strict(optional(bounds), { description: 'Fields that are left out keep their value' })

export const Widget = Type.Object(
  {
    id: Id('wgt', { description: 'Publishable: it is part of the site’s page' }),
    agentId: Id('agt'),
    name,
    origins,
    channels,
    appearance: Appearance,
    limits: Limits,
    isActive: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Widget' },
)
export type Widget = Static<typeof Widget>

export const NewWidget = Body({
  agentId: Id('agt'),
  name,
  origins: Maybe(origins),
  channels: Maybe(channels),
  appearance: Maybe(appearance),
  limits: Maybe(limits),
  isActive: Type.Optional(Type.Boolean()),
})
export type NewWidget = Static<typeof NewWidget>

export const WidgetPatch = Body({
  agentId: Type.Optional(Id('agt')),
  name: Type.Optional(name),
  origins: Type.Optional(origins),
  channels: Type.Optional(channels),
  appearance: Type.Optional(appearance),
  limits: Type.Optional(limits),
  isActive: Type.Optional(Type.Boolean()),
})
export type WidgetPatch = Static<typeof WidgetPatch>

const Used = Type.Object({
  used: Type.Integer({ examples: [12] }),
  limit: Type.Integer({ examples: [100] }),
})
export const WidgetUsage = Type.Object(
  {
    day: Type.String({ examples: ['2027-01-15'], description: 'In UTC' }),
    calls: Used,
    messages: Used,
    concurrent: Used,
  },
  { title: 'WidgetUsage' },
)
export type WidgetUsage = Static<typeof WidgetUsage>
