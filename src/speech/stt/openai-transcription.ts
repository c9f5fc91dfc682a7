// OpenAI-compatible speech recognition: one WAV file per utterance.
import { FormData } from 'undici'
import { AppError } from '../../base/errors.ts'
import type { Audio, Stt } from '../../voice/ports.ts'
import { type Vendor, VendorError, type VendorTimeouts, vendorHttp } from '../vendor-http.ts'

export type OpenAiTranscriptionSettings = {
  apiKey: string | null
  /** Base URL with its version: https://api.openai.com/v1 */
  baseUrl?: string
  model?: string
  timeouts?: Partial<VendorTimeouts>
}

const openAiUrl = 'https://api.openai.com/v1'
const LIMIT_BYTES = 25 * 1024 * 1024 // OpenAI's own limit

export function openAiTranscription(settings: OpenAiTranscriptionSettings): Stt & { close(): Promise<void> } {
  const baseUrl = settings.baseUrl ?? openAiUrl
  const vendor: Vendor = {
    name: baseUrl === openAiUrl ? 'OpenAI' : 'The recognition server',
    apiKey: settings.apiKey,
    baseUrl,
    headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    isKeyOptional: baseUrl !== openAiUrl,
    // Transcription has no voices: a 404 means a wrong address or model.
    notFound: 'upstream',
    timeouts: settings.timeouts,
  }
  const http = vendorHttp(vendor)

  return {
    name: 'openai',

    async *transcribe(audio, { language, hints }, signal) {
      const wav = await wavOf(audio, signal)
      if (signal.aborted) return
      if (wav === null) {
        yield { text: '', isFinal: true }
        return
      }
      const form = new FormData()
      form.set('file', new Blob([wav], { type: 'audio/wav' }), 'utterance.wav')
      form.set('model', settings.model ?? 'gpt-4o-mini-transcribe')
      form.set('language', language.split('-')[0]?.toLowerCase() ?? language)
      form.set('response_format', 'json')
      if (hints?.length) form.set('prompt', hints.join(', '))
      try {
        const answer = await http.json({ path: '/audio/transcriptions', body: form }, signal)
        const text = (answer as { text?: unknown } | null)?.text
        if (typeof text !== 'string') throw new VendorError('upstream', `${vendor.name} gave no text`)
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
  const pieces: Buffer[] = []
  let size = 0
  let rateHz = 0
  for await (const frame of audio) {
    if (signal.aborted) return null
    rateHz ||= frame.rateHz
    if (frame.rateHz !== rateHz) throw new AppError('invalid', 'The rate changes within one utterance')
    pieces.push(Buffer.from(frame.pcm.slice().buffer))
    size += frame.pcm.byteLength
    if (size > LIMIT_BYTES) throw new AppError('too_large', 'The utterance is too long')
  }
  if (size === 0) return null
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20) // PCM
  head.writeUInt16LE(1, 22) // one channel
  head.writeUInt32LE(rateHz, 24)
  head.writeUInt32LE(2 * rateHz, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(size, 40)
  return new Uint8Array(Buffer.concat([head, ...pieces]))
}
