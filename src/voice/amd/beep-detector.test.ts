// The mailbox beep is found in real tones, and not in speech, noise, music, or the tones of telephones and networks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { robotSpeech, sounds } from '../../../test/sounds.ts'
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../../audio/g711.ts'
import { joinPcm } from '../../audio/pcm.ts'
import { beepDetector, type HeardTone } from './beep-detector.ts'

type Wave = (t: number) => number
const sine =
  (hz: number, level = 0.2): Wave =>
  (t) =>
    level * Math.sin(2 * Math.PI * hz * t)
const made = (rateHz: number, seconds: number, at: Wave) =>
  Int16Array.from({ length: Math.round(rateHz * seconds) }, (_, i) => Math.round(32767 * at(i / rateHz)))
const quiet = (rateHz: number, seconds: number) => new Int16Array(Math.round(rateHz * seconds))

/** When each recording tone was reported, in ms, fed by frames of 20 ms. */
function beepsIn(pcm: Int16Array, rateHz: number, wanted: HeardTone = 'beep'): number[] {
  const toneIn = beepDetector()
  const found: number[] = []
  const size = rateHz / 50
  for (let at = 0; at < pcm.length; at += size)
    if (toneIn({ pcm: pcm.subarray(at, at + size), rateHz }) === wanted) found.push(((at + size) / rateHz) * 1000)
  return found
}
const amid = (rateHz: number, sound: Int16Array) => joinPcm([quiet(rateHz, 0.505), sound, quiet(rateHz, 1)])

