// What the settings look like once they are read and checked. Types, and the names that a setting may have; config.ts reads them.
export type DatabaseConfig = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

export type HttpConfig = {
  host: string
  port: number
  tls: { certFile: string; keyFile: string } | null
  /** The proxies whose X-Forwarded-For is believed: their addresses, or how many stand in front of us. */
  trustProxy: false | number | string
  publicUrl: string | null
  /** The dashboard is served. */
  web: boolean
}

export type TtsProvider = (typeof ttsProviders)[number]
export type SttProvider = (typeof sttProviders)[number]
export type EmbeddedVoice = (typeof embeddedVoices)[number]
export const embeddedVoices = ['natural', 'small', 'off'] as const
export const ttsProviders = ['embedded', 'elevenlabs', 'azure', 'cartesia', 'openai'] as const
export const sttProviders = ['embedded', 'openai', 'deepgram'] as const

/** Packages of the AI SDK, beside the protocol that Ramal speaks itself. */
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
  /** The best embedded voice to have: the natural one brings the process to 1.1 GB of memory and prepares itself at first start. */
  embedded: EmbeddedVoice
  /** Where prepared models lie. */
  modelsDir: string
  /** An operator's own models instead of those of the packages. */
  ownModels: string | null
  /** A model that hears whether a caller has finished; null: the pauses follow his words. */
  turnModel: string | null
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
  /** Networks that trunks and transfers of every user may reach although they are not public. */
  networks: readonly string[]
  /** null: as many as a probe at start finds this machine to bear. */
  maxCalls: number | null
  maxCallsPerUser: number
  maxCallMs: number
  drainMs: number
}

/** A server that speaks OpenAI's chat-completions protocol, or a provider of the AI SDK; and the model there. */
export type LlmEndpoint =
  | { provider: 'openai-compatible'; baseUrl: string; apiKey: string | null; model: string }
  | { provider: AiSdkProvider; baseUrl: string | null; apiKey: string; model: string }

export type LlmConfig = {
  /** null: the built-in rule agent answers. */
  main: LlmEndpoint | null
  fallback: LlmEndpoint | null
  /** What an agent may choose beside the default; null: any name. */
  models: readonly string[] | null
}

export type Config = {
  /** Which settings were given; the value of those that hold no secret. */
  given: Readonly<Record<string, string | null>>
  http: HttpConfig
  dataDir: string
  /** What this process is called among those of one database; null: a name that is kept in dataDir. */
  nodeName: string | null
  database: DatabaseConfig
  redisUrl: string | null
  logLevel: string
  masterKeys: readonly string[] | null
  bootstrapKey: string | null
  retentionDays: number | null
  /** With less than this free, no new recording is begun. */
  minFreeBytes: number
  speech: SpeechConfig
  llm: LlmConfig
  phone: PhoneConfig
  /** What a member may use a day of what the operator pays for; null: as much as they like. */
  budgets: { texts: number | null; calls: number | null; ttsCharacters: number | null }
  calls: { perSecond: number; maxWaiting: number; deniedPrefixes: readonly string[] }
  /** Where browsers and we find a way to each other (WebRTC): STUN and TURN servers. */
  iceServers: readonly IceServerConfig[]
  /** Shared with the TURN servers among them that have no password: each call is given one of its own. */
  turnSecret: string | null
  gateway: GatewayConfig
  /** A provider of short messages; null: only devices send them. */
  sms: SmsConfig | null
  /** A server for vectors of meaning; null: documents are found by their words alone. */
  embeddings: { baseUrl: string; apiKey: string | null; model: string } | null
  /** Networks that tools may reach although they are not public, such as 10.0.0.0/8. */
  allowedNetworks: readonly string[]
}

export type IceServerConfig = { urls: string | string[]; username?: string; credential?: string }

export const gatewayDrivers = ['embedded', 'whatsapp', 'remote'] as const
export type GatewayConfig = {
  /** Of a device that is made without one being named. */
  driver: (typeof gatewayDrivers)[number]
  /** A number of Meta's WhatsApp Business platform. */
  whatsapp: WhatsappConfig | null
  /** A gateway service on the network, without a slash at its end. */
  remote: { url: string } | null
}

/** An HTTP request with {to}, {text} and {from} in its address and in the texts of its body. */
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
  /** Ids or e-mails of members who may use the account beside the administrators. */
  users: readonly string[]
  sipPassword: string | null
  apiUrl: string
  sipHost: string
}
