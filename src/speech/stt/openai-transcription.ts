// OpenAI-compatible speech recognition: one WAV file per utterance.
import { FormData } from 'undici'
import { joinPcm } from '../../audio/pcm.ts'
import { wavFile } from '../../audio/wav.ts'
import { appError } from '../../base/errors/errors.ts'
import { limits } from '../../base/outside/limits.ts'
import type { Audio, Stt } from '../../voice/ports.ts'
import { openAiVendor } from '../openai-vendor.ts'
import { type Vendor, VendorError, type VendorSettings, vendorHttp } from '../vendor-http.ts'
import { mainLanguage } from '../voice-lists.ts'

/** About 200 tokens, which is what the models read. */
const MAX_PROMPT = 600
const LIMIT_BYTES = 25 * 1024 * 1024 // OpenAI's own limit

export function openAiTranscription(settings: VendorSettings): Stt & { close(): Promise<void> } {
  // Transcription has no voices: a 404 means a wrong address or model.
  const vendor: Vendor = { ...openAiVendor(settings, 'The recognition server'), notFound: 'upstream' }
  const http = vendorHttp(vendor)

  return {
    name: 'openai',

    async *transcribe(audio, { language, hints = [], names = [], prompt = '' }, signal) {
      const wav = await wavOf(audio, signal)
      if (signal.aborted) return
      if (wav === null) {
        yield { text: '', isFinal: true }
        return
      }
      const form = new FormData()
      form.set('file', new Blob([wav], { type: 'audio/wav' }), 'utterance.wav')
      form.set('model', settings.model ?? 'gpt-4o-mini-transcribe')
      form.set('language', mainLanguage(language))
      form.set('response_format', 'json')
      // The question last: the model takes it for the text before the audio, and reads only its end.
      const before = [[...hints, ...names].join(', '), prompt.slice(-MAX_PROMPT)]
        .filter((part) => part !== '')
        .join('. ')
      if (before !== '') form.set('prompt', before)
      try {
        const answer = await http.json({ path: '/audio/transcriptions', body: form }, limits.transcript, signal)
        const text = (answer as { text?: unknown } | null)?.text
        if (typeof text !== 'string') throw new VendorError('service_no_text', { service: vendor.name })
        yield { text: text.trim(), isFinal: true }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },

    close: () => http.close(),
  }
}

/** The utterance as a WAV file of 16-bit mono PCM, or null if it has no samples. */
async function wavOf(audio: Audio, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Int16Array[] = []
  let size = 0
  let rateHz = 0
  for await (const frame of audio) {
    if (signal.aborted) return null
    rateHz ||= frame.rateHz
    if (frame.rateHz !== rateHz) throw appError('utterance_rate_changes')
    parts.push(frame.pcm.slice())
    size += frame.pcm.byteLength
    if (size > LIMIT_BYTES) throw appError('utterance_too_long')
  }
  return size === 0 ? null : new Uint8Array(wavFile(joinPcm(parts), rateHz))
}
