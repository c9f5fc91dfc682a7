// The vendors of each kind of provider: base URL, key and where to create one. Pure.
import type { Provider } from '../../../../client/paths.ts'

export type Kind = Provider['kind']
/** In page order. */
export const kinds = ['llm', 'stt', 'tts', 'embeddings'] as const satisfies readonly Kind[]

export type Vendor = {
  title: string
  needsKey: boolean
  /** The default if the account's own is empty; null if the user must enter one. */
  baseUrl: string | null
  /** Where to create a key. */
  keysAt: string | null
  /** The default model; null if the account must name one, empty if the vendor has no models. */
  model: string | null
}

const openAi = {
  title: 'OpenAI',
  needsKey: true,
  baseUrl: 'https://api.openai.com/v1',
  keysAt: 'https://platform.openai.com/api-keys',
}
const azure = {
  title: 'Azure Speech',
  needsKey: true,
  baseUrl: null, // each region has its own URL
  keysAt: 'https://portal.azure.com',
  model: '',
}
const ollama = {
  title: 'Ollama',
  needsKey: false,
  baseUrl: 'http://127.0.0.1:11434/v1',
  keysAt: null,
  model: null,
}
/** A compatible server is the only vendor without a name of its own. */
export const COMPATIBLE = 'openai-compatible'
const compatible = { title: 'OpenAI-compatible', needsKey: false, baseUrl: null, keysAt: null, model: null }

const vendors: Readonly<Record<Kind, Readonly<Record<string, Vendor>>>> = {
  llm: {
    openai: { ...openAi, model: null },
    anthropic: {
      title: 'Anthropic',
      needsKey: true,
      baseUrl: 'https://api.anthropic.com/v1',
      keysAt: 'https://console.anthropic.com/settings/keys',
      model: null,
    },
    google: {
      title: 'Google Gemini',
      needsKey: true,
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      keysAt: 'https://aistudio.google.com/apikey',
      model: null,
    },
    groq: {
      title: 'Groq',
      needsKey: true,
      baseUrl: 'https://api.groq.com/openai/v1',
      keysAt: 'https://console.groq.com/keys',
      model: null,
    },
    openrouter: {
      title: 'OpenRouter',
      needsKey: true,
      baseUrl: 'https://openrouter.ai/api/v1',
      keysAt: 'https://openrouter.ai/settings/keys',
      model: null,
    },
    mistral: {
      title: 'Mistral',
      needsKey: true,
      baseUrl: 'https://api.mistral.ai/v1',
      keysAt: 'https://console.mistral.ai/api-keys',
      model: null,
    },
    ollama,
    [COMPATIBLE]: compatible,
  },
  stt: {
    deepgram: {
      title: 'Deepgram',
      needsKey: true,
      baseUrl: 'https://api.deepgram.com',
      keysAt: 'https://console.deepgram.com',
      model: 'nova-3',
    },
    openai: { ...openAi, model: 'gpt-4o-mini-transcribe' },
    'openai-realtime': { ...openAi, title: 'OpenAI realtime', model: 'gpt-realtime-whisper' },
    azure,
    [COMPATIBLE]: compatible,
  },
  tts: {
    elevenlabs: {
      title: 'ElevenLabs',
      needsKey: true,
      baseUrl: 'https://api.elevenlabs.io',
      keysAt: 'https://elevenlabs.io/app/settings/api-keys',
      model: 'eleven_flash_v2_5',
    },
    azure,
    cartesia: {
      title: 'Cartesia',
      needsKey: true,
      baseUrl: 'https://api.cartesia.ai',
      keysAt: 'https://play.cartesia.ai/keys',
      model: 'sonic-3',
    },
    openai: { ...openAi, model: 'gpt-4o-mini-tts' },
    [COMPATIBLE]: compatible,
  },
  embeddings: {
    openai: { ...openAi, model: 'text-embedding-3-small' },
    ollama,
    [COMPATIBLE]: compatible,
  },
}

/** A vendor unknown to this page, such as one that only the environment can configure, has nothing but its name. */
export const vendorOf = (kind: Kind, name: string): Vendor =>
  vendors[kind][name] ?? { title: name, needsKey: false, baseUrl: null, keysAt: null, model: null }

/** Whether an account of this vendor can be created on the page. */
export const isKnownVendor = (kind: Kind, name: string): boolean => Object.hasOwn(vendors[kind], name)

/** Ollama runs on a private address, which only administrators may use. */
export const vendorsFor = (kind: Kind, isAdmin: boolean): string[] =>
  Object.keys(vendors[kind]).filter((name) => isAdmin || name !== 'ollama')
