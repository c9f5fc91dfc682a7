// Speech for the REST API: voices with a preview, and audio as a WAV stream that starts before synthesis ends.

import { pcmBytes, wavHeader } from '../audio/wav.ts'
import type { TokenSigner } from '../base/crypto/tokens.ts'
import { appError, notFound } from '../base/errors/errors.ts'
import { toIso } from '../base/time/clock.ts'
import type { Audio, SpeakOptions, Tts, Voice } from '../voice/ports.ts'
import { languageOf, previewText } from './catalog.ts'
import type { VendorToken } from './registry.ts'

type Provider = 'provider_a' | 'provider_b' | 'provider_c'
type Request = { text: string; voiceId: string; speed?: number; modelId?: string; language?: string }

export type ApiSpeechParts = {
  slots: Readonly<Record<Provider, Tts & { token?(signal: AbortSignal): Promise<VendorToken> }>>
  /** The providers as one user may use them. */
  slotsFor: (userId: string) => ApiSpeechParts['slots']
  tokens: TokenSigner
  /** Public address of this server; null: paths only. */
  publicUrl: string | null
}

const TOKEN_MS = 10 * 60_000
const VOICES_MS = 15_000

export function speechForApi({ slots, slotsFor, tokens, publicUrl }: ApiSpeechParts) {
  const at = (path: string) => `${publicUrl ?? ''}${path}`

  const record = (provider: Provider, isDefault: boolean) => (voice: Voice) => ({
    ...voice,
    voiceId: voice.id,
    provider,
    languages: [voice.language],
    category: slots[provider].name === 'embedded' ? 'local' : 'premade',
    previewUrl: at(`/api/tts/${provider}/preview?voiceId=${encodeURIComponent(voice.id)}`),
    isDefault,
  })

  async function speak(provider: Provider, { text, ...request }: Request, signal: AbortSignal, userId: string) {
    const { voiceId, speed, language, modelId } = request
    const options: SpeakOptions = { voiceId, speed, language, ...(modelId ? { vendor: { model_id: modelId } } : {}) }
    return { type: 'audio/wav', audio: wavStream(slotsFor(userId)[provider].speak(text, options, signal)) }
  }

  return {
    async voices(provider: Provider) {
      const voices = await slots[provider].voices(AbortSignal.timeout(VOICES_MS))
      return voices.map((voice, i) => record(provider, i === 0)(voice))
    },

    /** The vendor's own preview if provider_b is bound to a vendor that has one; ours otherwise. */
    async token(keyId: string, userId: string): Promise<VendorToken> {
      const { name, token } = slotsFor(userId).provider_b
      if (name === 'embedded') await slots.provider_b.voices(AbortSignal.timeout(VOICES_MS)) // throws if no engine is available
      if (token) return token(AbortSignal.timeout(VOICES_MS))
      if (name !== 'embedded') throw appError('service_no_tokens', { service: name })
      const issued = tokens.issue(`${keyId} ${userId}`, TOKEN_MS)
      return { token: issued.token, expiresAt: toIso(issued.expiresMs), url: at('/api/tts/provider_b/stream') }
    },

    speak,

    async preview(provider: Provider, voiceId: string | undefined, signal: AbortSignal, userId: string) {
      const voices = await slots[provider].voices(AbortSignal.timeout(VOICES_MS))
      const voice = voiceId === undefined ? voices[0] : voices.find((v) => v.id === voiceId)
      if (!voice) throw notFound('Voice')
      const text = previewText[languageOf(voice.language)] ?? (previewText.en as string)
      return speak(provider, { text, voiceId: voice.id }, signal, userId)
    },
  }
}

/** The header is sent with the first audio, so an earlier failure is an error response and not a broken stream. */
async function* wavStream(audio: Audio): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const { pcm, rateHz } of audio) {
    yield isFirst ? Buffer.concat([wavHeader(rateHz), pcmBytes(pcm)]) : pcmBytes(pcm)
    isFirst = false
  }
}
