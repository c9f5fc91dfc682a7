// The environment in, a checked and frozen Config out: the only reader of process.env. Each setting is explained in .env.example.
import { join, resolve } from 'node:path'

export type DatabaseConfig = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

export type HttpConfig = {
  host: string
  port: number
  tls: { certFile: string; keyFile: string } | null
  trustProxy: boolean | string
  publicUrl: string | null
}

export type TtsProvider = (typeof ttsProviders)[number]
export type SttProvider = (typeof sttProviders)[number]
export type EmbeddedVoice = (typeof embeddedVoices)[number]
export const embeddedVoices = ['natural', 'small', 'off'] as const
export const ttsProviders = ['embedded', 'elevenlabs', 'azure', 'cartesia', 'openai'] as const
export const sttProviders = ['embedded', 'openai', 'deepgram'] as const

type VendorConfig = { apiKey: string | null; baseUrl?: string }

export type SpeechConfig = {
  slots: { provider_a: TtsProvider; provider_b: TtsProvider; provider_c: TtsProvider }
  stt: SttProvider
  elevenLabs: VendorConfig
  azure: VendorConfig & { region: string | null }
  cartesia: VendorConfig
  openAi: VendorConfig
  deepgram: VendorConfig
  /** The best embedded voice to have: the natural one needs some 500 MB of memory and prepares itself at first start. */
  embedded: EmbeddedVoice
  /** Where prepared models lie. */
  modelsDir: string
  /** An operator's own models instead of those of the packages. */
  ownModels: string | null
  cacheBytes: number
}

export type PhoneConfig = {
  host: string
  /** For UDP and TCP; 0 switches the phone off. */
  port: number
  tlsPort: number | null
  tls: { certFile: string; keyFile: string } | null
  rtpPorts: { from: number; to: number }
  /** What SDP and Contact say instead of the socket's own address. */
  publicAddress: string | null
  /** null: as many as a probe at start finds this machine to bear. */
  maxCalls: number | null
  maxCallsPerUser: number
  maxCallMs: number
  drainMs: number
}

/** A server that speaks OpenAI's chat-completions protocol, and the model there. */
export type LlmEndpoint = { baseUrl: string; apiKey: string | null; model: string }

export type LlmConfig = {
  /** null: the built-in rule agent answers. */
  main: LlmEndpoint | null
  fallback: LlmEndpoint | null
  /** What an agent may choose beside the default; null: any name. */
  models: readonly string[] | null
}

export type Config = {
  http: HttpConfig
  dataDir: string
  database: DatabaseConfig
  redisUrl: string | null
  logLevel: string
  masterKeys: readonly string[] | null
  bootstrapKey: string | null
  retentionDays: number | null
  speech: SpeechConfig
  llm: LlmConfig
  phone: PhoneConfig
  calls: { perSecond: number; maxWaiting: number; deniedPrefixes: readonly string[] }
}

export class ConfigError extends Error {}

type Env = Readonly<Record<string, string | undefined>>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

// Satellite systems, international premium and shared-cost numbers, and premium rate in North America.
const premiumAndSatellite = '+870,+878,+881,+882,+883,+888,+979,+1900,+1976'

/** The environment, and beneath it a file `.env` in the current folder where there is one. */
export function environment(): Env {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return process.env
}

