// Registry of speech engines and vendors. To add one, add its file and a line here.
import type { SpeechConfig, SttProvider, TtsProvider } from '../config/config.ts'
import type { Stt, Tts } from '../voice/ports.ts'
import type { VendorConnections } from './vendor-http.ts'

export type Closable = { close?(): Promise<void> | void }
export type VendorToken = { token: string; expiresAt: string; url: string }
type Voices = Tts & Closable & { token?(signal: AbortSignal): Promise<VendorToken> }
type Ears = Stt & Closable

/** Imported on first use: a server that uses none of them does not hold their clients in memory. */
const voices: Record<Exclude<TtsProvider, 'embedded'>, (config: SpeechConfig) => Promise<Voices>> = {
  elevenlabs: async (config) => (await import('./tts/elevenlabs.ts')).elevenLabs(config.elevenLabs),
  azure: async (config) => (await import('./tts/azure.ts')).azure(config.azure),
  cartesia: async (config) => (await import('./tts/cartesia.ts')).cartesia(config.cartesia),
  openai: async (config) => (await import('./tts/openai-speech.ts')).openAiSpeech(config.openAi),
}
const ears: Record<Exclude<SttProvider, 'embedded'>, (config: SpeechConfig) => Promise<Ears>> = {
  openai: async (config) => (await import('./stt/openai-transcription.ts')).openAiTranscription(config.openAi),
  'openai-realtime': async (config) => (await import('./stt/openai-realtime.ts')).openAiRealtime(config.openAi),
  deepgram: async (config) => (await import('./stt/deepgram.ts')).deepgram(config.deepgram),
  azure: async (config) => (await import('./stt/azure-recognition.ts')).azureRecognition(config.azure),
}
type AccountSettings = Omit<SpeechAccount, 'vendor' | 'model'> & { model?: string }

/** By the vendors of base/domain/speech-vendors.ts. */
const accountVoices: Readonly<Record<string, (settings: AccountSettings) => Promise<Voices>>> = {
  elevenlabs: async ({ model, ...rest }) =>
    (await import('./tts/elevenlabs.ts')).elevenLabs({ ...rest, ...(model ? { modelId: model } : {}) }),
  azure: async (settings) => (await import('./tts/azure.ts')).azure(settings),
  cartesia: async ({ model, ...rest }) =>
    (await import('./tts/cartesia.ts')).cartesia({ ...rest, ...(model ? { modelId: model } : {}) }),
  openai: async (settings) => (await import('./tts/openai-speech.ts')).openAiSpeech(settings),
  'openai-compatible': async (settings) => (await import('./tts/openai-speech.ts')).openAiSpeech(settings),
}
const accountEars: Readonly<Record<string, (settings: AccountSettings) => Promise<Ears>>> = {
  deepgram: async (settings) => (await import('./stt/deepgram.ts')).deepgram(settings),
  azure: async (settings) => (await import('./stt/azure-recognition.ts')).azureRecognition(settings),
  'openai-realtime': async (settings) => (await import('./stt/openai-realtime.ts')).openAiRealtime(settings),
  openai: async (settings) => (await import('./stt/openai-transcription.ts')).openAiTranscription(settings),
  'openai-compatible': async (settings) =>
    (await import('./stt/openai-transcription.ts')).openAiTranscription(settings),
}

/** Vendors that hear audio while it is spoken. */
const live: ReadonlySet<string> = new Set(['deepgram', 'azure', 'openai-realtime'])
/** Vendors that issue short-lived tokens for clients. */
const givesTokens: ReadonlySet<TtsProvider> = new Set(['azure'])

/** What an engine is opened from: an account's vendor, address, key and model. */
export type SpeechAccount = {
  vendor: string
  apiKey: string | null
  baseUrl: string
  /** Empty: the vendor's default. */
  model: string
  connections: VendorConnections
}

/** Undefined: no such vendor. The connections are shared: there is nothing to close. */
export function accountTts({ vendor, model, ...settings }: SpeechAccount): Tts | undefined {
  const load = accountVoices[vendor]
  if (!load) return undefined
  const { get } = later(() => load({ ...settings, ...(model === '' ? {} : { model }) }))
  return {
    name: vendor,
    voices: async (signal) => (await get()).voices(signal),
    async *speak(text, options, signal) {
      yield* (await get()).speak(text, options, signal)
    },
  }
}

export function accountStt({ vendor, model, ...settings }: SpeechAccount): Stt | undefined {
  const load = accountEars[vendor]
  if (!load) return undefined
  const { get } = later(() => load({ ...settings, ...(model === '' ? {} : { model }) }))
  return {
    name: vendor,
    isLive: live.has(vendor),
    async *transcribe(audio, options, signal) {
      yield* (await get()).transcribe(audio, options, signal)
    },
  }
}

export function makeTts(name: TtsProvider, config: SpeechConfig, embedded: Tts): Voices {
  if (name === 'embedded') return embedded
  const { get, close } = later(() => voices[name](config))
  const token: Voices['token'] = async (signal) => {
    const vendor = await get()
    if (!vendor.token) throw new Error(`${name} gives no tokens`)
    return vendor.token(signal)
  }
  return {
    name,
    voices: async (signal) => (await get()).voices(signal),
    async *speak(text, options, signal) {
      yield* (await get()).speak(text, options, signal)
    },
    ...(givesTokens.has(name) ? { token } : {}),
    close,
  }
}

export function makeStt(name: SttProvider, config: SpeechConfig, embedded: Stt): Ears {
  if (name === 'embedded') return embedded
  const { get, close } = later(() => ears[name](config))
  return {
    name,
    isLive: live.has(name),
    async *transcribe(audio, options, signal) {
      yield* (await get()).transcribe(audio, options, signal)
    },
    close,
  }
}

function later<T extends Closable>(load: () => Promise<T>) {
  let loaded: Promise<T> | undefined
  return {
    get(): Promise<T> {
      loaded ??= load()
      return loaded
    },
    async close(): Promise<void> {
      await (await loaded)?.close?.()
    },
  }
}
