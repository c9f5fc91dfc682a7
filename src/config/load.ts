// The environment in, a checked and frozen Config out: the only reader of process.env. Each setting is explained in .env.example.
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import {
  type Config,
  embeddedVoices,
  gatewayDrivers,
  type IceServerConfig,
  type LlmConfig,
  type LlmEndpoint,
  llmProviders,
  sttProviders,
  ttsProviders,
  type VendorConfig,
  type WhatsappConfig,
} from './config.ts'
import { givenSettings } from './public-settings.ts'

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
  const budget = (name: string, fallback: number): number | null =>
    text(name) === 'unlimited' ? null : number(name, fallback, 0, 1_000_000_000)
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = (text(name) ?? fallback) as T
    if (!allowed.includes(value)) problems.push(`${name} must be one of ${allowed.join(', ')}`)
    return value
  }
  const web = ['http:', 'https:']
  const vendor = (apiKey: string | null, baseUrl: string | null): VendorConfig =>
    baseUrl === null ? { apiKey } : { apiKey, baseUrl: baseUrl.replace(/\/{1,9}$/, '') }
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
  const nodeName = text('NODE_NAME')
  if (nodeName !== null && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(nodeName))
    problems.push('NODE_NAME must be up to 63 letters, digits, dots, hyphens or underscores')
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

  const fields = (name: string): Record<string, unknown> | null => {
    const given = text(name)
    if (given === null) return null
    try {
      const value: unknown = JSON.parse(given)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    } catch {}
    problems.push(`${name} must be a JSON object`) // without what it holds: it may be a secret
    return null
  }
  const iceServers = readIceServers(text('ICE_SERVERS'))
  if (iceServers === null)
    problems.push(
      'ICE_SERVERS must be a JSON list such as [{"urls":"turn:example.com","username":"a","credential":"b"}]',
    )
  const turnSecret = text('TURN_SECRET')
  const isForTurn = ({ urls, username }: IceServerConfig) => username === undefined && /\bturns?:/.test(`${urls}`)
  if (turnSecret !== null && !iceServers?.some(isForTurn))
    problems.push('TURN_SECRET needs a server with turn: and without a username in ICE_SERVERS')
  const smsUrl = url('SMS_URL', web)
  const smsMethod = oneOf('SMS_METHOD', ['POST', 'PUT', 'GET'], 'POST')
  const smsHeaders = fields('SMS_HEADERS') ?? {}
  const smsBody = fields('SMS_BODY')
  if (/^[^:]+:\/\/[^/?#]*[{}]/.test(smsUrl ?? '')) problems.push('SMS_URL must not have braces in its host')
  if (Object.values(smsHeaders).some((value) => typeof value !== 'string' || /[\r\n]/.test(value)))
    problems.push('SMS_HEADERS must be texts')

  const embeddingsUrl = url('EMBEDDINGS_BASE_URL', web)?.replace(/\/{1,9}$/, '') ?? null
  const embeddingsModel = text('EMBEDDINGS_MODEL')
  const embeddingsKey = text('EMBEDDINGS_API_KEY')
  if ((embeddingsUrl === null) !== (embeddingsModel === null) || (embeddingsKey !== null && embeddingsUrl === null))
    problems.push('EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL go together')

  const sipNetworks = listIn(text('SIP_NETWORKS') ?? '')
  if (!sipNetworks.every(isNetwork))
    problems.push('SIP_NETWORKS must be networks such as 10.0.0.0/8, separated by commas')
  const allowedNetworks = listIn(text('ALLOWED_NETWORKS') ?? '')
  if (!allowedNetworks.every(isNetwork))
    problems.push('ALLOWED_NETWORKS must be networks such as 10.0.0.0/8, separated by commas')

  const gatewayUrl = url('GATEWAY_URL', web)
  if (gatewayUrl !== null && URL.canParse(gatewayUrl)) {
    const { username, password, search, hash } = new URL(gatewayUrl)
    if (`${username}${password}${search}${hash}` !== '')
      problems.push('GATEWAY_URL must have no user, password, query or fragment: each user saves an account of his own')
  }
  if (gatewayUrl === null && text('GATEWAY_DRIVER') === 'remote')
    problems.push('GATEWAY_DRIVER remote needs GATEWAY_URL')

  const config: Config = {
    given: givenSettings(env),
    http: {
      host: text('HOST') ?? '127.0.0.1',
      port: number('PORT', 3000, 0, 65535),
      tls: certFile && keyFile ? { certFile, keyFile } : null,
      trustProxy: trustProxy(text('TRUST_PROXY')),
      publicUrl: url('PUBLIC_URL', web)?.replace(/\/{1,9}$/, '') ?? null,
      web: oneOf('WEB', ['on', 'off'], 'on') === 'on',
    },
    dataDir,
    nodeName,
    database: databaseUrl
      ? { kind: 'postgres', url: databaseUrl }
      : { kind: 'sqlite', path: join(dataDir, 'ramal.db') },
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    masterKeys,
    bootstrapKey,
    minFreeBytes: number('RECORDING_MIN_FREE_MB', 200, 0, 1_000_000) * 1_048_576,
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
      turnModel: text('TURN_MODEL'),
      cacheBytes: number('SPEECH_CACHE_MB', 64, 0, 65_536) * 1_048_576,
    },
    llm: llmConfig(text, (name) => url(name, web)?.replace(/\/{1,9}$/, '') ?? null, problems),
    phone: {
      host: text('SIP_HOST') ?? text('HOST') ?? '127.0.0.1',
      port: number('SIP_PORT', 5060, 0, 65535),
      tlsPort: number('SIP_TLS_PORT', null, 1, 65535),
      tls: certFile && keyFile ? { certFile, keyFile } : null,
      rtpPorts: portRange('RTP_PORTS', '10000-20000'),
      publicAddress: text('PUBLIC_ADDRESS'),
      networks: sipNetworks,
      maxCalls: number('MAX_CALLS', null, 1, 100_000),
      maxCallsPerUser: number('MAX_CALLS_PER_USER', 100, 1, 100_000),
      maxCallMs: number('MAX_CALL_MINUTES', 120, 0.05, 10_080, false) * 60_000,
      drainMs: number('DRAIN_SECONDS', 600, 0, 86_400) * 1000,
    },
    budgets: {
      texts: budget('MEMBER_TEXTS_PER_DAY', 200),
      calls: budget('MEMBER_CALLS_PER_DAY', 1000),
      ttsCharacters: budget('MEMBER_TTS_CHARS_PER_DAY', 500_000),
    },
    calls: {
      perSecond: number('CALLS_PER_SECOND', 5, 0.01, 1000, false),
      maxWaiting: number('MAX_WAITING_CALLS', 1000, 1, 1_000_000),
      deniedPrefixes: deniedPrefixes.filter((prefix) => prefix !== ''),
    },
    gateway: {
      driver: oneOf('GATEWAY_DRIVER', gatewayDrivers, 'embedded'),
      whatsapp: whatsappConfig(text, (name) => url(name, web)?.replace(/\/{1,9}$/, '') ?? null, problems),
      remote: gatewayUrl === null ? null : { url: gatewayUrl.replace(/\/{1,9}$/, '') },
    },
    sms:
      smsUrl === null
        ? null
        : { url: smsUrl, method: smsMethod, headers: smsHeaders as Record<string, string>, body: smsBody },
    embeddings:
      embeddingsUrl && embeddingsModel
        ? { baseUrl: embeddingsUrl, apiKey: embeddingsKey, model: embeddingsModel }
        : null,
    allowedNetworks,
    iceServers: iceServers ?? [],
    turnSecret,
  }
  if (problems.length > 0) throw new ConfigError(problems.join('; '))
  return Object.freeze(config)
}

