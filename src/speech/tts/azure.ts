// Azure speech synthesis: SSML over REST with streamed PCM, and short-lived tokens for clients.

import { limits } from '../../base/outside/limits.ts'
import { nowMs, toIso } from '../../base/time/clock.ts'
import type { SpeakOptions, Tts, Voice } from '../../voice/ports.ts'
import { type Vendor, VendorError, type VendorSettings, vendorHttp } from '../vendor-http.ts'
import { genderOf } from '../voice-lists.ts'

/** `baseUrl` replaces the region's own addresses, for both speech and tokens. */
type AzureSettings = VendorSettings & {
  /** For example brazilsouth. */
  region?: string | null
}

type VendorVoice = {
  ShortName: string
  DisplayName?: string
  LocalName?: string
  Locale: string
  Gender?: string
  StyleList?: string[]
}

const TOKEN_MS = 10 * 60_000 // as documented by Azure

export function azure(settings: AzureSettings): Tts & {
  token(signal: AbortSignal): Promise<{ token: string; expiresAt: string; url: string }>
  close(): Promise<void>
} {
  const region = settings.region ?? ''
  const vendor: Vendor = {
    ...settings,
    name: 'Azure Speech',
    apiKey: settings.region || settings.baseUrl ? settings.apiKey : null, // a key is useless without an address
    baseUrl: settings.baseUrl ?? `https://${region}.tts.speech.microsoft.com`,
    headers: (apiKey) => ({ 'ocp-apim-subscription-key': apiKey }),
    isUnknownVoice: (status, answer) => status === 400 && /voice/i.test(answer),
  }
  const http = vendorHttp(vendor)
  const tokenVendor = { ...vendor, baseUrl: settings.baseUrl ?? `https://${region}.api.cognitive.microsoft.com` }
  const tokens = vendorHttp(tokenVendor)
  const speechPath = '/cognitiveservices/v1'

  return {
    name: 'azure',

    async voices(signal) {
      const list = await http.json({ path: '/cognitiveservices/voices/list' }, limits.voiceList, signal)
      if (!Array.isArray(list)) throw new VendorError('service_no_voices', { service: 'Azure Speech' })
      return (list as VendorVoice[]).map(toVoice)
    },

    speak(text, options, signal) {
      const call = {
        path: speechPath,
        headers: {
          'content-type': 'application/ssml+xml',
          'x-microsoft-outputformat': 'raw-24khz-16bit-mono-pcm',
          'user-agent': 'ramal',
        },
        body: ssmlOf(text, options),
      }
      return http.speech(call, signal)
    },

    async token(signal) {
      const asked = nowMs()
      const token = await tokens.text({ path: '/sts/v1.0/issueToken', body: '' }, limits.tokenAnswer, signal)
      if (!/^[\w.~+/=-]{8,}$/.test(token)) throw new VendorError('service_no_token', { service: 'Azure Speech' })
      return { token, expiresAt: toIso(asked + TOKEN_MS), url: vendor.baseUrl + speechPath }
    },

    async close() {
      await Promise.all([http.close(), tokens.close()])
    },
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Control characters and lone surrogates are not allowed in XML 1.0, not even escaped. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (mark) => entities[mark] ?? '')

export function ssmlOf(text: string, { voiceId, language, speed }: SpeakOptions): string {
  const locale = language ?? /^[a-z]{2,3}-(?:[A-Z][a-z]{3}-)?[A-Z]{2}/.exec(voiceId)?.[0] ?? 'en-US'
  const percent = speed === undefined ? 0 : Math.round((Math.min(2, Math.max(0.5, speed)) - 1) * 100)
  const rate = percent === 0 ? '' : `${percent > 0 ? '+' : ''}${percent}%`
  const spoken = rate === '' ? escaped(text) : `<prosody rate="${rate}">${escaped(text)}</prosody>`
  return (
    `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${escaped(locale)}">` +
    `<voice name="${escaped(voiceId)}">${spoken}</voice></speak>`
  )
}

function toVoice(voice: VendorVoice): Voice {
  return {
    id: voice.ShortName,
    name: voice.LocalName ?? voice.DisplayName ?? voice.ShortName,
    language: voice.Locale,
    gender: genderOf(voice.Gender),
    description: voice.StyleList?.length ? voice.StyleList.join(', ') : null,
  }
}
