// The vendors' spelled-out voice is read back from a telephone recording letter by letter, even where it is cut or
// another voice takes over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeUlaw, encodeUlaw } from '../src/audio/g711.ts'
import { joinPcm } from '../src/audio/pcm.ts'
import { resample } from '../src/audio/resample.ts'
import { robotSpeech, sounds } from './sounds.ts'
import { heardIn, spelledTone, spelling } from './vendors/spelled-tone.ts'

const text = 'A clínica foi fundada há 30 anos, por duas irmãs: Bella e Ottilie.'
const overThePhone = (said: string) => decodeUlaw(encodeUlaw(resample(spelledTone(said, 24_000), 24_000, 8000)))
const silence = (seconds: number) => sounds['line noise']?.(8000, seconds) ?? new Int16Array(0)

test('a sentence is read back from 8 kHz µ-law', () => {
  const [heard, ...more] = heardIn(joinPcm([silence(0.3), overThePhone(text), silence(0.3)]), 8000)
  assert.equal(heard?.text, spelling(text))
  assert.deepEqual(more, [])
  assert.ok(Math.abs((heard?.fromMs ?? 0) - 300) <= 20 && Math.abs((heard?.toMs ?? 0) - 300 - 40 * text.length) <= 20)
})

test('a cut, a silence and another voice are told apart', async () => {
  const half = overThePhone(text).subarray(0, 320 * 20 + 100)
  const robot = await robotSpeech('por duas irmãs', 'pt-br', 8000)
  const all = heardIn(joinPcm([half, silence(0.5), overThePhone('por duas'), robot, silence(0.2)]), 8000)
  assert.deepEqual(
    all.filter(({ text }) => text !== null && text.trim().length > 1).map(({ text }) => text),
    [spelling(text).slice(0, 20), 'por duas'],
  )
  assert.ok(all.filter(({ text }) => text === null).reduce((ms, { fromMs, toMs }) => ms + toMs - fromMs, 0) > 400)
})
