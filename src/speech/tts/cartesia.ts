// Cartesia speech synthesis: bytes over HTTP, or its WebSocket where word timestamps are needed.
import { randomUUID } from 'node:crypto'
import { notFound } from '../../base/errors/errors.ts'
import { limits } from '../../base/outside/limits.ts'
import type { AudioFrame, SpeakOptions, Tts, Voice } from '../../voice/ports.ts'
import {
  refusal,
  retried,
  SPEECH_RATE_HZ,
  samplesOf,
  type Vendor,
  VendorError,
  type VendorSettings,
  vendorHttp,
} from '../vendor-http.ts'
import { genderOf, mainLanguage, voicePages } from '../voice-lists.ts'
import { type SocketSpeech, socketSpeech } from './socket-speech.ts'

type CartesiaSettings = VendorSettings & { transport?: 'http' | 'websocket' }

type VendorVoice = {
  id: string
  name: string
  description?: string | null
  tagline?: string | null
  language: string
  gender?: string | null
  locales?: { locale: string; is_native: boolean }[] | null
}
type VoicePage = { data?: VendorVoice[]; has_more?: boolean }
type Message = {
  type: string
  context_id?: string
  data?: string
  status_code?: number
  title?: string
  message?: string
  error_code?: string
  word_timestamps?: { words: string[]; start: number[] } | null
}

const VERSION = '2026-08-14' // the version that its own client uses (@cartesia/cartesia-js 4.2)
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function cartesia(settings: CartesiaSettings): Tts & { close(): Promise<void> } {
  const vendor: Vendor = {
    ...settings,
    name: 'Cartesia',
    baseUrl: settings.baseUrl ?? 'https://api.cartesia.ai',
    headers: (apiKey) => ({ authorization: `Bearer ${apiKey}`, 'cartesia-version': VERSION }),
    isUnknownVoice: (_, answer) => /voice_not_found/.test(answer),
  }
  const http = vendorHttp(vendor)

  function bodyOf(text: string, options: SpeakOptions) {
    if (!uuid.test(options.voiceId)) throw notFound('Voice')
    const { modelId, model_id: model = modelId, generation_config: config, ...rest } = options.vendor ?? {}
    // The models accept 0.6 to 1.5 and refuse anything else.
    const speed = options.speed === undefined ? {} : { speed: Math.min(1.5, Math.max(0.6, options.speed)) }
    const merged = { ...speed, ...(config as object | undefined) }
    return {
      ...rest,
      transcript: text,
      model_id: typeof model === 'string' && model !== '' ? model : (settings.model ?? 'sonic-3'),
      voice: { id: options.voiceId },
      output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: SPEECH_RATE_HZ },
      ...(options.language ? { language: mainLanguage(options.language) } : {}),
      ...(Object.keys(merged).length === 0 ? {} : { generation_config: merged }),
    }
  }

  async function* speakByHttp(text: string, options: SpeakOptions, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    yield* http.speech({ path: '/tts/bytes', json: bodyOf(text, options) }, signal)
  }

  function speakBySocket(text: string, options: SpeakOptions, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    const words = wordTimes()
    const speech: SocketSpeech<Message> = {
      path: '/tts/websocket',
      sent: [{ ...bodyOf(text, options), context_id: randomUUID(), add_timestamps: true, continue: false }],
      read(message) {
        if (message.type === 'error') throw failure(message)
        if (message.type === 'timestamps') words.add(message.word_timestamps)
        const isLast = message.type === 'done'
        if (message.type !== 'chunk' || !message.data) return { isLast }
        const pcm = samplesOf(Buffer.from(message.data, 'base64'))
        return { frame: { pcm, rateHz: SPEECH_RATE_HZ, ...words.until(pcm.length / SPEECH_RATE_HZ) }, isLast }
      },
    }
    return socketSpeech(vendor, speech, signal)
  }

  const failure = (message: Message) =>
    refusal(vendor, message.status_code ?? 0, `${message.error_code} ${message.title} ${message.message}`)

  return {
    name: 'cartesia',

    voices: (signal) =>
      voicePages(async (after) => {
        const query = new URLSearchParams({ limit: '100', ...(after ? { starting_after: after } : {}) })
        const answer = (await http.json({ path: `/voices?${query}` }, limits.voiceList, signal)) as VoicePage
        if (!Array.isArray(answer.data)) throw new VendorError('service_no_voices', { service: 'Cartesia' })
        return { voices: answer.data.map(toVoice), after: answer.has_more ? answer.data.at(-1)?.id : null }
      }),

    speak(text, options, signal) {
      if (settings.transport !== 'websocket') return speakByHttp(text, options, signal)
      return retried(vendor, () => speakBySocket(text, options, signal), signal)
    },

    close: () => http.close(),
  }
}

/**
 * Word timestamps come in separate messages, before or after their audio: each word goes with the first frame that can
 * carry it.
 */
function wordTimes() {
  const waiting: { word: string; start: number }[] = []
  let heard = 0
  return {
    add(times: Message['word_timestamps']) {
      for (const [i, word] of (times?.words ?? []).entries()) waiting.push({ word, start: times?.start[i] ?? 0 })
    },
    until(seconds: number): { words?: string } {
      heard += seconds
      const count = waiting.findIndex(({ start }) => start >= heard)
      const due = waiting.splice(0, count === -1 ? waiting.length : count)
      return due.length === 0 ? {} : { words: due.map(({ word }) => word).join(' ') }
    },
  }
}

function toVoice(voice: VendorVoice): Voice {
  const native = voice.locales?.find((locale) => locale.is_native)?.locale
  return {
    id: voice.id,
    name: voice.name,
    language: native ?? voice.language,
    gender: genderOf(voice.gender),
    description: voice.description || voice.tagline || null,
  }
}
