// Registry of speech vendors. To add one, add its file and a line here.
import type { SpeechConfig, SttProvider, TtsProvider } from '../config/config.ts'
import type { Stt, Tts } from '../voice/ports.ts'
import { type Closable, onFirstUse } from './on-first-use.ts'
import type { VendorConnections, VendorSettings } from './vendor-http.ts'

export type VendorToken = { token: string; expiresAt: string; url: string }
type VendorTts = Tts & Closable & { token?(signal: AbortSignal): Promise<VendorToken> }
type VendorStt = Stt & Closable
type Settings = VendorSettings & { region?: string | null }

/** By the vendors of base/domain/speech-vendors.ts. Imported on first use: a server that uses none does not hold their clients in memory. */
const ttsVendors: Readonly<Record<string, (settings: Settings) => Promise<VendorTts>>> = {
  elevenlabs: async (settings) => (await import('./tts/elevenlabs.ts')).elevenLabs(settings),
  azure: async (settings) => (await import('./tts/azure.ts')).azure(settings),
  cartesia: async (settings) => (await import('./tts/cartesia.ts')).cartesia(settings),
  openai: async (settings) => (await import('./tts/openai-speech.ts')).openAiSpeech(settings),
  'openai-compatible': async (settings) => (await import('./tts/openai-speech.ts')).openAiSpeech(settings),
}
const sttVendors: Readonly<Record<string, (settings: Settings) => Promise<VendorStt>>> = {
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
const givesTokens: ReadonlySet<string> = new Set(['azure'])

/** What an engine is opened from: an account's vendor, address, key and model. */
export type SpeechAccount = {
  vendor: string
  apiKey: string | null
  baseUrl: string
  /** Empty: the vendor's default. */
  model: string
  connections: VendorConnections
}

const settingsOf = ({ vendor: _, model, ...settings }: SpeechAccount): Settings => ({
  ...settings,
  ...(model === '' ? {} : { model }),
})

/** Undefined: no such vendor. The connections are shared: there is nothing to close. */
export const accountTts = (account: SpeechAccount): Tts | undefined => ttsOf(account.vendor, settingsOf(account))

export const accountStt = (account: SpeechAccount): Stt | undefined => sttOf(account.vendor, settingsOf(account))

/** With the key that the environment sets. */
export function makeTts(name: Exclude<TtsProvider, 'embedded'>, config: SpeechConfig): VendorTts {
  const { elevenLabs: elevenlabs, azure, cartesia, openAi: openai } = config
  return ttsOf(name, { elevenlabs, azure, cartesia, openai }[name], givesTokens.has(name)) as VendorTts
}

export function makeStt(name: Exclude<SttProvider, 'embedded'>, config: SpeechConfig): VendorStt {
  const { deepgram, azure, openAi: openai } = config
  return sttOf(name, { deepgram, azure, openai, 'openai-realtime': openai }[name]) as VendorStt
}

function ttsOf(name: string, settings: Settings, hasToken = false): VendorTts | undefined {
  const load = ttsVendors[name]
  if (!load) return undefined
  const { get, close } = onFirstUse(() => load(settings))
  const token: VendorTts['token'] = async (signal) => {
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
    ...(hasToken ? { token } : {}),
    close,
  }
}

function sttOf(name: string, settings: Settings): VendorStt | undefined {
  const load = sttVendors[name]
  if (!load) return undefined
  const { get, close } = onFirstUse(() => load(settings))
  return {
    name,
    isLive: live.has(name),
    async *transcribe(audio, options, signal) {
      yield* (await get()).transcribe(audio, options, signal)
    },
    close,
  }
}
