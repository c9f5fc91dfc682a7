// Settings of the language model, its fallback, and the embeddings server.
import { type Config, type LlmConfig, type LlmEndpoint, llmProviders } from './config.ts'
import type { EnvReader } from './env-reader.ts'

type LlmSettings = {
  provider: (typeof llmProviders)[number]
  baseUrl: string | null
  apiKey: string | null
  model: string | null
}

const OPENAI_URL = 'https://api.openai.com/v1'

export function readLlm(env: EnvReader): LlmConfig {
  const main = withOpenAi({
    provider: readProvider(env, 'LLM_PROVIDER', env.text('LLM_PROVIDER')),
    baseUrl: env.baseUrl('LLM_BASE_URL'),
    apiKey: env.text('LLM_API_KEY'),
    model: env.text('LLM_MODEL'),
  })
  const fallback: LlmSettings = {
    provider: readProvider(env, 'LLM_FALLBACK_PROVIDER', env.text('LLM_FALLBACK_PROVIDER')),
    baseUrl: env.baseUrl('LLM_FALLBACK_BASE_URL'),
    apiKey: env.text('LLM_FALLBACK_API_KEY'),
    model: env.text('LLM_FALLBACK_MODEL'),
  }
  const isFallbackProviderSet = env.text('LLM_FALLBACK_PROVIDER') !== null
  const isFallbackSet = isFallbackProviderSet || (fallback.model ?? fallback.baseUrl ?? fallback.apiKey) !== null
  // A fallback on the same server needs only a model name; the main key is never sent to another server.
  const isSameServer = fallback.baseUrl === null && (!isFallbackProviderSet || fallback.provider === main.provider)
  const models = env.text('LLM_MODELS') === null ? null : env.list('LLM_MODELS')

  checkMain(env, main, models !== null || isFallbackSet)
  if (fallback.model === null && isFallbackSet)
    env.problems.push('LLM_FALLBACK_PROVIDER, LLM_FALLBACK_BASE_URL and LLM_FALLBACK_API_KEY need LLM_FALLBACK_MODEL')
  if (!isSameServer) checkFallbackServer(env, fallback)

  return {
    main: endpoint(main),
    fallback: endpoint(
      isSameServer ? { ...main, apiKey: fallback.apiKey ?? main.apiKey, model: fallback.model } : fallback,
    ),
    models,
    modelFile: env.text('LLM_MODEL_FILE'),
  }
}

/** Accepts package names of the AI SDK too. */
function readProvider(env: EnvReader, name: string, value: string | null): LlmSettings['provider'] {
  const provider = (value?.replace(/^@ai-sdk\//, '') ?? 'openai-compatible') as LlmSettings['provider']
  if (!llmProviders.includes(provider)) env.problems.push(`${name} must be one of ${llmProviders.join(', ')}`)
  return provider
}

/** A key and a model without a server mean OpenAI. */
const withOpenAi = (main: LlmSettings): LlmSettings =>
  isOpenAiCompatible(main) && main.baseUrl === null && main.apiKey !== null && main.model !== null
    ? { ...main, baseUrl: OPENAI_URL }
    : main

const isOpenAiCompatible = ({ provider }: LlmSettings) => provider === 'openai-compatible'

function checkMain(env: EnvReader, main: LlmSettings, isNeededByOthers: boolean): void {
  const { provider, baseUrl, apiKey, model } = main
  if (!isOpenAiCompatible(main)) {
    if (model === null || apiKey === null) env.problems.push(`LLM_PROVIDER ${provider} needs LLM_MODEL and LLM_API_KEY`)
    return
  }
  if (baseUrl === null && ((apiKey ?? model) !== null || isNeededByOthers))
    env.problems.push(
      'The language model is incomplete: set LLM_API_KEY and LLM_MODEL for OpenAI, or LLM_BASE_URL and LLM_MODEL for another server',
    )
  if (baseUrl !== null && model === null) env.problems.push('LLM_BASE_URL needs LLM_MODEL')
}

function checkFallbackServer(env: EnvReader, fallback: LlmSettings): void {
  if (isOpenAiCompatible(fallback)) {
    if (fallback.baseUrl === null)
      env.problems.push('LLM_FALLBACK_PROVIDER openai-compatible needs LLM_FALLBACK_BASE_URL')
  } else if (fallback.apiKey === null)
    env.problems.push(`LLM_FALLBACK_PROVIDER ${fallback.provider} needs LLM_FALLBACK_API_KEY`)
}

function endpoint({ provider, baseUrl, apiKey, model }: LlmSettings): LlmEndpoint | null {
  if (model === null) return null
  if (provider === 'openai-compatible') return baseUrl === null ? null : { provider, baseUrl, apiKey, model }
  return apiKey === null ? null : { provider, baseUrl, apiKey, model }
}

export function readEmbeddings(env: EnvReader): Config['embeddings'] {
  const baseUrl = env.baseUrl('EMBEDDINGS_BASE_URL')
  const model = env.text('EMBEDDINGS_MODEL')
  const apiKey = env.text('EMBEDDINGS_API_KEY')
  if ((baseUrl === null) !== (model === null) || (apiKey !== null && baseUrl === null))
    env.problems.push('EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL go together')
  return baseUrl && model ? { baseUrl, apiKey, model } : null
}
