// Reads the environment into a validated, frozen Config: the only reader of process.env. Settings are documented in .env.example.
import { join, resolve } from 'node:path'
import type { AddressState, Config } from './config.ts'
import { ConfigError, type Env, type EnvReader, envReader } from './env-reader.ts'
import { readGateway } from './gateway.ts'
import { readHttp, readTls } from './http.ts'
import { readEmbeddings, readLlm } from './llm.ts'
import { type AddressSetting, readPageSettings } from './page-settings.ts'
import { readCalls, readPhone } from './phone.ts'
import { settingsInUse } from './public-settings.ts'
import { readSms } from './sms.ts'
import { readSpeech } from './speech.ts'
import { readObjectStore } from './storage.ts'
import { readWebRtc } from './webrtc.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** As the process was started with, before `.env` was read. */
export const startEnvironment: Readonly<NodeJS.ProcessEnv> = { ...process.env }

/** The environment, with a `.env` file in the working directory as its defaults. */
export function environment(): Env {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return process.env
}

/** Throws a ConfigError that lists all problems. */
export function readConfig(environment: Env): Config {
  const dataDir = resolve(envReader(environment).text('DATA_DIR') ?? './data')
  const page = readPageSettings(dataDir)
  const isFixed = (name: AddressSetting) => Boolean(environment[name]?.trim())
  const fromPage = Object.entries(page).filter(([name]) => !isFixed(name as AddressSetting))
  const merged: Env = { ...environment, ...Object.fromEntries(fromPage) }
  const env = envReader(merged)
  const databaseUrl = env.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const tls = readTls(env)
  const addressOf = (name: AddressSetting): AddressState => ({ value: env.text(name), isFixed: isFixed(name) })
  const config: Config = {
    settingsInUse: settingsInUse(merged),
    addresses: {
      HOST: addressOf('HOST'),
      SIP_HOST: addressOf('SIP_HOST'),
      PUBLIC_URL: addressOf('PUBLIC_URL'),
      PUBLIC_ADDRESS: addressOf('PUBLIC_ADDRESS'),
    },
    http: readHttp(env, tls),
    dataDir,
    nodeName: readNodeName(env),
    nodeLink: readNodeLink(env),
    database: databaseUrl
      ? { kind: 'postgres', url: databaseUrl }
      : { kind: 'sqlite', path: join(dataDir, 'ramal.db') },
    redisUrl: env.url('REDIS_URL', ['redis:', 'rediss:']),
    logLevel: env.oneOf('LOG_LEVEL', logLevels, 'info'),
    ...readKeys(env),
    minFreeBytes: env.number('RECORDING_MIN_FREE_MB', 200, { min: 0, max: 1_000_000 }) * 1_048_576,
    maxListBytes: env.number('MAX_LIST_MB', 50, { min: 1, max: 200 }) * 1_048_576,
    retentionDays: env.number('RETENTION_DAYS', null, { min: 0, max: 36_500, isWhole: false }) || null,
    auditDays: env.number('AUDIT_RETENTION_DAYS', 365, { min: 1, max: 36_500 }),
    speech: readSpeech(env, join(dataDir, 'models')),
    llm: readLlm(env),
    phone: readPhone(env, tls),
    budgets: {
      texts: env.budget('MEMBER_TEXTS_PER_DAY', 200),
      calls: env.budget('MEMBER_CALLS_PER_DAY', 1000),
      ttsCharacters: env.budget('MEMBER_TTS_CHARS_PER_DAY', 500_000),
      llmTokens: env.budget('MEMBER_LLM_TOKENS_PER_DAY', 5_000_000),
      sttSeconds: env.budget('MEMBER_STT_MINUTES_PER_DAY', 1000, 60),
      embeddings: env.budget('MEMBER_EMBEDDINGS_PER_DAY', 50_000),
    },
    calls: readCalls(env),
    gateway: readGateway(env),
    sms: readSms(env),
    objectStore: readObjectStore(env),
    embeddings: readEmbeddings(env),
    allowedNetworks: env.networks('ALLOWED_NETWORKS'),
    ...readWebRtc(env),
  }
  if (env.problems.length > 0) throw new ConfigError(env.problems.join('; '))
  return Object.freeze(config)
}

function readNodeName(env: EnvReader): string | null {
  const nodeName = env.text('NODE_NAME')
  if (nodeName !== null && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(nodeName))
    env.problems.push('NODE_NAME must be up to 63 letters, digits, dots, hyphens or underscores')
  return nodeName
}

function readNodeLink(env: EnvReader): Config['nodeLink'] {
  const host = env.text('NODE_HOST')
  if (host !== null && !/^[A-Za-z0-9.:_-]{1,253}$/.test(host))
    env.problems.push('NODE_HOST must be a host name or an IP address')
  return { host, port: env.number('NODE_PORT', 0, { min: 0, max: 65535 }) }
}

function readKeys(env: EnvReader): Pick<Config, 'masterKeys' | 'bootstrapKey'> {
  const text = env.text('MASTER_KEY')
  const masterKeys = text === null ? null : text.split(',').map((key) => key.trim())
  if (masterKeys?.some((key) => key.length < 32))
    env.problems.push('each key of MASTER_KEY needs 32 characters or more')
  const bootstrapKey = env.text('BOOTSTRAP_API_KEY')
  if (bootstrapKey !== null && !/^[\x21-\x7e]{32,512}$/.test(bootstrapKey))
    env.problems.push('BOOTSTRAP_API_KEY needs 32 to 512 printable characters without spaces')
  return { masterKeys, bootstrapKey }
}
