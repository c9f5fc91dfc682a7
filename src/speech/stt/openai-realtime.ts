// OpenAI realtime transcription: audio while it is spoken, text as it is recognized. The end of the utterance is ours, not the server's.
import { encodeUlaw } from '../../audio/g711.ts'
import { createResampler } from '../../audio/resample.ts'
import { pcmBytes } from '../../audio/wav.ts'
import { limits } from '../../base/outside/limits.ts'
import type { Stt, SttOptions, Transcript } from '../../voice/ports.ts'
import { openAiVendor } from '../openai-vendor.ts'
import { parsed, type Vendor, VendorError, type VendorSettings, withoutKey } from '../vendor-http.ts'
import { mainLanguage } from '../voice-lists.ts'
import { liveStt } from './live-protocol.ts'

type Message = {
  type?: string
  item_id?: string
  delta?: string
  transcript?: string
  error?: { type?: string; code?: string | null; message?: string }
}

/** Writes while it hears; the models of `/audio/transcriptions` write once the audio is committed. */
const DEFAULT_MODEL = 'gpt-realtime-whisper'
/** About 200 tokens, which is what the models read. */
const MAX_PROMPT = 600
const MAX_KEYWORDS = 100
/** Linear PCM is taken at this rate only. */
const PCM_RATE_HZ = 24_000
const TELEPHONE_RATE_HZ = 8_000

export function openAiRealtime(settings: VendorSettings): Stt {
  const vendor: Vendor = { ...openAiVendor(settings, 'The recognition server'), notFound: 'upstream' }
  const model = settings.model ?? DEFAULT_MODEL

  return liveStt({
    name: 'openai-realtime',
    vendor,
    utterance(rateHz, options) {
      const { format, encode, rest } = encoder(rateHz)
      const append = (bytes: Uint8Array) =>
        bytes.length === 0 ? [] : [JSON.stringify({ type: 'input_audio_buffer.append', audio: base64(bytes) })]
      return {
        path: '/realtime?intent=transcription',
        begin: [JSON.stringify({ type: 'session.update', session: sessionOf(model, format, options) })],
        audio: (pcm) => append(encode(pcm)),
        end: () => [...append(rest()), '{"type":"input_audio_buffer.commit"}'],
        read: reader(vendor),
      }
    },
  })
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** A telephone's 8 kHz as they came, in G.711; others at the one rate of linear PCM. */
function encoder(rateHz: number) {
  if (rateHz === TELEPHONE_RATE_HZ)
    return { format: { type: 'audio/pcmu' }, encode: encodeUlaw, rest: () => new Uint8Array(0) }
  const resampler = createResampler(rateHz, PCM_RATE_HZ)
  return {
    format: { type: 'audio/pcm', rate: PCM_RATE_HZ },
    encode: (pcm: Int16Array): Uint8Array => pcmBytes(resampler.push(pcm)),
    rest: (): Uint8Array => pcmBytes(resampler.end()),
  }
}

/** What each model takes differs: one without a prompt, some with keywords. */
function sessionOf(model: string, format: object, { language, hints = [], names = [], prompt = '' }: SttOptions) {
  const terms = [...hints, ...names]
  const takesKeywords = model.startsWith('gpt-transcribe') || model.startsWith('gpt-live-transcribe')
  const before = [takesKeywords ? '' : terms.join(', '), prompt.slice(-MAX_PROMPT)]
    .filter((part) => part !== '')
    .join('. ')
  const transcription = {
    model,
    language: mainLanguage(language),
    ...(takesKeywords && terms.length > 0 ? { keywords: terms.slice(0, MAX_KEYWORDS) } : {}),
    ...(before === '' || model.startsWith('gpt-realtime-whisper') ? {} : { prompt: before }),
  }
  // Endpointing is ours: the buffer is committed when the caller has paused.
  return { type: 'transcription', audio: { input: { format, transcription, turn_detection: null } } }
}

function reader(vendor: Vendor): (data: string) => Transcript | null {
  const service = vendor.name
  const texts = new Map<string, string>()
  let committed: string | undefined
  const soFar = () => [...texts.values()].join(' ').trim()
  return (data) => {
    const message = parsed(vendor, data, limits.transcript) as Message | null
    const { type = '', item_id: id = '' } = message ?? {}
    if (type === 'input_audio_buffer.committed') committed = id
    else if (type === 'conversation.item.input_audio_transcription.delta') {
      texts.set(id, (texts.get(id) ?? '') + (message?.delta ?? ''))
      return { text: soFar(), isFinal: false }
    } else if (type === 'conversation.item.input_audio_transcription.completed') {
      if (typeof message?.transcript !== 'string') throw new VendorError('service_no_text', { service })
      texts.set(id, message.transcript)
      return { text: soFar(), isFinal: committed === undefined || committed === id }
    } else if (type === 'conversation.item.input_audio_transcription.failed')
      throw new VendorError('service_not_recognised', { service }, { cause: causeOf(vendor, message) })
    else if (type === 'error') {
      // Less audio than a tenth of a second: there is nothing to hear.
      if (message?.error?.code === 'input_audio_buffer_commit_empty') return { text: '', isFinal: true }
      throw failureOf(vendor, message)
    } else if (type === '') throw new VendorError('service_protocol', { service })
    return null
  }
}

const causeOf = (vendor: Vendor, message: Message | null) =>
  new Error(withoutKey(vendor, message?.error?.message ?? ''))

function failureOf(vendor: Vendor, message: Message | null): VendorError {
  const { type = '', code } = message?.error ?? {}
  const service = vendor.name
  const cause = causeOf(vendor, message)
  if (code === 'invalid_api_key' || type === 'authentication_error')
    return new VendorError('service_key_refused', { service })
  if (type.startsWith('rate_limit') || code === 'rate_limit_exceeded' || code === 'insufficient_quota')
    return new VendorError('service_rate_limited', { service }, { cause })
  if (code === 'model_not_found') return new VendorError('service_no_model', { service }, { cause })
  const isPassing = type === 'server_error'
  return isPassing
    ? new VendorError('service_failed_half_way', { service }, { cause, isPassing })
    : new VendorError('service_refused', { service }, { cause })
}
