// API schemas of provider accounts: language models, speech and embeddings. A key is never returned.
import { type Static, Type } from 'typebox'
import { llmVendorNames } from '../../base/domain/llm-vendors.ts'
import { failureReasons, providerKinds } from '../../base/domain/provider-kinds.ts'
import { testProblems } from '../../base/domain/provider-test.ts'
import { embeddingsVendorNames, sttVendorNames, ttsVendorNames } from '../../base/domain/speech-vendors.ts'
import {
  Body,
  Choice,
  Example,
  Expected,
  HttpUrl,
  Id,
  Maybe,
  Nullable,
  Strict,
  Text,
  Timestamp,
} from '../../http/schema.ts'

const kind = Choice([...providerKinds], {
  description: 'What the account is for: language model, speech recognition, speech synthesis or embeddings',
})
const vendor = Choice(
  [...new Set([...llmVendorNames, ...sttVendorNames, ...ttsVendorNames, ...embeddingsVendorNames])],
  { description: 'GET /api/providers/vendors says which vendors a kind has', examples: ['openai'] },
)
const name = Text(100, { examples: ['OpenAI'] })
const baseUrl = Type.String({
  ...HttpUrl,
  description: 'Base URL with its version. Only an administrator may name a private address',
  examples: ['https://llm.example/v1'],
})
const model = Text(200, {
  description: 'Model of agents that name none. Required where the vendor has no default, as for language models',
  examples: ['gpt-5-mini'],
})
const models = Type.Array(Text(200, { examples: ['gpt-5'] }), {
  maxItems: 200,
  description: 'Further models that agents may name; null: any',
})
const apiKey = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Stored encrypted and never returned. It is bound to the origin of the base URL',
  examples: ['sk-proj-3n5h7wzde'],
  ...Expected('a key without spaces'),
})
const isDefault = Type.Boolean({
  description:
    "The owner's agents that name no account use this one. Always false for kind tts: an agent names its voice",
})
const isShared = Type.Boolean({ description: 'For the whole platform; only an administrator may set it' })

const price = (description: string, example: number) =>
  Maybe(Type.Number({ minimum: 0, maximum: 1_000_000, description, examples: [example] }))
const prices = Strict(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', examples: ['USD'], ...Expected('a currency such as USD') }),
    inputPerMillionTokens: price('Language models and embeddings', 0.25),
    outputPerMillionTokens: price('Language models', 2),
    perMinute: price('Speech recognition', 0.0043),
    perMillionCharacters: price('Speech synthesis', 50),
  },
  { description: 'What the account costs, entered by hand: Ramal reads no price lists' },
)

export const ProviderHealth = Type.Object(
  {
    state: Choice(['unused', 'ok', 'failing', 'down'], {
      description: 'unused: no call since the start. down: calls skip it until a trial succeeds',
    }),
    reason: Nullable(Choice([...failureReasons], { examples: [null] })),
    since: Nullable(Timestamp),
    firstMs: Nullable(
      Type.Integer({
        examples: [290],
        description: 'Median of recent times to the first token, word or sound in calls',
      }),
    ),
  },
  { title: 'ProviderHealth', description: 'As calls of this process have seen it' },
)

export const Provider = Type.Object(
  {
    id: Id('prv', {
      description: 'environment…: set in the environment, read-only. embedded: the engines inside the platform',
    }),
    kind,
    vendor: Example('openai'),
    name: Example('OpenAI'),
    baseUrl: Nullable(
      Example('https://llm.example/v1', { description: "null: a platform's account, seen by a member" }),
    ),
    model: Example('gpt-5-mini', { description: 'Empty: the vendor has no models' }),
    models: Nullable(models),
    hasKey: Type.Boolean(),
    keyHint: Nullable(Example('…wzde', { description: 'The last characters of the key; only of your own accounts' })),
    source: Choice(['own', 'shared', 'environment', 'embedded'], {
      description:
        "own: yours. shared: an administrator's, for the platform. environment: set there. embedded: inside the platform, the last link of every chain",
    }),
    isDefault,
    isShared,
    isInUse: Type.Boolean({ description: 'The account of its kind that your agents use now if they name none' }),
    prices: Nullable(prices),
    health: ProviderHealth,
    createdAt: Nullable(Timestamp),
    updatedAt: Nullable(Timestamp),
  },
  { title: 'Provider' },
)
export type Provider = Static<typeof Provider>

export const NewProvider = Body({
  kind: Type.Optional({ ...kind, default: 'llm' }),
  vendor,
  name: Maybe(name),
  baseUrl: Maybe(baseUrl),
  model: Maybe(model),
  models: Maybe(models),
  apiKey: Maybe(apiKey),
  isDefault: Type.Optional(isDefault),
  isShared: Type.Optional(isShared),
  prices: Maybe(prices),
})
export type NewProvider = Static<typeof NewProvider>

