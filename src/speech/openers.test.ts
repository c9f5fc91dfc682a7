// Openers that recur are kept as sound: the next reply that begins with one is heard at once, in one voice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { AudioFrame, Tts } from '../voice/ports.ts'
import { embeddedVoice } from './embedded.ts'
import { splitOpener } from './text/openers.ts'
import { speechCache } from './tts/cache.ts'
import { cachedTts } from './tts/cached.ts'

const RATE_HZ = 8000
/** Loud for as long as a healthy voice takes, with a soft end. */
const sound = (text: string): Int16Array =>
  Int16Array.from({ length: text.length * 560 }, (_, i) => (i % 7) * 900 * Math.max(0.01, 1 - i / (text.length * 540)))

function voices() {
  const asked: string[] = []
  const held = new Map<string, Promise<void>>()
  const state = { hasRoom: true }
  const engine = (name: string): Tts => ({
    name,
    voices: async () => [],
    async *speak(text) {
      asked.push(`${name}: ${text}`)
      await held.get(text)
      yield { pcm: sound(text), rateHz: RATE_HZ, words: text }
    },
  })
  const kept = cachedTts(engine('natural'), speechCache(5e6))
  const tts = embeddedVoice({
    natural: () => ({ ...kept, hasRoom: () => state.hasRoom }),
    small: async () => engine('small'),
    onDegraded: () => {},
  })
  const frames = (text: string, reply: object = {}): AsyncIterable<AudioFrame> =>
    tts.speak(text, { voiceId: 'pf_dora', language: 'pt-BR', reply }, new AbortController().signal)
  async function say(text: string, reply?: object): Promise<string[]> {
    const words: string[] = []
    for await (const frame of frames(text, reply)) words.push(frame.words ?? '')
    for (let i = 0; i < 5; i++) await turn() // the opener is synthesized after the sentence
    return words
  }
  return { asked, held, state, frames, say }
}

test('an opener ends at its comma, with enough behind it; other beginnings stay whole', () => {
  const split = (text: string, language = 'pt-BR') => splitOpener(text, language)
  assert.deepEqual(split('Só um momento, vou conferir a agenda.'), {
    opener: 'Só um momento,',
    rest: 'vou conferir a agenda.',
  })
  assert.deepEqual(split('Got it, your order ships today.', 'en-US')?.opener, 'Got it,')
  assert.deepEqual(
    split('¡Claro que sí, le ayudo con eso!', 'es-ES'),
    null,
    'with an exclamation mark it is one breath',
  )
  assert.deepEqual(split('Claro que sí, le ayudo con eso.', 'es-ES')?.opener, 'Claro que sí,')
  for (const whole of [
    'Maria, o seu pedido saiu ontem.',
    'Claro, já vou.',
    'Claro que posso marcar, sim.',
    'Claro,',
    '',
  ])
    assert.equal(split(whole), null, whole)
  assert.equal(split('Claro, posso marcar para quinta.', 'de-DE'), null)
})

test('the second reply that begins with an opener sounds before its rest is synthesized', async () => {
  const { asked, held, frames, say } = voices()
  assert.deepEqual(await say('Claro, posso marcar para quinta.'), ['Claro, posso marcar para quinta.'])
  assert.deepEqual(asked.splice(0), ['natural: Claro, posso marcar para quinta.', 'natural: Claro,'])
  const { promise, resolve } = Promise.withResolvers<void>()
  held.set('vou mandar o boleto.', promise)
  const stream = frames('Claro, vou mandar o boleto.')[Symbol.asyncIterator]()
  assert.equal((await stream.next()).value.words, 'Claro,')
  assert.deepEqual(asked, ['natural: vou mandar o boleto.'], 'it was asked for before the opener was played')
  resolve()
  assert.equal((await stream.next()).value.words, 'vou mandar o boleto.')
  assert.equal((await stream.next()).done, true)
})

test('without room for the natural voice, an opener is not played in it', async () => {
  const { say, state, asked } = voices()
  await say('Certo, posso marcar para quinta.')
  asked.length = 0
  state.hasRoom = false
  assert.deepEqual(await say('Certo, vou mandar o boleto.'), ['Certo, vou mandar o boleto.'])
  assert.deepEqual(asked, ['small: Certo, vou mandar o boleto.'])
})

test('later sentences of a reply keep the voice of its opener, also where no other reply would be admitted', async () => {
  const { say, state, asked } = voices()
  await say('Certo, posso marcar para quinta.')
  asked.length = 0
  const reply = {}
  await say('Certo, vou mandar o boleto.', reply)
  state.hasRoom = false
  await say('Claro, ele vence na sexta.', reply)
  assert.deepEqual(asked, ['natural: vou mandar o boleto.', 'natural: Claro, ele vence na sexta.'])
})
