// One sentence of each language by each embedded voice engine is understood by the embedded recognizer, in a room and
// by telephone; words that nobody said are not recognized. The rest is in heard-back-full.test.ts.
// @run rest
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultVoice } from '../../src/speech/catalog.ts'
import { normalize } from '../../src/speech/text/normalize.ts'
import { espeakVoice } from '../../src/speech/tts/espeak-voices.ts'
import { sounds } from '../sounds.ts'
import { enginesOfFile, heldWithin, type Most, sayAll, textsFor, ways } from './heard-back.ts'
import { hear } from './hearing.ts'
import { sentences } from './sentences.ts'

const engines = enginesOfFile()
/**
 * Of ten words: three may be lost where a processor rounds differently, four by telephone. A voice that saturates loses
 * most of them.
 */
const MOST: Most = [0.3, 0.4]

for (const language of Object.keys(sentences))
  test(`a sentence of the natural voice in ${language} sounds like speech and is recognised`, async (t) => {
    const voice = defaultVoice(language)
    const clips = await sayAll(engines.natural, textsFor(language).slice(0, 1), voice.id)
    await heldWithin(t, engines.ears, clips, voice, MOST)
  })

// The recognizer understands too little of it for a limit on one sentence.
for (const language of Object.keys(sentences))
  test(`a sentence of the small voice in ${language} sounds like speech`, async (t) => {
    const voice = defaultVoice(language)
    const clips = await sayAll(engines.espeak, [normalize(textsFor(language)[0] ?? '', language)], voice.id)
    const id = espeakVoice(language, voice.gender)
    await heldWithin(t, engines.ears, clips, { ...voice, id }, [undefined, undefined])
  })

test('silence, noise and hum give an empty transcript, in wideband and by telephone', async () => {
  for (const name of ['silence', 'white noise', 'line noise', 'hum'])
    for (const { name: way, rateHz, carry } of ways) {
      const pcm = carry(sounds[name]?.(rateHz, 3) ?? assert.fail(name))
      assert.equal(await hear(engines.ears, { pcm, rateHz }, 'pt-BR'), '', `${name}, ${way}`)
    }
})