/** As browsers take them; null when it is no such list. */
function readIceServers(given: string | null): IceServerConfig[] | null {
  if (given === null) return []
  const isText = (value: unknown) => typeof value === 'string' && value.length <= 1000
  const isUrl = (value: unknown) => isText(value) && /^(stuns?|turns?):[^\s]+$/.test(value as string)
  const isServer = (server: Record<string, unknown> | null) => {
    const { urls, username = '', credential = '', ...rest } = server ?? {}
    const all = [urls].flat()
    return (
      all.length > 0 && all.every(isUrl) && isText(username) && isText(credential) && Object.keys(rest).length === 0
    )
  }
  try {
    const servers: unknown = JSON.parse(given)
    return Array.isArray(servers) && servers.length <= 20 && servers.every(isServer) ? servers : null
  } catch {
    return null
  }
}

function isNetwork(given: string): boolean {
  const [address = '', bits = '', ...more] = given.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    more.length === 0 &&
    !address.includes('%') &&
    (!given.includes('/') || /^\d{1,3}$/.test(bits)) &&
    Number(bits) <= longest
  )
}

/** `true` is one proxy: what stands further left in X-Forwarded-For, whoever asks may have written. */
const trustProxy = (given: string | null): false | number | string => {
  if (given === null || given === 'false' || given === '0') return false
  if (given === 'true') return 1
  return /^\d$/.test(given) ? Number(given) : given
}

type Read = (name: string) => string | null
const listIn = (text: string): string[] => text.split(',').flatMap((one) => one.trim() || [])

