// Sentences of the embedded voices (with ALL_VOICES=1, all of them by every voice) are understood by the embedded
// recognizer, in a room and by telephone; words that nobody said are not recognized.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultVoice, embeddedVoices } from '../../src/speech/catalog.ts'
import { normalize } from '../../src/speech/text/normalize.ts'
import type { WordErrors } from '../../src/speech/word-errors.ts'
import { sounds } from '../sounds.ts'
import {
  enginesOfFile,
  hearsAll,
  heldWithin,
  isOver,
  type Most,
  sayAll,
  smallVoices,
  textsFor,
  ways,
} from './heard-back.ts'
import { hear } from './hearing.ts'
import { sentences } from './sentences.ts'

const engines = enginesOfFile()

/** Sentences for voices that are not their language's first: about 95 words. */
const OTHERS = 10
/**
 * Limits for all voices of a language together, where one word is a third of a percent. A single voice has about a
 * hundred words, and one sentence changed by a processor's rounding is a twentieth of them, so it gets twice the
 * tolerance.
 */
const NATURAL: Most = [0.05, 0.08]
const ONE_VOICE: Most = [0.1, 0.16]

/**
 * Without ALL_VOICES: the first voice of each language with a few sentences, and limits that a single wrong word does
 * not break.
 */
const SHORT = 6
const SHORT_MOST: Most = [0.15, 0.25]
/**
 * Each voice takes a minute or more on a processor without int8 instructions: only ALL_VOICES=1 measures all of them.
 */
const heardVoices = embeddedVoices.filter(({ id, language }) => hearsAll || defaultVoice(language).id === id)

for (const [language, voices] of Map.groupBy(heardVoices, (voice) => voice.language)) {
  const heard: WordErrors[][] = []
  for (const voice of voices)
    test(`speech of ${voice.id} in ${language} sounds like speech and is recognised, in wideband and by telephone`, async (t) => {
      const isFirst = defaultVoice(language).id === voice.id
      const texts = textsFor(language).slice(0, hearsAll ? (isFirst ? undefined : OTHERS) : SHORT)
      const most = hearsAll ? ONE_VOICE : SHORT_MOST
      const byWay = await heldWithin(t, engines.ears, await sayAll(engines.natural, texts, voice.id), voice, most)
      for (const [i, results] of byWay.entries()) heard[i] = [...(heard[i] ?? []), ...results]
    })
  if (!hearsAll) continue // too few words for a limit per language
  test(`of the natural voices in ${language}, 95 words of 100 are recognised in wideband and 92 by telephone`, (t) => {
    assert.equal(heard.length, ways.length)
    const missed = ways.map(({ name }, i) => isOver(t, `${language}, ${name}`, heard[i] ?? [], NATURAL[i]))
    assert.deepEqual(missed.filter(Boolean), [])
  })
}

/**
 * Limits of the small voice, as measured, with a wide margin: its breath noise is random. In Portuguese, and in Spanish
 * by telephone, the recognizer understands too little of it for a meaningful limit; a person understands it with
 * effort.
 */
const small: Readonly<Record<string, Most>> = {
  'pt-BR': [undefined, undefined],
  'en-US': [0.4, 0.55],
  'es-ES': [0.8, undefined],
}

for (const [name, voice] of smallVoices)
  test(`the fallback voice ${name} sounds like speech, and is recognised as well as such a voice can be`, async (t) => {
    const texts = textsFor(voice.language).slice(0, hearsAll ? OTHERS : 2)
    const spoken = texts.map((text) => normalize(text, voice.language))
    const clips = await sayAll(engines.espeak, spoken, voice.id)
    const most = hearsAll ? (small[voice.language] as Most) : ([undefined, undefined] as const)
    await heldWithin(t, engines.ears, clips, { ...voice, id: name }, most)
  })

test('silence, noise and hum give an empty transcript in each language, in wideband and by telephone', async () => {
  for (const name of ['silence', 'white noise', 'line noise', 'hum'])
    for (const { name: way, rateHz, carry } of ways)
      for (const language of Object.keys(sentences)) {
        const pcm = carry(sounds[name]?.(rateHz, 3) ?? assert.fail(name))
        assert.equal(await hear(engines.ears, { pcm, rateHz }, language), '', `${name}, ${way}, ${language}`)
      }
})
