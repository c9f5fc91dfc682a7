// LRU cache of synthesized speech, keyed by the request and bounded by size.
import { createHash } from 'node:crypto'
import type { AudioFrame, SpeakOptions } from '../../voice/ports.ts'

export type SpeechCache = {
  get(key: string): readonly AudioFrame[] | undefined
  put(key: string, frames: readonly AudioFrame[]): void
  readonly bytes: number
}

const MAX_SHARE = 0.1 // one phrase may take a tenth of the cache, or it would evict everything else

export function speechCache(maxBytes: number): SpeechCache {
  const entries = new Map<string, readonly AudioFrame[]>()
  const sizeOf = (frames: readonly AudioFrame[]) => frames.reduce((sum, frame) => sum + frame.pcm.byteLength, 0)
  let bytes = 0
  const forget = (key: string) => {
    const frames = entries.get(key)
    if (frames && entries.delete(key)) bytes -= sizeOf(frames)
  }
  return {
    get(key) {
      const frames = entries.get(key)
      if (frames) {
        entries.delete(key)
        entries.set(key, frames)
      }
      return frames
    },
    put(key, frames) {
      const size = sizeOf(frames)
      if (size > maxBytes * MAX_SHARE) return
      forget(key)
      entries.set(key, frames)
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        forget(oldest)
      }
    },
    get bytes() {
      return bytes
    },
  }
}

/** Two requests have the same key only if they would sound the same. */
export function cacheKey(engine: string, text: string, options: SpeakOptions): string {
  const { voiceId, language = null, speed = 1, vendor = null } = options
  return createHash('sha256')
    .update(JSON.stringify([engine, voiceId, language, speed, vendor, text]))
    .digest('base64url')
}
