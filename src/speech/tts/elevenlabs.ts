// ElevenLabs speech synthesis: HTTP streaming, or its WebSocket where word timestamps are needed.
import { notFound } from '../../base/errors/errors.ts'
import { limits } from '../../base/outside/limits.ts'
import type { AudioFrame, SpeakOptions, Tts, Voice } from '../../voice/ports.ts'
import {
  retried,
  SPEECH_RATE_HZ,
  samplesOf,
  type Vendor,
  VendorError,
  type VendorSettings,
  vendorHttp,
  withoutKey,
} from '../vendor-http.ts'
import { genderOf, mainLanguage, voicePages } from '../voice-lists.ts'
import { type SocketSpeech, socketSpeech } from './socket-speech.ts'

type VendorVoice = {
  voice_id: string
  name?: string | null
  description?: string | null
  labels?: Record<string, string> | null
  verified_languages?: { language: string; locale?: string | null }[] | null
}
type VoicePage = { voices?: VendorVoice[]; has_more?: boolean; next_page_token?: string | null }
type Message = {
  audio?: string | null
  isFinal?: boolean | null
  alignment?: { chars?: string[] } | null
  error?: string
  message?: string
}

type ElevenLabsSettings = VendorSettings & { transport?: 'http' | 'websocket' }

export function elevenLabs(settings: ElevenLabsSettings): Tts & { close(): Promise<void> } {
  const vendor: Vendor = {
    ...settings,
    name: 'ElevenLabs',
    baseUrl: settings.baseUrl ?? 'https://api.elevenlabs.io',
    headers: (apiKey) => ({ 'xi-api-key': apiKey }),
    isUnknownVoice: (_, answer) => /voice_not_found|voice_id_does_not_exist|invalid_voice_id/.test(answer),
  }
  const http = vendorHttp(vendor)
  const defaultModel = settings.model ?? 'eleven_flash_v2_5'

  async function* speakByHttp(text: string, options: SpeakOptions, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    const { path, modelId, language, voiceSettings, rest } = spokenBy(options, defaultModel)
    const call = {
      path: `${path}/stream?output_format=pcm_${SPEECH_RATE_HZ}`,
      json: { ...rest, text, model_id: modelId, ...language, ...voiceSettings },
    }
    yield* http.speech(call, signal)
  }

  function speakBySocket(text: string, options: SpeakOptions, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    const { path, modelId, language, voiceSettings } = spokenBy(options, defaultModel)
    const query = new URLSearchParams({
      model_id: modelId,
      output_format: `pcm_${SPEECH_RATE_HZ}`,
      sync_alignment: 'true',
      auto_mode: 'true', // the text is complete: do not wait for more
      ...language,
    })
    const speech: SocketSpeech<Message> = {
      path: `${path}/stream-input?${query}`,
      sent: [{ text: ' ', ...voiceSettings }, { text: `${text} ` }, { text: '' }],
      read(message) {
        if (message.error !== undefined) throw failure(message)
        const isLast = message.isFinal === true
        if (!message.audio) return { isLast }
        const words = message.alignment?.chars?.join('').trim()
        const pcm = samplesOf(Buffer.from(message.audio, 'base64'))
        return { frame: { pcm, rateHz: SPEECH_RATE_HZ, ...(words ? { words } : {}) }, isLast }
      },
    }
    return socketSpeech(vendor, speech, signal)
  }

  function failure({ error = '', message = '' }: Message): VendorError {
    if (vendor.isUnknownVoice?.(0, error)) return new VendorError('voice_not_found', {})
    if (/api_key|auth/.test(error)) return new VendorError('service_key_refused', { service: 'ElevenLabs' })
    const cause = new Error(withoutKey(vendor, `${error} ${message}`))
    return new VendorError('service_refused', { service: 'ElevenLabs' }, { cause })
  }

  return {
    name: 'elevenlabs',

    voices: (signal) =>
      voicePages(async (after) => {
        const query = new URLSearchParams({ page_size: '100', ...(after ? { next_page_token: after } : {}) })
        const answer = (await http.json({ path: `/v2/voices?${query}` }, limits.voiceList, signal)) as VoicePage
        if (!Array.isArray(answer.voices)) throw new VendorError('service_no_voices', { service: 'ElevenLabs' })
        return { voices: answer.voices.map(toVoice), after: answer.has_more ? answer.next_page_token : null }
      }),

    speak(text, options, signal) {
      if (settings.transport !== 'websocket') return speakByHttp(text, options, signal)
      return retried(vendor, () => speakBySocket(text, options, signal), signal)
    },

    close: () => http.close(),
  }
}

/** The path of a request, and what it says of the voice. */
function spokenBy(options: SpeakOptions, defaultModel: string) {
  const { model_id: model, voice_settings: voiceSettings, ...rest } = options.vendor ?? {}
  const modelId = typeof model === 'string' && model !== '' ? model : defaultModel
  // The models accept 0.7 to 1.2 and refuse anything else.
  const speed = options.speed === undefined ? {} : { speed: Math.min(1.2, Math.max(0.7, options.speed)) }
  const merged = { ...speed, ...(voiceSettings as object | undefined) }
  // The second-generation multilingual models detect the language and refuse a request that names it.
  const isTold = options.language !== undefined && !/multilingual_v[12]|monolingual/.test(modelId)
  const language: Record<string, string> = isTold ? { language_code: mainLanguage(options.language ?? '') } : {}
  return {
    path: `/v1/text-to-speech/${voicePath(options.voiceId)}`,
    modelId,
    language,
    voiceSettings: Object.keys(merged).length === 0 ? {} : { voice_settings: merged },
    rest,
  }
}

/** An id that could change the path is not a voice. */
function voicePath(id: string): string {
  if (!/^[\w-]{1,128}$/.test(id)) throw notFound('Voice')
  return id
}

function toVoice(voice: VendorVoice): Voice {
  const [first] = voice.verified_languages ?? []
  return {
    id: voice.voice_id,
    name: voice.name ?? voice.voice_id,
    language: voice.labels?.language ?? first?.locale ?? first?.language ?? 'mul', // BCP 47 "mul": several languages
    gender: genderOf(voice.labels?.gender),
    description: voice.description ?? null,
  }
}
