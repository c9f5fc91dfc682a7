// OpenAI-compatible speech synthesis.
import { limits } from '../../base/outside/limits.ts'
import type { Tts, Voice } from '../../voice/ports.ts'
import { openAiVendor } from '../openai-vendor.ts'
import { headersOf, type Vendor, VendorError, type VendorSettings, vendorHttp } from '../vendor-http.ts'

type OpenAiSpeechSettings = VendorSettings & {
  /** The voices to offer when the server does not list its own. */
  voices?: readonly string[]
}

const openAiVoices = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse']

export function openAiSpeech(settings: OpenAiSpeechSettings): Tts & { close(): Promise<void> } {
  const vendor: Vendor = {
    ...openAiVendor(settings, 'The speech server'),
    isUnknownVoice: (status, answer) => (status === 400 || status === 422) && /voice/i.test(answer),
  }
  const http = vendorHttp(vendor)

  return {
    name: 'openai',

    async voices(signal) {
      signal.throwIfAborted()
      headersOf(vendor) // listing voices that cannot be used is pointless
      const known = (settings.voices ?? openAiVoices).map(toVoice)
      if (!vendor.isKeyOptional || settings.voices) return known
      try {
        const answer = (await http.json({ path: '/audio/voices' }, limits.voiceList, signal)) as { voices?: unknown }
        return Array.isArray(answer.voices) ? answer.voices.map(toVoice) : known
      } catch (error) {
        // OpenAI's protocol has no voice list; servers that add one serve it here.
        if (error instanceof VendorError && error.kind === 'not_found') return known
        throw error
      }
    },

    speak(text, { voiceId, speed, vendor: own = {} }, signal) {
      const call = {
        path: '/audio/speech',
        json: {
          model: typeof own.model === 'string' ? own.model : (settings.model ?? 'gpt-4o-mini-tts'),
          input: text,
          voice: voiceId,
          response_format: 'pcm', // 24 kHz
          ...(speed === undefined ? {} : { speed: Math.min(4, Math.max(0.25, speed)) }),
          ...(typeof own.instructions === 'string' ? { instructions: own.instructions } : {}),
        },
      }
      return http.speech(call, signal)
    },

    close: () => http.close(),
  }
}

function toVoice(entry: unknown): Voice {
  const given = (typeof entry === 'string' ? { id: entry } : entry) as { id?: string; name?: string; language?: string }
  const id = given.id ?? given.name ?? ''
  return { id, name: given.name ?? id, language: given.language ?? 'mul', gender: null, description: null }
}