export function readConfig(env: Env): Config {
  const problems: string[] = []
  const text = (name: string): string | null => env[name]?.trim() || null
  const number = <T>(name: string, fallback: T, min: number, max: number, whole = true): number | T => {
    const given = text(name)
    if (given === null) return fallback
    const value = Number(given)
    if (Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value))) return value
    problems.push(`${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}`)
    return fallback
  }
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = (text(name) ?? fallback) as T
    if (!allowed.includes(value)) problems.push(`${name} must be one of ${allowed.join(', ')}`)
    return value
  }
  const web = ['http:', 'https:']
  const vendor = (apiKey: string | null, baseUrl: string | null): VendorConfig =>
    baseUrl === null ? { apiKey } : { apiKey, baseUrl: baseUrl.replace(/\/+$/, '') }
  const url = (name: string, schemes: string[]): string | null => {
    const given = text(name)
    if (given === null) return null
    if (!URL.canParse(given) || !schemes.includes(new URL(given).protocol))
      problems.push(`${name} must be a URL that begins with ${schemes.map((s) => `${s}//`).join(' or ')}`)
    return given
  }

  const portRange = (name: string, fallback: string): { from: number; to: number } => {
    const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(text(name) ?? fallback) ?? []
    const range = { from: Number(from), to: Number(to) }
    if (range.from >= 1024 && range.to <= 65535 && range.to - range.from >= 3) return range
    problems.push(`${name} must be two ports from 1024 to 65535 such as 10000-20000`)
    return range
  }

  const dataDir = resolve(text('DATA_DIR') ?? './data')
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const certFile = text('TLS_CERT')
  const keyFile = text('TLS_KEY')
  if ((certFile === null) !== (keyFile === null)) problems.push('TLS_CERT and TLS_KEY go together')
  if (text('SIP_TLS_PORT') !== null && certFile === null) problems.push('SIP_TLS_PORT needs TLS_CERT and TLS_KEY')
  if (/[^A-Za-z0-9.:_-]/.test(text('PUBLIC_ADDRESS') ?? ''))
    problems.push('PUBLIC_ADDRESS must be a name or an address')
  const masterKeys =
    text('MASTER_KEY')
      ?.split(',')
      .map((key) => key.trim()) ?? null
  if (masterKeys?.some((key) => key.length < 32)) problems.push('each key of MASTER_KEY needs 32 characters or more')
  const bootstrapKey = text('BOOTSTRAP_API_KEY')
  if (bootstrapKey !== null && !/^[\x21-\x7e]{32,512}$/.test(bootstrapKey))
    problems.push('BOOTSTRAP_API_KEY needs 32 to 512 printable characters without spaces')
  const deniedPrefixes = (env.DENIED_PREFIXES ?? premiumAndSatellite).split(',').map((prefix) => prefix.trim())
  if (deniedPrefixes.some((prefix) => prefix !== '' && !/^\+\d+$/.test(prefix)))
    problems.push('DENIED_PREFIXES must be numbers with a plus, separated by commas')

  const llm = {
    baseUrl: url('LLM_BASE_URL', web)?.replace(/\/+$/, '') ?? null,
    apiKey: text('LLM_API_KEY'),
    model: text('LLM_MODEL'),
  }
  const llmFallback = {
    baseUrl: url('LLM_FALLBACK_BASE_URL', web)?.replace(/\/+$/, '') ?? null,
    apiKey: text('LLM_FALLBACK_API_KEY'),
    model: text('LLM_FALLBACK_MODEL'),
  }
  const llmModels = text('LLM_MODELS')
  if (
    llm.baseUrl === null &&
    (llm.apiKey ?? llm.model ?? llmModels ?? llmFallback.baseUrl ?? llmFallback.model) !== null
  )
    problems.push('LLM_BASE_URL is missing: the other LLM settings need it')
  if (llm.baseUrl !== null && llm.model === null) problems.push('LLM_BASE_URL needs LLM_MODEL')
  if (llmFallback.model === null && (llmFallback.baseUrl ?? llmFallback.apiKey) !== null)
    problems.push('LLM_FALLBACK_BASE_URL and LLM_FALLBACK_API_KEY need LLM_FALLBACK_MODEL')
  const endpoint = ({ baseUrl, apiKey, model }: typeof llm): LlmEndpoint | null =>
    baseUrl !== null && model !== null ? { baseUrl, apiKey, model } : null

  const config: Config = {
    http: {
      host: text('HOST') ?? '127.0.0.1',
      port: number('PORT', 3000, 0, 65535),
      tls: certFile && keyFile ? { certFile, keyFile } : null,
      trustProxy: trustProxy(text('TRUST_PROXY')),
      publicUrl: url('PUBLIC_URL', web)?.replace(/\/+$/, '') ?? null,
    },
    dataDir,
    database: databaseUrl
      ? { kind: 'postgres', url: databaseUrl }
      : { kind: 'sqlite', path: join(dataDir, 'ramal.db') },
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    masterKeys,
    bootstrapKey,
    retentionDays: number('RETENTION_DAYS', null, 0, 36500, false) || null,
    speech: {
      slots: {
        provider_a: oneOf('TTS_PROVIDER_A', ttsProviders, 'embedded'),
        provider_b: oneOf('TTS_PROVIDER_B', ttsProviders, 'embedded'),
        provider_c: oneOf('TTS_PROVIDER_C', ttsProviders, 'embedded'),
      },
      stt: oneOf('STT_PROVIDER', sttProviders, 'embedded'),
      elevenLabs: vendor(text('ELEVENLABS_API_KEY'), url('ELEVENLABS_BASE_URL', web)),
      azure: {
        ...vendor(text('AZURE_SPEECH_KEY'), url('AZURE_SPEECH_BASE_URL', web)),
        region: text('AZURE_SPEECH_REGION'),
      },
      cartesia: vendor(text('CARTESIA_API_KEY'), url('CARTESIA_BASE_URL', web)),
      openAi: vendor(text('OPENAI_API_KEY'), url('OPENAI_BASE_URL', web)),
      deepgram: vendor(text('DEEPGRAM_API_KEY'), url('DEEPGRAM_BASE_URL', web)),
      embedded: oneOf('EMBEDDED_VOICE', embeddedVoices, 'natural'),
      modelsDir: join(dataDir, 'models'),
      ownModels: text('SPEECH_MODELS'),
      cacheBytes: number('SPEECH_CACHE_MB', 64, 0, 65_536) * 1_048_576,
    },
    llm: {
      main: endpoint(llm),
      // A second model of the same server needs no more than its name; another server is never sent the first one's key.
      fallback: endpoint(
        llmFallback.baseUrl === null
          ? { ...llm, apiKey: llmFallback.apiKey ?? llm.apiKey, model: llmFallback.model }
          : llmFallback,
      ),
      models:
        llmModels
          ?.split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '') ?? null,
    },
    phone: {
      host: text('SIP_HOST') ?? text('HOST') ?? '127.0.0.1',
      port: number('SIP_PORT', 5060, 0, 65535),
      tlsPort: number('SIP_TLS_PORT', null, 1, 65535),
      tls: certFile && keyFile ? { certFile, keyFile } : null,
      rtpPorts: portRange('RTP_PORTS', '10000-20000'),
      publicAddress: text('PUBLIC_ADDRESS'),
      maxCalls: number('MAX_CALLS', null, 1, 100_000),
      maxCallsPerUser: number('MAX_CALLS_PER_USER', 100, 1, 100_000),
      maxCallMs: number('MAX_CALL_MINUTES', 120, 0.05, 10_080, false) * 60_000,
      drainMs: number('DRAIN_SECONDS', 600, 0, 86_400) * 1000,
    },
    calls: {
      perSecond: number('CALLS_PER_SECOND', 5, 0.01, 1000, false),
      maxWaiting: number('MAX_WAITING_CALLS', 1000, 1, 1_000_000),
      deniedPrefixes: deniedPrefixes.filter((prefix) => prefix !== ''),
    },
  }
  if (problems.length > 0) throw new ConfigError(problems.join('; '))
  return Object.freeze(config)
}

const trustProxy = (given: string | null): boolean | string =>
  given === null || given === 'false' || given === '0' ? false : given === 'true' || given === '1' ? true : given
