// The settings in use, for the settings page. An allow-list: a setting that is not named here is treated as a secret.
import type { Config } from './config.ts'
import type { Env } from './env-reader.ts'

/** Settings whose values are not secret. */
export const plainSettings: ReadonlySet<string> = new Set([
  'HOST',
  'PORT',
  'TLS_CERT',
  'TLS_KEY',
  'TRUST_PROXY',
  'PUBLIC_URL',
  'DATA_DIR',
  'NODE_NAME',
  'NODE_HOST',
  'NODE_PORT',
  'RETENTION_DAYS',
  'AUDIT_RETENTION_DAYS',
  'RECORDING_MIN_FREE_MB',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'MAX_LIST_MB',
  'SIP_HOST',
  'SIP_PORT',
  'SIP_TLS_PORT',
  'RTP_PORTS',
  'PUBLIC_ADDRESS',
  'SIP_NETWORKS',
  'SIP_PROXIES',
  'MAX_CALLS',
  'MAX_CALLS_PER_USER',
  'MAX_CALL_MINUTES',
  'DRAIN_SECONDS',
  'CALLS_PER_SECOND',
  'MAX_WAITING_CALLS',
  'CAMPAIGN_MAX_SHARE',
  'DENIED_PREFIXES',
  'MEMBER_TEXTS_PER_DAY',
  'MEMBER_CALLS_PER_DAY',
  'MEMBER_TTS_CHARS_PER_DAY',
  'MEMBER_LLM_TOKENS_PER_DAY',
  'MEMBER_STT_MINUTES_PER_DAY',
  'MEMBER_EMBEDDINGS_PER_DAY',
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
  'LLM_MODEL_FILE',
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

export function settingsInUse(env: Env): Config['settingsInUse'] {
  const settings: Record<string, string | null> = {}
  for (const [name, raw = ''] of Object.entries(env)) {
    const value = raw.trim()
    // An empty DENIED_PREFIXES means "deny none"; every other empty setting counts as unset.
    if (value !== '' || name === 'DENIED_PREFIXES') settings[name] = plainSettings.has(name) ? redactUrl(value) : null
  }
  return settings
}

/** Removes user info, query and fragment from a URL. */
const redactUrl = (value: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '') : value
