// Audio for a caller on hold during a transfer: the owner's music from a URL, or a ringback tone.

import type { GuardedHttp } from '../base/outside/http-port.ts'
import type { AudioFrame } from '../voice/ports.ts'

export type ReadSound = (bytes: Buffer) => { pcm: Int16Array; rateHz: number }

const MAX_BYTES = 10_485_760
/** After this the caller hears ringback instead. */
const TIMEOUT_MS = 3000
const RATE_HZ = 8000
const RING_HZ = 425 // ITU-T E.180: most of the world
const RING_SECONDS = 1
const PAUSE_SECONDS = 4
const AMPLITUDE = 2000
const FRAME_MS = 100

/** Endless. */
export async function* ringing(): AsyncGenerator<AudioFrame> {
  const pcm = new Int16Array(RATE_HZ * (RING_SECONDS + PAUSE_SECONDS))
  for (let i = 0; i < RATE_HZ * RING_SECONDS; i++)
    pcm[i] = Math.round(AMPLITUDE * Math.sin((2 * Math.PI * RING_HZ * i) / RATE_HZ))
  yield* repeated({ pcm, rateHz: RATE_HZ })
}

/** Fetched once; each call starts from the beginning. Falls back to ringback if it is late or not a WAV file. */
export function holdMusic(
  url: string,
  { http, readSound }: { http: GuardedHttp; readSound: ReadSound },
  signal: AbortSignal,
): () => AsyncGenerator<AudioFrame> {
  const coming = fetched(url, http, readSound, signal).catch(() => null)
  return async function* () {
    const sound = await coming
    yield* sound && sound.pcm.length >= sound.rateHz ? repeated(sound) : ringing()
  }
}

async function fetched(url: string, http: GuardedHttp, readSound: ReadSound, signal: AbortSignal) {
  const answer = await http.request({ url, method: 'GET', maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS }, signal)
  return answer.status === 200 ? readSound(answer.body) : null
}

async function* repeated({ pcm, rateHz }: { pcm: Int16Array; rateHz: number }): AsyncGenerator<AudioFrame> {
  const size = Math.max(1, Math.round((rateHz * FRAME_MS) / 1000))
  for (;;) for (let at = 0; at < pcm.length; at += size) yield { pcm: pcm.subarray(at, at + size), rateHz }
}