test('a steady tone of 0.2 to 1 s between 400 and 2000 Hz is detected at its end', () => {
  for (const rateHz of [8000, 16_000])
    for (const hz of [405, 440, 620, 850, 1000, 1004, 1400, 1800, 1980])
      for (const seconds of [0.2, 0.25, 0.5, 0.8]) {
        const found = beepsIn(amid(rateHz, made(rateHz, seconds, sine(hz))), rateHz)
        assert.equal(found.length, 1, `${hz} Hz for ${seconds} s at ${rateHz}: ${found}`)
        const late = (found[0] as number) - (505 + seconds * 1000)
        // A low tone might be the start of a busy tone, so it is reported later.
        const [least, most] = hz < 500 ? [690, 800] : [0, 100]
        assert.ok(late >= least && late <= most, `${hz} Hz for ${seconds} s: ${late} ms late`)
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
  const toneIn = beepDetector()
  let found = 0
  for (let at = 0; at < pcm.length; at += 77) if (toneIn({ pcm: pcm.subarray(at, at + 77), rateHz: 8000 })) found++
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

/** Alternates sound and silence, each for the given time. */
const cadence =
  (sound: Wave, ...ms: readonly number[]): Wave =>
  (t) => {
    let at = (t * 1000) % ms.reduce((sum, each) => sum + each, 0)
    for (const [i, length] of ms.entries()) {
      if (at < length) return i % 2 === 0 ? sound(t) : 0
      at -= length
    }
    return 0
  }
const together =
  (...hz: readonly number[]): Wave =>
  (t) =>
    hz.reduce((sum, each) => sum + sine(each, 1 / hz.length)(t), 0)
const sit: Wave = (t) => (t < 0.33 ? sine(950, 1)(t) : t < 0.66 ? sine(1400, 1)(t) : t < 0.99 ? sine(1800, 1)(t) : 0)
const sitWithGaps: Wave = (t) =>
  t < 0.33 ? sine(950, 1)(t) : t > 0.36 && t < 0.69 ? sine(1400, 1)(t) : t > 0.72 && t < 1.05 ? sine(1800, 1)(t) : 0

/** At full level, with every frequency scaled by `by` for a clock error. */
const networkTones = (by: number): Readonly<Record<string, Wave>> => ({
  'ringback of Brazil and Europe': cadence(sine(425 * by, 1), 1000, 4000),
  'busy tone of Brazil': cadence(sine(425 * by, 1), 250, 250),
  'busy tone of Europe': cadence(sine(425 * by, 1), 500, 500),
  congestion: cadence(sine(425 * by, 1), 750, 250),
  'call waiting': cadence(sine(425 * by, 1), 200, 4800),
  'busy tone at 440 Hz': cadence(sine(440 * by, 1), 500, 500),
  'busy tone of China': cadence(sine(450 * by, 1), 350, 350),
  'ringback of China': cadence(sine(450 * by, 1), 1000, 4000),
  'dial tone of Brazil': sine(425 * by, 1),
  'ringback of the US': cadence(together(440 * by, 480 * by), 2000, 4000),
  'busy tone of the US': cadence(together(480 * by, 620 * by), 500, 500),
  'dial tone of the US': together(350 * by, 440 * by),
  'ringback of the UK': cadence(together(400 * by, 450 * by), 400, 200, 400, 2000),
  'busy tone of the UK': cadence(sine(400 * by, 1), 375, 375),
  'fax calling tone': cadence(sine(1100 * by, 1), 500, 3000),
  SIT: (t) => sit(t * by),
  'SIT with gaps': (t) => sitWithGaps(t * by),
})
const viaG711 = [
  (pcm: Int16Array) => pcm,
  (pcm: Int16Array) => decodeUlaw(encodeUlaw(pcm)),
  (pcm: Int16Array) => decodeAlaw(encodeAlaw(pcm)),
]

test('the tones of a telephone network are no recording tones, loud or quiet, in noise, and slightly off their pitch', () => {
  const noise = sounds['line noise']?.(8000, 8) as Int16Array
  const lines = [
    { level: 0.4, coded: viaG711[1], isNoisy: false },
    { level: 0.1, coded: viaG711[0], isNoisy: true },
    { level: 0.02, coded: viaG711[2], isNoisy: false },
    { level: 0.02, coded: viaG711[1], isNoisy: true },
  ]
  for (const by of [1, 0.99, 1.01])
    for (const { level, coded, isNoisy } of lines)
      for (const [name, wave] of Object.entries(networkTones(by))) {
        const pcm = made(8000, 8, (t) => (t < 0.3 ? 0 : level * wave(t - 0.3)))
        const onLine = coded?.(isNoisy ? pcm.map((sample, i) => sample + (noise[i] as number)) : pcm) as Int16Array
        assert.deepEqual(beepsIn(onLine, 8000), [], `${name} x ${by} at ${level}, noise: ${isNoisy}`)
      }
})

test('ringback, busy, congestion and fax tones are reported as tones of the network', () => {
  for (const [name, count] of [
    ['ringback of Brazil and Europe', 2],
    ['busy tone of Brazil', 20],
    ['congestion', 10],
    ['fax calling tone', 3],
    ['SIT', 3],
  ] as const) {
    const wave = networkTones(1)[name] as Wave
    const found = beepsIn(joinPcm([made(8000, 10, (t) => 0.2 * wave(t)), quiet(8000, 1)]), 8000, 'progress')
    assert.equal(found.length, count, `${name}: ${found}`)
  }
})

test('recording tones are found after speech, over G.711, in noise, and with a lost packet', async () => {
  const said = await robotSpeech('Oi, aqui é o João. Deixe seu recado após o sinal.', 'pt-br', 8000)
  const noise = sounds['line noise']?.(8000, 12) as Int16Array
  for (const coded of viaG711)
    for (const hz of [440, 850, 1000, 1400])
      for (const level of [0.03, 0.3]) {
        const tone = made(8000, 0.4, sine(hz, level))
        const whole = joinPcm([quiet(8000, 0.3), said, quiet(8000, 0.5), tone, quiet(8000, 1)])
        const found = beepsIn(coded(whole.map((sample, i) => sample + (noise[i] as number))), 8000)
        assert.equal(found.length, 1, `${hz} Hz at ${level}: ${found}`)
        tone.fill(0, 1600, 1760)
        assert.equal(beepsIn(joinPcm([quiet(8000, 0.3), tone, quiet(8000, 1)]), 8000).length, 1, `${hz} Hz, cut`)
      }
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
