// Deepgram speech recognition: streaming audio, interim transcripts, one final transcript.
import { pcmBytes } from '../../audio/wav.ts'
import { limits } from '../../base/outside/limits.ts'
import type { Stt, Transcript } from '../../voice/ports.ts'
import { parsed, type Vendor, VendorError, type VendorSettings } from '../vendor-http.ts'
import { liveStt } from './live-protocol.ts'

type DeepgramSettings = VendorSettings & {
  /** Deepgram disconnects after 10 s without audio or a keep-alive. */
  keepAliveMs?: number
}

type Message = {
  type: string
  is_final?: boolean
  from_finalize?: boolean
  channel?: { alternatives?: { transcript?: string; confidence?: number }[] }
  description?: string
}

/** Deepgram takes 100 key terms of and 500 tokens in all (two letters to a token is our estimate). */
const MAX_KEY_TERMS = 100
const MAX_KEY_LETTERS = 1000

function keyTermsOf(hints: readonly string[]): string[] {
  const out: string[] = []
  let letters = 0
  for (const hint of hints.slice(0, MAX_KEY_TERMS)) {
    letters += hint.length
    if (letters <= MAX_KEY_LETTERS) out.push(hint)
  }
  return out
}

type Part = { text: string; confidence: number }
const whole = (parts: readonly Part[]) => parts.map((part) => part.text).join(' ')

export function deepgram(settings: DeepgramSettings): Stt {
  const vendor: Vendor = {
    ...settings,
    name: 'Deepgram',
    baseUrl: settings.baseUrl ?? 'https://api.deepgram.com',
    headers: (apiKey) => ({ authorization: `Token ${apiKey}` }),
    notFound: 'upstream',
  }
  const model = settings.model ?? 'nova-3'

  function pathOf(rateHz: number, language: string, hints: readonly string[]): string {
    const query = new URLSearchParams({
      model,
      language,
      encoding: 'linear16',
      sample_rate: String(rateHz),
      channels: '1',
      interim_results: 'true',
      smart_format: 'true',
      endpointing: 'false', // endpointing is ours
    })
    // The third generation takes key terms, earlier ones keywords. There is no field for what was said before.
    for (const hint of keyTermsOf(hints)) query.append(model.startsWith('nova-3') ? 'keyterm' : 'keywords', hint)
    return `/v1/listen?${query}`
  }

  return liveStt({
    name: 'deepgram',
    vendor,
    keepAlive: { everyMs: settings.keepAliveMs ?? 4_000, message: '{"type":"KeepAlive"}' },
    utterance: (rateHz, { language, hints = [], names = [] }) => ({
      // Key terms are billed: names of the call follow those that somebody asked for.
      path: pathOf(rateHz, language, hints.length > 0 ? [...hints, ...names] : []),
      audio: (pcm) => [pcmBytes(pcm)],
      end: () => ['{"type":"Finalize"}', '{"type":"CloseStream"}'],
      read: reader(vendor),
    }),
  })
}

function reader(vendor: Vendor): (data: string) => Transcript | null {
  const parts: Part[] = []
  const final = (): Transcript => {
    const confidence = Math.min(1, ...parts.map((part) => part.confidence))
    return { text: whole(parts), isFinal: true, ...(parts.length === 0 ? {} : { confidence }) }
  }
  return (data) => {
    const message = parsed(vendor, data, limits.transcript) as Message
    if (message.type === 'Error') throw new VendorError('service_not_recognised', { service: vendor.name })
    if (message.type === 'Metadata') return final() // sent last, after CloseStream
    if (message.type !== 'Results') return null
    const best = message.channel?.alternatives?.[0]
    const part = { text: best?.transcript?.trim() ?? '', confidence: best?.confidence ?? 1 }
    if (message.is_final && part.text !== '') parts.push(part)
    if (message.from_finalize) return final()
    return part.text === '' ? null : { text: whole(message.is_final ? parts : [...parts, part]), isFinal: false }
  }
}
