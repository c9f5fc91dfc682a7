import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AudioFrame, Tts } from '../../voice/ports.ts'
import { cacheKey, speechCache } from './cache.ts'
import { cachedTts } from './cached.ts'

const frame = (samples: number): AudioFrame => ({ pcm: new Int16Array(samples).fill(2000), rateHz: 8000 })

/** Yields two frames per word and counts the requests. */
function counting(samples = 400) {
  const asked: string[] = []
  const tts: Tts = {
    name: 'counting',
    voices: async () => [],
    async *speak(text, _options, signal) {
      asked.push(text)
      for (const _ of text.split(' ')) {
        yield frame(samples)
        if (signal.aborted) return
        yield frame(samples)
      }
    },
  }
  return { asked, tts }
}

async function hear(tts: Tts, text: string, options = { voiceId: 'v' }): Promise<number> {
  let frames = 0
  for await (const _ of tts.speak(text, options, new AbortController().signal)) frames++
  return frames
}

test('a phrase is synthesised once and then played from the cache, frame for frame the same', async () => {
  const { asked, tts } = counting()
  const quick = cachedTts(tts, speechCache(100_000))
  assert.deepEqual([await hear(quick, 'two words'), await hear(quick, 'two words')], [4, 4])
  assert.deepEqual(asked, ['two words'])
})

test('a different voice, speed, language or vendor setting is a different cache key', () => {
  const keys = [
    cacheKey('e', 't', { voiceId: 'a' }),
    cacheKey('e', 't', { voiceId: 'b' }),
    cacheKey('e', 't', { voiceId: 'a', speed: 1.5 }),
    cacheKey('e', 't', { voiceId: 'a', language: 'en' }),
    cacheKey('e', 't', { voiceId: 'a', vendor: { model_id: 'm' } }),
    cacheKey('f', 't', { voiceId: 'a' }),
    cacheKey('e', 'u', { voiceId: 'a' }),
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(cacheKey('e', 't', { voiceId: 'a' }), cacheKey('e', 't', { voiceId: 'a', speed: 1 }))
})

test('a phrase that was not played to its end is not cached', async () => {
  const { asked, tts } = counting()
  const quick = cachedTts(tts, speechCache(100_000))
  for await (const _ of quick.speak('cut off here', { voiceId: 'v' }, new AbortController().signal)) break
  const stopped = new AbortController()
  for await (const _ of quick.speak('cut off here', { voiceId: 'v' }, stopped.signal)) stopped.abort()
  assert.equal(await hear(quick, 'cut off here'), 6)
  assert.equal(asked.length, 3)
})

test('a phrase that ended too soon for its text is not cached', async () => {
  const { asked, tts } = counting(10)
  const quick = cachedTts(tts, speechCache(100_000))
  for (let i = 0; i < 2; i++) await hear(quick, 'two words')
  assert.equal(asked.length, 2)
})

test('the cache stays within its size: least recently used first out, oversized phrases never stored', () => {
  const cache = speechCache(1000)
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) cache.put(key, [frame(50)])
  assert.equal(cache.bytes, 1000)
  cache.get('a')
  cache.put('k', [frame(50)])
  assert.ok(cache.get('a') && cache.get('k'))
  assert.equal(cache.get('b'), undefined)
  assert.equal(cache.bytes, 1000)
  cache.put('huge', [frame(51)])
  assert.equal(cache.get('huge'), undefined)
  cache.put('k', [frame(10)])
  assert.equal(cache.bytes, 920)
})
