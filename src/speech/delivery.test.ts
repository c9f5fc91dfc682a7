import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenLetters } from '../base/text/spoken-letters.ts'
import type { AudioFrame } from '../voice/ports.ts'
import { delivery, leastSoundMs } from './delivery.ts'

const RATE_HZ = 8000
const frame = (ms: number, level = 2000): AudioFrame => ({
  pcm: new Int16Array((ms * RATE_HZ) / 1000).fill(level),
  rateHz: RATE_HZ,
})
const SENTENCE = 'Sua consulta ficou marcada para terça-feira de manhã.'

test('what is said counts in letters: marks, tags and drawn-out letters do not', () => {
  assert.equal(spokenLetters('Bom dia!'), 6)
  assert.equal(spokenLetters('<break time="2s"/> [laughs] Nãããããão… 😀 **1**'), 4)
  assert.equal(spokenLetters('您好'), 6)
  assert.equal(spokenLetters('… — !'), 0)
})

test('the least sound of a text follows its letters, the speed and the pronunciation', () => {
  assert.equal(leastSoundMs('…'), 0)
  assert.equal(leastSoundMs('A!'), 0, 'may be swallowed')
  assert.equal(leastSoundMs('Sim.'), 40)
  const usual = leastSoundMs(SENTENCE)
  assert.ok(usual > 600 && usual < 900, `${usual} ms`)
  assert.equal(leastSoundMs(SENTENCE, { speed: 2 }), usual / 2)
  assert.equal(leastSoundMs(SENTENCE, { speed: 0.5 }), usual, 'slow speech may still be short')
  assert.equal(leastSoundMs(SENTENCE, { vendor: { speed: 4 } }), usual / 4)
  assert.equal(leastSoundMs('Sim.', { vendor: { speed: 4 } }), 40)
  const pronunciation = [{ from: SENTENCE, to: 'INS' }]
  assert.equal(leastSoundMs(SENTENCE, { pronunciation }), 40)
})

test('too little sound was cut, and silence is no sound', () => {
  const told = delivery(SENTENCE)
  told.add(frame(560), 100)
  assert.deepEqual([told.hasSound(), told.isCut()], [true, true])
  told.add(frame(1000, 0), 100)
  assert.equal(told.isCut(), true)
  told.add(frame(400), 100)
  told.add(frame(40, 100), 100)
  assert.equal(told.isCut(), false)
  const silent = delivery(SENTENCE)
  silent.add(frame(2000, 0), 100)
  assert.deepEqual([silent.hasSound(), silent.isSilent()], [false, true])
  const page = delivery(SENTENCE)
  page.add(frame(2), 100)
  assert.equal(page.hasSound(), false)
  assert.equal(delivery('…').isCut(), false)
})

test('a short sentence that ends in the middle of a word was cut; one that fades was not', () => {
  const short = 'Marquei para terça-feira às duas e meia.' // 2 s at a typical speaking rate
  const ending = (level: number) => {
    const told = delivery(short)
    for (let ms = 0; ms < 760; ms += 20) told.add(frame(20), 20)
    told.add(frame(40, level), 20)
    return told.isCut()
  }
  assert.deepEqual([ending(2000), ending(100)], [true, false])
  const usual = delivery(short)
  usual.add(frame(1500), 100)
  assert.equal(usual.isCut(), false, 'a usual voice may end abruptly')
})

const isSlow = (pieces: readonly [audioMs: number, waitedMs: number][]) => {
  const told = delivery(SENTENCE)
  for (const [audioMs, waitedMs] of pieces) told.add(frame(audioMs), waitedMs)
  return told.isSlow()
}

test('a voice is slow when playout runs dry again and again', () => {
  const every = (audioMs: number, waitedMs: number) => Array.from({ length: 20 }, () => [audioMs, waitedMs] as const)
  assert.equal(isSlow(every(100, 250).map(([a, w]) => [a, w])), true)
  assert.equal(isSlow(every(100, 100).map(([a, w]) => [a, w])), false, 'in real time')
  assert.equal(isSlow(every(100, 100).map(([a], i) => [a, i % 2 === 0 ? 20 : 180])), false, 'unevenly')
  assert.equal(isSlow(every(100, 10).map(([a, w], i) => [a, i === 10 ? 2000 : w])), false, 'one gap')
})
