// The tones of networks, fax machines and hold music are named, and a voicemail's recording tone is told apart from them and from speech.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atLevel,
  codecs,
  holdMusic,
  made,
  mixed,
  type NetworkTone,
  networkTones,
  noise,
  sine,
  type Wave,
} from '../../../test/line-sounds.ts'
import { robotSpeech, sounds } from '../../../test/sounds.ts'
import { joinPcm } from '../../audio/pcm.ts'
import type { HeardTone } from '../ports.ts'
import { callProgressDetector } from './call-progress.ts'

const quiet = (rateHz: number, seconds: number) => new Int16Array(Math.round(rateHz * seconds))
const amid = (rateHz: number, sound: Int16Array) => joinPcm([quiet(rateHz, 0.505), sound, quiet(rateHz, 1)])

/** Each tone that was reported, and when, in ms, fed by frames of 20 ms. */
function heardIn(pcm: Int16Array, rateHz = 8000): { tone: HeardTone; atMs: number }[] {
  const toneIn = callProgressDetector()
  const heard: { tone: HeardTone; atMs: number }[] = []
  const size = rateHz / 50
  for (let at = 0; at < pcm.length; at += size) {
    const tone = toneIn({ pcm: pcm.subarray(at, at + size), rateHz })
    if (tone) heard.push({ tone, atMs: ((at + size) / rateHz) * 1000 })
  }
  return heard
}
const beepsIn = (pcm: Int16Array, rateHz: number) =>
  heardIn(pcm, rateHz).flatMap(({ tone, atMs }) => (tone === 'beep' ? [atMs] : []))
/** The names that it got in the end, without the first doubts. */
const namesIn = (pcm: Int16Array, rateHz = 8000) => [
  ...new Set(heardIn(pcm, rateHz).flatMap(({ tone }) => (tone === 'network' ? [] : [tone]))),
]

/** What each tone is called, and how often in 12 s. */
const names: Readonly<Record<NetworkTone, readonly [HeardTone | null, number]>> = {
  'ringback of Brazil and Europe': ['ringback', 3],
  'ringback of China': ['ringback', 3],
  'ringback of North America': ['ringback', 2],
  'ringback of the UK': ['ringback', 4],
  'busy tone of Brazil': ['busy', 20],
  'busy tone of Europe': ['busy', 9],
  'busy tone of China': ['busy', 14],
  'busy tone of North America': ['busy', 9],
  'busy tone of the UK': ['busy', 13],
  'busy tone at 440 Hz': ['busy', 9],
  'congestion tone of North America': ['congestion', 20],
  'congestion tone of the UK': ['congestion', 12],
  'congestion tone at 425 Hz': ['congestion', 9],
  SIT: ['sit', 1],
  'SIT with gaps': ['sit', 1],
  'SIT of North America': ['sit', 1],
  'fax calling tone': ['fax', 2],
  'fax answer tone': ['fax', 1],
  'call waiting': [null, 0],
  'dial tone of Brazil': [null, 0],
  'dial tone of North America': [null, 0],
}
const entries = Object.entries(names) as [NetworkTone, (typeof names)[NetworkTone]][]

test('tones of the network and of fax machines are named by frequency and cadence', () => {
  for (const rateHz of [8000, 16_000])
    for (const [tone, [name, least]] of entries) {
      const wave: Wave = networkTones()[tone]
      const heard = heardIn(
        made(rateHz, 12.7, (t) => (t < 0.3 ? 0 : 0.1 * wave(t - 0.3))),
        rateHz,
      )
      const other = heard.find((each) => each.tone !== 'network' && each.tone !== name)
      assert.equal(other, undefined, `${tone} is not ${other?.tone}`)
      const count = heard.filter((each) => each.tone === name).length
      assert.ok(name === null || count >= least, `${tone} at ${rateHz}: ${count} times`)
    }
})

test('quiet tones with a clock error are named over G.711 in line noise and with a lost packet', () => {
  for (const [i, by] of [1, 0.99, 1.01].entries())
    for (const [tone, [name]] of entries) {
      const wave: Wave = networkTones(by)[tone]
      const pcm = made(8000, 5.2, (t) => (t < 0.3 ? 0 : wave(t - 0.3)))
      // In the middle of the first burst.
      pcm.fill(0, 3520, 3680)
      for (const [j, levelDb] of [-40, -8].entries()) {
        const code = codecs[(i + j) % codecs.length] as (typeof codecs)[number]
        const line = code(mixed(atLevel(pcm, levelDb), noise(i, pcm.length, -60)))
        assert.deepEqual(namesIn(line), name ? [name] : [], `${tone} x ${by} at ${levelDb} dB`)
      }
    }
})

test('a tone that may be a ringback is reported within 0.3 s, and again while it lasts', () => {
  const dial = heardIn(made(8000, 5, sine(425)))
  assert.ok(dial[0] && dial[0].atMs <= 300)
  assert.deepEqual(
    dial.map(({ tone }) => tone),
    Array(5).fill('network'),
  )
})

test('music on hold is named, also quietly and over G.711, and again while it plays', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const code = codecs[seed % 3] as (typeof codecs)[number]
    const music = code(atLevel(holdMusic(seed, 8000, 8), seed % 2 === 0 ? -30 : -15))
    const heard = heardIn(music).filter(({ tone }) => tone === 'music')
    assert.ok(heard.length >= 2 && (heard[0]?.atMs ?? 0) <= 6500, `seed ${seed}: ${heard.map(({ atMs }) => atMs)}`)
    assert.deepEqual(namesIn(music), ['music'])
  }
})

