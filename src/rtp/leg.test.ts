// A leg's hold, media loss, SRTP and recording, over real sockets.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { clip, hears, lineOf, listen, loud, never, testMedia } from '../../test/rtp-call.ts'
import { openPeer, pcmuTo, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import { levelDb } from '../audio/pcm.ts'
import { parseWavHeader, pcmOf } from '../audio/wav.ts'
import type { AudioFrame } from '../voice/ports.ts'
import type { Media, SrtpKeys } from './leg.ts'
import { SrtpReceiver, SrtpSender } from './srtp.ts'

let media: Media
const folder = mkdtempSync(join(tmpdir(), 'leg-'))
before(async () => {
  media = await testMedia()
})
after(async () => {
  await media.close()
  rmSync(folder, { recursive: true })
})

test('on hold nothing is sent or nothing is heard, time advances, and the play waits', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  peer.speak(leg.port, tone(600, 1000), { loop: true })
  await until('packets', () => peer.got.length > 3)
  leg.configure(pcmuTo(peer.port, { direction: 'recvonly' }))
  const { packetsSent } = await leg.stats()
  await until('all that was sent before', () => peer.got.length >= packetsSent)
  const before = peer.got.at(-1)
  const count = peer.got.length
  const playing = leg.play(clip(tone(1000, 200)), never)
  await listen(leg, 300)
  await hears(leg, 600)
  assert.ok(peer.got.length - count <= 1, 'nothing is sent')
  leg.configure(pcmuTo(peer.port, { direction: 'sendonly' }))
  assert.equal((await playing).playedMs, 200)
  await until('the tone', () => loud(peer).length === 10)
  const after = loud(peer)[0]
  // Compares the least delayed packets: any single one may be late on a busy machine.
  const delayMs = (packets: typeof peer.got) =>
    Math.min(...packets.map(({ atMs, timestamp }) => atMs - ((timestamp - (before?.timestamp ?? 0)) | 0) / 8))
  const gapMs = delayMs(loud(peer)) - delayMs(peer.got.slice(0, count))
  assert.ok(Math.abs(gapMs) < 100, `the timestamp has gone on meanwhile: ${gapMs} ms`)
  assert.ok(after?.marker)
  await listen(leg, 600)
  assert.ok(levelDb(await listen(leg, 200)) < -50, 'it is no longer heard')
})

test('lost media are reported once, and their return; not while on hold', async () => {
  await using line = await lineOf(media, {}, { lostAfterMs: 300 })
  const { leg, peer, events } = line
  const told = () => events.filter(({ type }) => type.startsWith('media-')).map(({ type }) => type)
  await until('the loss', () => told().length === 1)
  const speaking = peer.speak(leg.port, tone(600, 1000), { loop: true })
  await until('the return', () => told().length === 2)
  speaking.stop()
  await until('another loss', () => told().length === 3)
  await listen(leg, 1)
  await listen(leg, 400)
  assert.deepEqual(told(), ['media-lost', 'media-resumed', 'media-lost'])
  const [first] = events.filter(({ type }) => type === 'media-lost')
  assert.ok(first?.type === 'media-lost' && first.forMs >= 300)

  await using held = await lineOf(media, { direction: 'sendonly' }, { lostAfterMs: 100 })
  await using holding = await lineOf(media, { direction: 'recvonly' }, { lostAfterMs: 100 })
  await until('a while', () => held.peer.got.length > 20)
  assert.deepEqual([...held.events, ...holding.events], [])
  holding.leg.configure(pcmuTo(holding.peer.port))
  await until('the loss after the hold', () => holding.events.length === 1)
  assert.equal(holding.events[0]?.type, 'media-lost')
})

const keys = (suite: SrtpKeys['suite']): SrtpKeys => ({ suite, key: randomBytes(30) })