export const ProviderPatch = Body({
  name: Type.Optional(name),
  baseUrl: Maybe(baseUrl),
  model: Type.Optional(model),
  models: Maybe(models),
  apiKey: Maybe(apiKey),
  isDefault: Type.Optional(isDefault),
  isShared: Type.Optional(isShared),
  prices: Maybe(prices),
})
export type ProviderPatch = Static<typeof ProviderPatch>

/** Values not stored yet. */
export const ProviderDraft = Body({
  id: Maybe(
    Id('prv', {
      maxLength: 64,
      description: 'Stored account whose key is used if apiKey is omitted and the origin is the same',
    }),
  ),
  kind: Type.Optional({ ...kind, default: 'llm' }),
  vendor,
  baseUrl: Maybe(baseUrl),
  apiKey: Maybe(apiKey),
})
export type ProviderDraft = Static<typeof ProviderDraft>

const voiceId = Text(255, {
  description: 'Kind tts: the voice that speaks; default: the first that the vendor lists',
  examples: ['21m00Tcm4TlvDq8ikWAM'],
})

/** Options for testing a stored account. */
export const ProviderTestOptions = Type.Object({ voiceId: Type.Optional(voiceId) })
export type ProviderTestOptions = Static<typeof ProviderTestOptions>

export const TestDraft = Body({ ...ProviderDraft.properties, model: Maybe(model), voiceId: Maybe(voiceId) })
export type TestDraft = Static<typeof TestDraft>

export const RemovedProvider = Type.Object(
  {
    ...Provider.properties,
    next: Nullable(
      Type.Object(
        { id: Id('prv'), name: Example('OpenAI'), model: Example('gpt-5-mini') },
        {
          description:
            'The account of its kind that your agents use from now on; null: the rule agent or the embedded engine',
        },
      ),
    ),
    agents: Type.Integer({
      examples: [2],
      description: 'Your agents that named it: they use the next link of their chain from their next call on',
    }),
  },
  { title: 'RemovedProvider' },
)
export type RemovedProvider = Static<typeof RemovedProvider>

export const ProviderTest = Type.Object(
  {
    isOk: Type.Boolean(),
    kind,
    model: Example('gpt-5-mini'),
    firstTokenMs: Nullable(
      Type.Integer({ examples: [312], description: 'Kind llm: from the request to the first word' }),
    ),
    firstMs: Nullable(
      Type.Integer({
        examples: [312],
        description: 'From the request to the first token, word, sound or vector, measured on this machine',
      }),
    ),
    heard: Nullable(Example('', { examples: [null], description: 'Kind stt: what was recognised of a spoken sample' })),
    problem: Nullable({ ...Choice([...testProblems]), examples: [null] }),
    message: Nullable(Example('', { examples: [null], description: 'What is wrong, in one sentence' })),
    vendorMessage: Nullable(Example('', { examples: [null], description: "The vendor's own words, without the key" })),
  },
  { title: 'ProviderTest' },
)
export type ProviderTest = Static<typeof ProviderTest>

export const ProviderModel = Type.Object(
  { id: Example('gpt-5-mini'), title: Nullable(Example('GPT-5 mini')) },
  { title: 'ProviderModel' },
)
export type ProviderModel = Static<typeof ProviderModel>

export const ProviderVoice = Type.Object(
  {
    id: Example('21m00Tcm4TlvDq8ikWAM'),
    name: Example('Rachel'),
    language: Example('pt-BR', { description: 'BCP 47; mul: several' }),
    gender: Nullable(Choice(['female', 'male'])),
    description: Nullable(Example('Calm and clear')),
  },
  { title: 'ProviderVoice' },
)
export type ProviderVoice = Static<typeof ProviderVoice>

export const ProviderVendor = Type.Object(
  {
    kind,
    vendor: Example('deepgram'),
    title: Example('Deepgram'),
    baseUrl: Nullable(
      Example('https://stt.example', { description: 'Used if the account names none; null: it must name one' }),
    ),
    needsKey: Type.Boolean(),
    model: Nullable(
      Example('nova-3', { description: 'Default; null: the account must name one; empty: the vendor has no models' }),
    ),
  },
  { title: 'ProviderVendor' },
)
export type ProviderVendor = Static<typeof ProviderVendor>

export const ProviderQuery = Type.Object({
  kind: Type.Optional(kind),
  embedded: Type.Optional(Type.Boolean({ description: 'List the engines inside the platform too (source embedded)' })),
})
export type ProviderQuery = Static<typeof ProviderQuery>

export const LocalServer = Type.Object(
  {
    vendor: Example('ollama'),
    name: Example('Ollama', {
      description: 'What the server is, as far as it says: Ollama, LM Studio, llama.cpp, vLLM, LocalAI',
    }),
    baseUrl: Example('http://localhost:11434/v1'),
    version: Nullable(Example('0.12.3')),
    models: Type.Array(Example('llama3.1:8b')),
  },
  { title: 'LocalServer' },
)
export type LocalServer = Static<typeof LocalServer>
