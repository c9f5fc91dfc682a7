// Which settings were given, for the page that shows them. A value is shown only if its name stands here: a new secret is hidden without anyone thinking of it.

type Env = Readonly<Record<string, string | undefined>>

/** By name; null: it is given, and nobody's business. */
export type GivenSettings = Readonly<Record<string, string | null>>

/** Their values hold no secret. */
export const plainSettings: ReadonlySet<string> = new Set([
  'HOST',
  'PORT',
  'TLS_CERT',
  'TLS_KEY',
  'TRUST_PROXY',
  'PUBLIC_URL',
  'DATA_DIR',
  'NODE_NAME',
  'RETENTION_DAYS',
  'RECORDING_MIN_FREE_MB',
  'SIP_HOST',
  'SIP_PORT',
  'SIP_TLS_PORT',
  'RTP_PORTS',
  'PUBLIC_ADDRESS',
  'SIP_NETWORKS',
  'MAX_CALLS',
  'MAX_CALLS_PER_USER',
  'MAX_CALL_MINUTES',
  'DRAIN_SECONDS',
  'CALLS_PER_SECOND',
  'MAX_WAITING_CALLS',
  'DENIED_PREFIXES',
  'MEMBER_TEXTS_PER_DAY',
  'MEMBER_CALLS_PER_DAY',
  'MEMBER_TTS_CHARS_PER_DAY',
  'TTS_PROVIDER_A',
  'TTS_PROVIDER_B',
  'TTS_PROVIDER_C',
  'STT_PROVIDER',
  'ELEVENLABS_BASE_URL',
  'AZURE_SPEECH_REGION',
  'AZURE_SPEECH_BASE_URL',
  'CARTESIA_BASE_URL',
  'OPENAI_BASE_URL',
  'DEEPGRAM_BASE_URL',
  'EMBEDDED_VOICE',
  'SPEECH_MODELS',
  'TURN_MODEL',
  'SPEECH_CACHE_MB',
  'LLM_PROVIDER',
  'LLM_BASE_URL',
  'LLM_MODEL',
  'LLM_MODELS',
  'LLM_FALLBACK_MODEL',
  'LLM_FALLBACK_PROVIDER',
  'LLM_FALLBACK_BASE_URL',
  'EMBEDDINGS_BASE_URL',
  'EMBEDDINGS_MODEL',
  'GATEWAY_DRIVER',
  'GATEWAY_URL',
  'WHATSAPP_PHONE_NUMBER_ID',
  'WHATSAPP_BUSINESS_ACCOUNT_ID',
  'WHATSAPP_USERS',
  'WHATSAPP_API_URL',
  'WHATSAPP_SIP_HOST',
  'SMS_METHOD',
  'ALLOWED_NETWORKS',
  'WEB',
  'LOG_LEVEL',
])

export function givenSettings(env: Env): GivenSettings {
  const given: Record<string, string | null> = {}
  for (const [name, text = ''] of Object.entries(env)) {
    const value = text.trim()
    // An empty list of denied prefixes is a list; everything else that is empty is not given.
    if (value !== '' || name === 'DENIED_PREFIXES') given[name] = plainSettings.has(name) ? withoutLogin(value) : null
  }
  return given
}

/** Of a URL neither who signs in there nor what is asked of it. */
const withoutLogin = (value: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '') : value
