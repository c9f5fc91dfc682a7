// The natural voice for tests on machines of any speed: its speech is synthesized before the call and stored in the
// cache that the platform checks first.
import { resample } from '../../src/audio/resample.ts'
import { openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { normalize } from '../../src/speech/text/normalize.ts'
import { type SpeechCache, speechCache } from '../../src/speech/tts/cache.ts'
import { cachedTts } from '../../src/speech/tts/cached.ts'
import type { TestApp } from '../app.ts'
import { listen, preparedKokoro } from '../prepared-kokoro.ts'
import { until } from '../until.ts'

const CACHE_BYTES = 67_108_864
const LANGUAGE = 'pt-BR'
export const voiceIds = { female: 'pf_dora', male: 'pm_alex' } as const
const never = new AbortController().signal

export type NaturalSpeech = {
  /** For an app's `speechCache` override. */
  readonly cache: SpeechCache
  /** The words at telephone sample rate; an app with this cache has them already. */
  says(text: string, gender?: keyof typeof voiceIds): Promise<Int16Array>
  close(): Promise<void>
}

export async function openNaturalSpeech(): Promise<NaturalSpeech> {
  const cache = speechCache(CACHE_BYTES)
  const kokoro = await openKokoroTts(await preparedKokoro())
  const voice = cachedTts(kokoro, cache)
  return {
    cache,
    async says(text, gender = 'female') {
      const options = { voiceId: voiceIds[gender], language: LANGUAGE }
      const { pcm, rateHz } = await listen(voice.speak(normalize(text, LANGUAGE), options, never))
      return resample(pcm, rateHz, 8000)
    },
    close: () => kokoro.close(),
  }
}

/** As long as a test may take: a slow voice is not a failure. */
const READY_MS = 600_000

export const naturalVoiceReady = (app: Pick<TestApp, 'logs'>): Promise<true> =>
  until('the natural voice is ready', () => app.logs().includes('natural voice ready'), READY_MS)