function whatsappConfig(text: Read, url: Read, problems: string[]): WhatsappConfig | null {
  const [token, phoneNumberId] = [text('WHATSAPP_TOKEN'), text('WHATSAPP_PHONE_NUMBER_ID')]
  const businessAccountId = text('WHATSAPP_BUSINESS_ACCOUNT_ID')
  const [appSecret, verifyToken] = [text('WHATSAPP_APP_SECRET'), text('WHATSAPP_VERIFY_TOKEN')]
  const more = { businessAccountId, appSecret, verifyToken, sipPassword: text('WHATSAPP_SIP_PASSWORD') }
  const apiUrl = url('WHATSAPP_API_URL') ?? 'https://graph.facebook.com/v24.0'
  const sipHost = text('WHATSAPP_SIP_HOST') ?? 'wa.meta.vc'
  if (!/^[\w.-]+(:\d{1,5})?$/.test(sipHost)) problems.push('WHATSAPP_SIP_HOST must be a name, or a name and a port')
  for (const id of [phoneNumberId, businessAccountId])
    if (!/^\d*$/.test(id ?? '')) problems.push('the ids of WHATSAPP_PHONE_NUMBER_ID and its account have digits alone')
  if ((appSecret === null) !== (verifyToken === null))
    problems.push('WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN go together')
  const users = listIn(text('WHATSAPP_USERS') ?? '').map((who) => (who.includes('@') ? who.toLowerCase() : who))
  if (token !== null && phoneNumberId !== null) return { token, phoneNumberId, ...more, users, apiUrl, sipHost }
  const isWanted = text('GATEWAY_DRIVER') === 'whatsapp'
  if (isWanted || [token, phoneNumberId, ...Object.values(more)].some((given) => given !== null))
    problems.push('the driver whatsapp and its settings need WHATSAPP_TOKEN and WHATSAPP_PHONE_NUMBER_ID')
  return null
}

function llmConfig(text: Read, url: Read, problems: string[]): LlmConfig {
  const provider = (name: string, given: string | null) => {
    const plain = (given?.replace(/^@ai-sdk\//, '') ?? 'openai-compatible') as (typeof llmProviders)[number]
    if (!llmProviders.includes(plain)) problems.push(`${name} must be one of ${llmProviders.join(', ')}`)
    return plain
  }
  const first = {
    provider: provider('LLM_PROVIDER', text('LLM_PROVIDER')),
    baseUrl: url('LLM_BASE_URL'),
    apiKey: text('LLM_API_KEY'),
    model: text('LLM_MODEL'),
  }
  const second = {
    provider: provider('LLM_FALLBACK_PROVIDER', text('LLM_FALLBACK_PROVIDER')),
    baseUrl: url('LLM_FALLBACK_BASE_URL'),
    apiKey: text('LLM_FALLBACK_API_KEY'),
    model: text('LLM_FALLBACK_MODEL'),
  }
  const models = text('LLM_MODELS')
  const isProviderTold = text('LLM_FALLBACK_PROVIDER') !== null
  const isSecondTold = isProviderTold || (second.model ?? second.baseUrl ?? second.apiKey) !== null

  const isOwn = ({ provider }: typeof first) => provider === 'openai-compatible'
  if (isOwn(first) && first.baseUrl === null && ((first.apiKey ?? first.model ?? models) !== null || isSecondTold))
    problems.push('LLM_BASE_URL is missing: the other LLM settings need it')
  if (isOwn(first) && first.baseUrl !== null && first.model === null) problems.push('LLM_BASE_URL needs LLM_MODEL')
  if (!isOwn(first) && (first.model === null || first.apiKey === null))
    problems.push(`LLM_PROVIDER ${first.provider} needs LLM_MODEL and LLM_API_KEY`)
  if (second.model === null && isSecondTold)
    problems.push('LLM_FALLBACK_PROVIDER, LLM_FALLBACK_BASE_URL and LLM_FALLBACK_API_KEY need LLM_FALLBACK_MODEL')

  // A second model of the same server needs no more than its name; another server is never sent the first one's key.
  const isSameServer = second.baseUrl === null && (!isProviderTold || second.provider === first.provider)
  if (!isSameServer && isOwn(second) && second.baseUrl === null)
    problems.push('LLM_FALLBACK_PROVIDER openai-compatible needs LLM_FALLBACK_BASE_URL')
  if (!isSameServer && !isOwn(second) && second.apiKey === null)
    problems.push(`LLM_FALLBACK_PROVIDER ${second.provider} needs LLM_FALLBACK_API_KEY`)

  const endpoint = ({ provider, baseUrl, apiKey, model }: typeof first): LlmEndpoint | null => {
    if (model === null) return null
    if (provider === 'openai-compatible') return baseUrl === null ? null : { provider, baseUrl, apiKey, model }
    return apiKey === null ? null : { provider, baseUrl, apiKey, model }
  }
  return {
    main: endpoint(first),
    fallback: endpoint(
      isSameServer ? { ...first, apiKey: second.apiKey ?? first.apiKey, model: second.model } : second,
    ),
    models: models === null ? null : listIn(models),
  }
}
