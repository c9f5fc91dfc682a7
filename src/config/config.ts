// The validated configuration: types, and the allowed values of settings. load.ts reads them from the environment.
export type DatabaseConfig = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

/** An S3-compatible service. */
export type ObjectStoreConfig = {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  region: string
}

export type TlsFiles = { certFile: string; keyFile: string }

export type HttpConfig = {
  host: string
  port: number
  tls: TlsFiles | null
  /** The proxies whose X-Forwarded-For is trusted: their addresses, or their number. */
  trustProxy: false | number | string
  publicUrl: string | null
  /** Serve the dashboard. */
  web: boolean
}

export type TtsProvider = (typeof ttsProviders)[number]
export type SttProvider = (typeof sttProviders)[number]
export const embeddedVoices = ['natural', 'small', 'off'] as const
export const ttsProviders = ['embedded', 'elevenlabs', 'azure', 'cartesia', 'openai'] as const
export const sttProviders = ['embedded', 'openai', 'openai-realtime', 'deepgram', 'azure'] as const

/** Providers of the AI SDK, in addition to the built-in OpenAI-compatible client. */
export type AiSdkProvider = (typeof aiSdkProviders)[number]
export const aiSdkProviders = [
  'anthropic',
  'google',
  'openai',
  'azure',
  'cohere',
  'deepseek',
  'groq',
  'mistral',
  'xai',
] as const
export const llmProviders = ['openai-compatible', ...aiSdkProviders] as const

export type VendorConfig = { apiKey: string | null; baseUrl?: string }

export type SpeechConfig = {
  slots: { provider_a: TtsProvider; provider_b: TtsProvider; provider_c: TtsProvider }
  stt: SttProvider
  elevenLabs: VendorConfig
  azure: VendorConfig & { region: string | null }
  cartesia: VendorConfig
  openAi: VendorConfig
  deepgram: VendorConfig
  /** The best embedded voice to load: `natural` needs 1.1 GB of memory and prepares itself at the first start. */
  embedded: (typeof embeddedVoices)[number]
  /** Folder of prepared models. */
  modelsDir: string
  /** Folder of the operator's own models, used instead of the packages'. */
  ownModels: string | null
  /** An end-of-turn model; null: endpointing follows the caller's words and pauses. */
  turnModel: string | null
  cacheBytes: number
}

export type PhoneConfig = {
  host: string
  /** UDP and TCP; 0 disables SIP. */
  port: number
  tlsPort: number | null
  tls: TlsFiles | null
  rtpPorts: { from: number; to: number }
  /** Advertised in SDP and Contact instead of the socket's own address. */
  publicAddress: string | null
  /** Private networks that every user's trunks and transfers may reach. */
  networks: readonly string[]
  /** SIP proxies in front of the nodes, trusted to report the source of a request. */
  proxies: readonly string[]
  /** null: measured by a probe at start. */
  maxCalls: number | null
  maxCallsPerUser: number
  maxCallMs: number
  drainMs: number
}

/** An OpenAI-compatible server or a provider of the AI SDK, and its model. */
export type LlmEndpoint =
  | { provider: 'openai-compatible'; baseUrl: string; apiKey: string | null; model: string }
  | { provider: AiSdkProvider; baseUrl: string | null; apiKey: string; model: string }

export type LlmConfig = {
  /** null: the built-in rule agent answers. */
  main: LlmEndpoint | null
  fallback: LlmEndpoint | null
  /** Models that an agent may choose besides the default; null: any name. */
  models: readonly string[] | null
  /** A GGUF file that is run in this process. */
  modelFile: string | null
}

/** An address of this server that an administrator may set on the page. */
export type AddressState = {
  value: string | null
  /** Set in the environment or `.env`, which override the page. */
  isFixed: boolean
}

export type Config = {
  /** The settings in use; null instead of a secret value. */
  settingsInUse: Readonly<Record<string, string | null>>
  addresses: Readonly<Record<'HOST' | 'SIP_HOST' | 'PUBLIC_URL' | 'PUBLIC_ADDRESS', AddressState>>
  http: HttpConfig
  dataDir: string
  /** The name of this process among those that share a database; null: one is generated and kept in dataDir. */
  nodeName: string | null
  /** Where other nodes connect to, with PostgreSQL; host null: the first address of this machine; port 0: a free one. */
  nodeLink: { host: string | null; port: number }
  database: DatabaseConfig
  redisUrl: string | null
  logLevel: string
  masterKeys: readonly string[] | null
  bootstrapKey: string | null
  retentionDays: number | null
  /** How long the audit log is kept. */
  auditDays: number
  /** With less free space than this, new calls are not recorded. */
  minFreeBytes: number
  /** The largest list of contacts that can be uploaded. */
  maxListBytes: number
  speech: SpeechConfig
  llm: LlmConfig
  phone: PhoneConfig
  /** A member's daily limits on what the operator pays for; null: unlimited. */
  budgets: {
    texts: number | null
    calls: number | null
    ttsCharacters: number | null
    llmTokens: number | null
    sttSeconds: number | null
    embeddings: number | null
  }
  calls: {
    perSecond: number
    maxWaiting: number
    deniedPrefixes: readonly string[]
    /** Campaign calls fill every limit only up to this share of it, 0 to 1. */
    campaignShare: number
  }
  /** STUN and TURN servers for WebRTC. */
  iceServers: readonly IceServerConfig[]
  /** Shared with the TURN servers that have no password here: each call gets time-limited credentials. */
  turnSecret: string | null
  gateway: GatewayConfig
  /** An SMS provider; null: only devices send texts. */
  sms: SmsConfig | null
  /** Where recordings go after the call; null: they stay on the disk. */
  objectStore: ObjectStoreConfig | null
  /** An embeddings server; null: knowledge search is lexical only. */
  embeddings: { baseUrl: string; apiKey: string | null; model: string } | null
  /** Private networks that tools may reach, such as 10.0.0.0/8. */
  allowedNetworks: readonly string[]
}

export type IceServerConfig = { urls: string | string[]; username?: string; credential?: string }

export const gatewayDrivers = ['embedded', 'whatsapp', 'remote'] as const
export type GatewayConfig = {
  /** The driver of a device that names none. */
  driver: (typeof gatewayDrivers)[number]
  /** A number of the WhatsApp Business Platform. */
  whatsapp: WhatsappConfig | null
  /** A remote gateway service; no slash at its end. */
  remote: { url: string } | null
}

/** An HTTP request; {to}, {text} and {from} in its URL and in the strings of its body are replaced. */
export type SmsConfig = {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>> | null
}

export type WhatsappConfig = {
  token: string
  phoneNumberId: string
  businessAccountId: string | null
  appSecret: string | null
  verifyToken: string | null
  /** Ids or e-mails of members who may use the account, besides administrators. */
  users: readonly string[]
  sipPassword: string | null
  apiUrl: string
  sipHost: string
}
