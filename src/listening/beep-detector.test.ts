// The tone of a mailbox is found in real tones, and not in speech, noise, music or the tones of a telephone's keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { robotSpeech, sounds } from '../../test/sounds.ts'
import { joinPcm } from '../audio/pcm.ts'
import { beepDetector } from './beep-detector.ts'

type Wave = (t: number) => number
const sine =
  (hz: number, level = 0.2): Wave =>
  (t) =>
    level * Math.sin(2 * Math.PI * hz * t)
const made = (rateHz: number, seconds: number, at: Wave) =>
  Int16Array.from({ length: Math.round(rateHz * seconds) }, (_, i) => Math.round(32767 * at(i / rateHz)))
const quiet = (rateHz: number, seconds: number) => new Int16Array(Math.round(rateHz * seconds))

/** When each tone that was found ended, in ms, fed by frames of 20 ms. */
function beepsIn(pcm: Int16Array, rateHz: number): number[] {
  const isBeep = beepDetector()
  const found: number[] = []
  const size = rateHz / 50
  for (let at = 0; at < pcm.length; at += size)
    if (isBeep({ pcm: pcm.subarray(at, at + size), rateHz })) found.push(((at + size) / rateHz) * 1000)
  return found
}
const amid = (rateHz: number, sound: Int16Array) => joinPcm([quiet(rateHz, 0.505), sound, quiet(rateHz, 0.5)])

test('a steady tone of 0.2 to 1 s between 400 and 2000 Hz is detected at its end', () => {
  for (const rateHz of [8000, 16_000])
    for (const hz of [410, 440, 620, 850, 1000, 1004, 1400, 1800, 1980])
      for (const seconds of [0.2, 0.25, 0.5, 0.9]) {
        const found = beepsIn(amid(rateHz, made(rateHz, seconds, sine(hz))), rateHz)
        assert.equal(found.length, 1, `${hz} Hz for ${seconds} s at ${rateHz}: ${found}`)
        const late = (found[0] as number) - (505 + seconds * 1000)
        assert.ok(late >= 0 && late <= 45, `${hz} Hz for ${seconds} s: ${late} ms late`)
      }
})

test('quiet tones and tones in noise are detected too', () => {
  const noise = sounds['line noise']?.(8000, 0.5) as Int16Array
  const tone = made(8000, 0.5, sine(1000, 0.03))
  assert.equal(beepsIn(amid(8000, tone), 8000).length, 1)
  assert.equal(
    beepsIn(
      amid(
        8000,
        tone.map((sample, i) => sample + (noise[i] as number)),
      ),
      8000,
    ).length,
    1,
  )
})

test('frames of any length are accepted', () => {
  const pcm = amid(8000, made(8000, 0.4, sine(1000)))
  const isBeep = beepDetector()
  let found = 0
  for (let at = 0; at < pcm.length; at += 77) if (isBeep({ pcm: pcm.subarray(at, at + 77), rateHz: 8000 })) found++
  assert.equal(found, 1)
})

test('a tone that is too short, too long, too low or too high is not a beep', () => {
  for (const [hz, seconds] of [
    [1000, 0.12],
    [1000, 1.3],
    [425, 4],
    [300, 0.5],
    [2400, 0.5],
  ] as const)
    assert.deepEqual(beepsIn(amid(8000, made(8000, seconds, sine(hz))), 8000), [], `${hz} Hz for ${seconds} s`)
})

test('DTMF, chords and gliding tones are not beeps', () => {
  const key: Wave = (t) => 0.15 * (Math.sin(2 * Math.PI * 770 * t) + Math.sin(2 * Math.PI * 1336 * t))
  const glide: Wave = (t) => 0.2 * Math.sin(2 * Math.PI * (600 * t + 500 * t * t))
  for (const wave of [key, glide]) assert.deepEqual(beepsIn(amid(8000, made(8000, 0.5, wave)), 8000), [])
})

test('noise, hum, a dial tone and music are not beeps', () => {
  for (const name of ['silence', 'white noise', 'line noise', 'hum', 'dial tone', 'melody'])
    assert.deepEqual(beepsIn(sounds[name]?.(8000, 4) as Int16Array, 8000), [], name)
})

test('speech is not a beep, in three languages and several voices', async () => {
  const said = [
    ['pt-br', 'Oi, aqui é o João, no momento eu não posso atender. Deixe seu recado, uuu, ooo, iii, e eu ligo depois.'],
    ['pt-br+f4', 'Um, dois, três, quatro, cinco, seis, sete. Muito obrigado pelo contato, tudo bem?'],
    ['en-us+f2', 'Hello, you have reached Ann. I cannot come to the phone. Ooh, who knew you too?'],
    ['es+m3', 'Hola, ha llamado a Ana. Ahora no puedo contestar, muchísimas gracias por su llamada.'],
  ] as const
  for (const [voice, text] of said) {
    const pcm = await robotSpeech(text, voice, 8000)
    assert.ok(pcm.length > 20_000)
    assert.deepEqual(beepsIn(pcm, 8000), [], voice)
  }
})