test('SRTP works both ways, and unencrypted packets are not heard', async () => {
  for (const suite of ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const) {
    const [send, receive] = [keys(suite), keys(suite)]
    const far = new SrtpSender(receive)
    const leg = await media.open()
    const peer = await openPeer((rtp) => far.protect(rtp))
    leg.configure(pcmuTo(peer.port, { srtp: { send, receive } }))
    const plain = await openPeer()
    plain.speak(leg.port, tone(1700, 1000), { loop: true })
    await leg.play(clip(tone(1000, 300)), never)
    peer.speak(leg.port, tone(600, 1000), { loop: true })
    await listen(leg, 500)
    await listen(leg, 500)
    await hears(leg, 600)
    const unprotect = new SrtpReceiver(send)
    const clear = peer.got.map(({ raw }) => unprotect.unprotect(raw))
    assert.ok(clear.every((packet) => packet?.length === 172))
    assert.ok(peer.got.every(({ raw }) => raw.length === (suite.endsWith('80') ? 182 : 176)))
    assert.equal(clear.filter((packet) => packet?.subarray(12).some((byte) => (byte & 0x7f) < 0x60)).length, 15)
    assert.equal(plain.got.length, 0)
    await leg.close()
    peer.close()
    plain.close()
  }
})

test('a call is recorded in stereo, and what was sent and came back stands at the same distance each time', async () => {
  const path = join(folder, 'call.wav')
  await using line = await lineOf(media)
  const { leg } = line
  await leg.record(path)
  // The leg is its own peer and hears what it sends: a click every 400 ms.
  leg.configure(pcmuTo(leg.port))
  await until('the latch', () => line.events.some(({ type }) => type === 'latched'))
  const clicks = new Int16Array(8000 * 2)
  for (let at = 1600; at < clicks.length; at += 3200) clicks.fill(16_000, at, at + 8)
  const { recorded } = await leg.play(clip(clicks), never)
  const frames: AudioFrame[] = []
  for await (const frame of leg.input) if (frames.push(frame) === 120) break
  await leg.stopRecording()
  const bytes = readFileSync(path)
  const header = parseWavHeader(bytes)
  assert.ok(header && header.channels === 2 && header.rateHz === 8000)
  assert.equal(bytes.length, 44 + header.dataBytes)
  const all = pcmOf(bytes.subarray(44))
  const places = (side: number) => {
    const found: number[] = []
    for (let i = side; i < all.length; i += 2) {
      if ((all[i] as number) > 8000 && (i >> 1) - (found.at(-1) ?? -1000) > 800) found.push(i >> 1)
    }
    return found
  }
  const [left, right] = [places(0), places(1)]
  assert.equal(right.length, 5)
  assert.deepEqual(
    right.map((place) => place - (right[0] ?? 0)),
    [0, 3200, 6400, 9600, 12_800],
    'ours as it was played',
  )
  assert.equal((recorded?.fromMs ?? 0) * 8 + 1600, right[0], 'where it was played is known to the sample')
  assert.equal((recorded?.toMs ?? 0) - (recorded?.fromMs ?? 0), 2000)
  assert.equal(left.length, 5)
  // A click may span two frames: it is counted once, where it begins.
  const clicked: number[] = []
  for (const { pcm, recordedMs = 0 } of frames) {
    const at = pcm.findIndex((sample) => sample > 8000)
    if (at >= 0 && recordedMs * 8 + at - (clicked.at(-1) ?? -1000) > 800) clicked.push(recordedMs * 8 + at)
  }
  assert.deepEqual(clicked.slice(-3), left.slice(-3), 'each frame says where in the recording it is')
  for (const [i, place] of left.entries()) {
    const laterMs = (place - (right[i] ?? 0)) / 8
    assert.ok(laterMs > 0 && laterMs < 300, `the echo came ${laterMs} ms later`)
  }
})

test('a recording that cannot be written is reported, and the call goes on', async () => {
  await using line = await lineOf(media)
  await line.leg.record(join(folder, 'no', 'such', 'folder.wav'))
  assert.deepEqual(line.events, [{ type: 'recording-failed', problem: 'ENOENT' }])
  await line.leg.stopRecording()
  assert.equal((await line.leg.play(clip(tone(500, 100)), never)).playedMs, 100)
})

test('a recording that was asked for before the answer begins with it', async () => {
  const path = join(folder, 'early.wav')
  const leg = await media.open()
  await leg.record(path)
  leg.configure(pcmuTo(9, { codec: 'G722', payloadType: 9 }))
  await leg.play(clip(tone(500, 200, 16_000), 16_000), never)
  await leg.close()
  const header = parseWavHeader(readFileSync(path))
  assert.equal(header?.rateHz, 16_000)
  assert.ok((header?.dataBytes ?? 0) >= 64 * 200)
})
