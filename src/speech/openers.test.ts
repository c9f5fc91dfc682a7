// Openers that recur are kept as sound: the next reply that begins with one is heard at once, in one voice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AudioFrame, Tts } from '../voice/ports.ts'
import { embeddedVoice } from './embedded.ts'
import { splitOpener } from './text/openers.ts'
import { speechCache } from './tts/cache.ts'
import { cachedTts } from './tts/cached.ts'
import { openerSound } from './tts/opener-sound.ts'

const RATE_HZ = 8000
const FRAME = RATE_HZ / 10
/** A word is three frames of sound; a comma is a pause of 100 ms. */
function* framesOf(text: string): Generator<AudioFrame> {
  for (const word of text.split(' ')) {
    for (let i = 0; i < 3; i++) {
      const pcm = Int16Array.from({ length: FRAME }, (_, at) => 4000 * Math.sin(at / 3))
      yield { pcm, rateHz: RATE_HZ, ...(i === 0 ? { words: word } : {}) }
    }
    if (/[,.]$/.test(word)) yield { pcm: new Int16Array(FRAME), rateHz: RATE_HZ }
  }
}

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
      yield* framesOf(text)
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
    for await (const frame of frames(text, reply)) if (frame.words) words.push(frame.words)
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

const wordsOf = (text: string) => text.split(' ')

test('the second reply that begins with an opener sounds before its rest is synthesized', async () => {
  const { asked, held, frames, say } = voices()
  const first = 'Claro, posso marcar para quinta.'
  assert.deepEqual(await say(first), wordsOf(first))
  assert.deepEqual(asked.splice(0), [`natural: ${first}`], 'the opener is cut out of it')
  const { promise, resolve } = Promise.withResolvers<void>()
  held.set('vou mandar o boleto.', promise)
  const heard: AudioFrame[] = []
  const stream = frames('Claro, vou mandar o boleto.')[Symbol.asyncIterator]()
  for (let i = 0; i < 5; i++) heard.push((await stream.next()).value as AudioFrame)
  assert.deepEqual(asked, ['natural: vou mandar o boleto.'], 'it was asked for before the opener was played')
  resolve()
  for (let next = await stream.next(); !next.done; next = await stream.next()) heard.push(next.value)
  const words = heard.flatMap((frame) => frame.words ?? [])
  assert.deepEqual(words, ['Claro,', ...wordsOf('vou mandar o boleto.')])
  const opener = heard.slice(
    0,
    heard.findIndex((frame) => frame.words === 'vou'),
  )
  assert.equal(opener.reduce((sum, { pcm }) => sum + pcm.length, 0) / 8, 410, '300 ms of sound, and a pause')
})

test('an opener without a pause after it, or of a voice that does not time its words, is not kept', () => {
  const timed = [...framesOf('Claro, posso marcar.')]
  assert.ok(openerSound(timed, 'Claro,'))
  assert.equal(
    openerSound(
      timed.filter(({ pcm }) => pcm[1] !== 0),
      'Claro,',
    ),
    null,
  )
  assert.equal(
    openerSound(
      timed.map(({ pcm, rateHz }) => ({ pcm, rateHz })),
      'Claro,',
    ),
    null,
  )
  assert.equal(openerSound([], 'Claro,'), null)
})

test('without room for the natural voice, an opener is not played in it', async () => {
  const { say, state, asked } = voices()
  await say('Certo, posso marcar para quinta.')
  asked.length = 0
  state.hasRoom = false
  await say('Certo, vou mandar o boleto.')
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
