// Two joined legs, as their far ends hear each other: delay, sample rates, and what ends the join.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { clip, lineOf, loud, never, testMedia } from '../../test/rtp-call.ts'
import { openPeer, pcmuTo, purityOfParts, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import { decodeUlaw } from '../audio/g711.ts'
import { joinPcm } from '../audio/pcm.ts'
import { WAV_HEADER_BYTES } from '../audio/wav.ts'
import { BridgeInput } from './bridge-input.ts'
import { TICK_MS } from './clock.ts'
import { openCodec } from './codecs.ts'
import type { Media } from './leg.ts'
import { RtpLeg } from './rtp-leg.ts'

let media: Media
before(async () => {
  media = await testMedia(2)
})
after(() => media.close())

test('each hears the other', async () => {
  await using a = await lineOf(media)
  await using b = await lineOf(media, {}, { beside: a.leg })
  a.leg.join(b.leg)
  a.peer.speak(a.leg.port, tone(1000, 1000), { loop: true })
  b.peer.speak(b.leg.port, tone(500, 1000), { loop: true })
  await until('both hear', () => [a, b].every(({ peer }) => loud(peer).length > 60))
  const heardBy = ({ peer }: typeof a) => joinPcm(loud(peer).map(({ payload }) => decodeUlaw(payload)))
  assert.ok(purityOfParts(heardBy(b), 1000) > 0.98)
  assert.ok(purityOfParts(heardBy(a), 500) > 0.98)
})

test('what one leg hears in a tick is sent to the other in the next one, and nothing gathers', () => {
  const open = (leg: number) => {
    const made = new RtpLeg({ do: 'open', leg, port: 0, lostAfterMs: 1000, detectInband: false }, () => {})
    made.configure(pcmuTo(4000 + leg))
    return made
  }
  const [a, b] = [open(1), open(2)]
  a.join(b)
  const frame = (value: number) => ({ pcm: new Int16Array(160).fill(value), rateHz: 8000 })
  for (let tick = 1; tick <= 200; tick++) {
    for (const leg of [a, b]) leg.send(tick * TICK_MS, 0)
    // The first tick after the join has nothing to send yet.
    assert.deepEqual([...b.outgoing.frame], Array(160).fill(tick - 1))
    assert.deepEqual([...a.outgoing.frame], Array(160).fill(1 - tick))
    a.pass(frame(tick))
    b.pass(frame(-tick))
  }
})

test('a narrow and a wide line understand each other', async () => {
  await using a = await lineOf(media)
  await using b = await lineOf(media, { codec: 'G722', payloadType: 9 }, { beside: a.leg })
  b.leg.join(a.leg)
  a.peer.speak(a.leg.port, tone(1000, 1000), { loop: true })
  b.peer.type = 9
  const { encode } = openCodec('G722')
  const wide = tone(700, 20_000, 16_000)
  let at = 0
  const talking = setInterval(() => {
    b.peer.send(b.leg.port, encode(wide.subarray(at, at + 320)))
    at += 320
  }, 20)
  try {
    await until('both hear', () => loud(a.peer).length > 40 && b.peer.got.length > 60)
  } finally {
    clearInterval(talking)
  }
  const heardByA = joinPcm(loud(a.peer).map(({ payload }) => decodeUlaw(payload)))
  assert.ok(purityOfParts(heardByA, 700) > 0.95, `${purityOfParts(heardByA, 700)}`)
  const { decode } = openCodec('G722')
  const heardByB = joinPcm(b.peer.got.map(({ payload }) => decode(payload)))
  assert.ok(purityOfParts(heardByB.subarray(-8000), 1000, 16_000) > 0.95)
})

test('a join drops the plays, the recording continues with the new voice, and the input falls silent', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'join-'))
  t.after(() => rmSync(folder, { recursive: true }))
  await using a = await lineOf(media)
  await using b = await lineOf(media, {}, { beside: a.leg })
  await a.leg.record(join(folder, 'call.wav'))
  a.peer.speak(a.leg.port, tone(1000, 1000), { loop: true })
  b.peer.speak(b.leg.port, tone(500, 1000), { loop: true })
  const playing = a.leg.play(clip(tone(1700, 20_000)), never)
  await until('the play is heard', () => loud(a.peer).length > 10)
  a.leg.join(b.leg)
  const { playedMs: heardMs } = await playing
  assert.ok(heardMs < 5000, `${heardMs} ms`)
  const before = loud(a.peer).length
  await until('the other is heard', () => loud(a.peer).length > before + 100)
  a.leg.stopListening()
  for await (const _ of a.leg.input);
  await a.leg.close()
  const file = readFileSync(join(folder, 'call.wav'))
  const both = new Int16Array(file.buffer.slice(file.byteOffset + WAV_HEADER_BYTES, file.byteOffset + file.length))
  // The last 1.5 s: this leg's peer on the left, the joined leg's peer on the right.
  const last = (side: 0 | 1) => both.filter((_, i) => i % 2 === side).subarray(-12_000)
  assert.ok(purityOfParts(last(0), 1000) > 0.95 && purityOfParts(last(1), 500) > 0.95)
})

test('when one is closed the other goes on alone, and can be spoken to again', async () => {
  await using a = await lineOf(media)
  const b = await lineOf(media, {}, { beside: a.leg })
  a.leg.join(b.leg)
  b.peer.speak(b.leg.port, tone(500, 1000), { loop: true })
  await until('it is heard', () => loud(a.peer).length > 5)
  await b[Symbol.asyncDispose]()
  const { playedMs: heardMs } = await a.leg.play(clip(tone(1700, 200)), never)
  assert.equal(heardMs, 200)
  a.peer.speak(a.leg.port, tone(1000, 1000), { loop: true })
  for await (const { pcm } of a.leg.input) if (pcm.some((sample) => sample > 3000)) break
})

test('legs that are not beside each other are not joined', async (t) => {
  const peer = await openPeer()
  t.after(() => peer.close())
  const [a, b] = [await media.open(), await media.open()]
  const legs = [a, b]
  for (const leg of legs) leg.configure(pcmuTo(peer.port))
  assert.throws(() => a.join(b), /two threads/)
  await Promise.all(legs.map((leg) => leg.close()))
})

test('sound that has gathered while digits were sent is left out, so that it is never late', () => {
  const line = new BridgeInput()
  const frame = new Int16Array(160)
  for (let i = 1; i <= 20; i++) line.push(new Int16Array(160).fill(i), 8000)
  assert.equal(line.read(frame, 8000), true)
  assert.equal(frame[0], 19)
  assert.equal(line.read(frame, 8000), true)
  assert.equal(line.read(frame, 8000), false)
  assert.ok(frame.every((sample) => sample === 0))
  line.push(new Int16Array(320).fill(7), 16_000)
  line.push(new Int16Array(320).fill(7), 16_000)
  assert.equal(line.read(frame, 8000), true)
})