test('music under speech is not music on hold', () => {
  const toneIn = callProgressDetector()
  const music = holdMusic(3, 8000, 8)
  for (let at = 0; at < music.length; at += 160)
    assert.equal(toneIn({ pcm: music.subarray(at, at + 160), rateHz: 8000 }, at % 16_000 < 8000), null)
})

test('a steady tone of 0.2 to 1 s between 400 and 2000 Hz is a beep, known at its end', () => {
  for (const rateHz of [8000, 16_000])
    for (const hz of [405, 440, 620, 850, 1000, 1004, 1400, 1800, 1980])
      for (const seconds of [0.2, 0.25, 0.5, 0.8]) {
        const found = beepsIn(amid(rateHz, made(rateHz, seconds, sine(hz))), rateHz)
        assert.equal(found.length, 1, `${hz} Hz for ${seconds} s at ${rateHz}: ${found}`)
        const late = (found[0] as number) - (505 + seconds * 1000)
        // A low tone might be the start of a busy tone, so it is reported later.
        const [least, most] = hz < 500 ? [660, 800] : [0, 100]
        assert.ok(late >= least && late <= most, `${hz} Hz for ${seconds} s: ${late} ms late`)
      }
})

test('a ring that the answer cuts short is not a beep', () => {
  for (const tone of ['ringback of China', 'ringback of North America', 'ringback of Brazil and Europe'] as const) {
    const wave: Wave = networkTones()[tone]
    const period = tone === 'ringback of North America' ? 6 : 5
    const cut = made(8000, period + 2, (t) => (t < period + 0.5 ? 0.1 * wave(t) : 0))
    assert.deepEqual(namesIn(cut), ['ringback'], tone)
  }
})

test('a low beep of 1 s is told from ringback by its frequency', () => {
  assert.deepEqual(namesIn(amid(8000, made(8000, 0.98, sine(440)))), ['beep'])
  assert.deepEqual(namesIn(amid(8000, made(8000, 0.98, sine(450)))), ['ringback'])
})

test('quiet beeps and beeps in noise are detected too', () => {
  const tone = made(8000, 0.5, sine(1000, 0.03))
  assert.equal(beepsIn(amid(8000, tone), 8000).length, 1)
  assert.equal(beepsIn(amid(8000, mixed(tone, noise(1, tone.length, -59))), 8000).length, 1)
})

test('frames of any length are accepted', () => {
  const pcm = amid(8000, made(8000, 0.4, sine(1000)))
  const toneIn = callProgressDetector()
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
    [2050, 0.5],
    [2400, 0.5],
  ] as const)
    assert.deepEqual(beepsIn(amid(8000, made(8000, seconds, sine(hz))), 8000), [], `${hz} Hz for ${seconds} s`)
})

test('recording tones are found after speech, over G.711, in noise, and with a lost packet', async () => {
  const said = await robotSpeech('Oi, aqui é o João. Deixe seu recado após o sinal.', 'pt-br', 8000)
  for (const code of codecs)
    for (const hz of [440, 850, 1000, 1400])
      for (const level of [0.03, 0.3]) {
        const tone = made(8000, 0.4, sine(hz, level))
        const whole = joinPcm([quiet(8000, 0.3), said, quiet(8000, 0.5), tone, quiet(8000, 1)])
        assert.deepEqual(namesIn(code(mixed(whole, noise(2, whole.length, -59)))), ['beep'], `${hz} Hz at ${level}`)
        tone.fill(0, 1600, 1760)
        assert.equal(beepsIn(joinPcm([quiet(8000, 0.3), tone, quiet(8000, 1)]), 8000).length, 1, `${hz} Hz, cut`)
      }
})

test('DTMF, chords and gliding tones are nothing', () => {
  const key: Wave = (t) => 0.15 * (Math.sin(2 * Math.PI * 770 * t) + Math.sin(2 * Math.PI * 1336 * t))
  const glide: Wave = (t) => 0.2 * Math.sin(2 * Math.PI * (600 * t + 500 * t * t))
  for (const wave of [key, glide]) assert.deepEqual(heardIn(amid(8000, made(8000, 0.5, wave))), [])
})

test('noise and hum are neither tones nor music', () => {
  const road = lowPassed(noise(4, 64_000, -12))
  const all = ['silence', 'white noise', 'line noise', 'hum'].map((name) => sounds[name]?.(8000, 8) as Int16Array)
  for (const pcm of [...all, road]) assert.deepEqual(heardIn(pcm), [])
})

/** As in a car. */
function lowPassed(pcm: Int16Array): Int16Array {
  let last = 0
  return pcm.map((sample) => {
    last += 0.15 * (sample - last)
    return Math.round(last)
  })
}

test('speech is neither a tone nor music, in three languages and several voices', async () => {
  const said = [
    ['pt-br', 'Oi, aqui é o João, no momento eu não posso atender. Deixe seu recado, uuu, ooo, iii, e eu ligo depois.'],
    ['pt-br+f4', 'Um, dois, três, quatro, cinco, seis, sete. Muito obrigado pelo contato, tudo bem?'],
    ['en-us+f2', 'Hello, you have reached Ann. I cannot come to the phone. Ooh, who knew you too?'],
    ['es+m3', 'Hola, ha llamado a Ana. Ahora no puedo contestar, muchísimas gracias por su llamada.'],
  ] as const
  for (const [voice, text] of said) {
    const pcm = await robotSpeech(text, voice, 8000)
    assert.ok(pcm.length > 20_000)
    for (const code of codecs) assert.deepEqual(namesIn(code(pcm)), [], voice)
  }
})
