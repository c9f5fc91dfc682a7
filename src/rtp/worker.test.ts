// What two legs send each other: codecs, a codec change mid-call, RTCP, IPv6.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { clip, lineOf, listen, never, testMedia } from '../../test/rtp-call.ts'
import { openPeer, pcmuTo, purity, type RtpPeer, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import { parseWavHeader } from '../audio/wav.ts'
import type { LegSettings, Media, MediaLeg } from './leg.ts'
import { openMedia } from './pool.ts'

let media: Media
const folder = mkdtempSync(join(tmpdir(), 'legs-'))
before(async () => {
  media = await testMedia()
})
after(async () => {
  await media.close()
  rmSync(folder, { recursive: true })
})

const codecs: Partial<LegSettings>[] = [
  { codec: 'PCMU', payloadType: 0 },
  { codec: 'PCMA', payloadType: 8 },
  { codec: 'G722', payloadType: 9 },
  { codec: 'opus', payloadType: 107 },
]

/** Configures both legs with `settings`, each as the other's peer. */
function join2(a: MediaLeg, b: MediaLeg, settings: Partial<LegSettings>): void {
  a.configure(pcmuTo(b.port, settings))
  b.configure(pcmuTo(a.port, settings))
}

/** The purity of the best 300 ms heard: audio of an earlier codec may come first. */
async function best(leg: MediaLeg, hz: number, rateHz: number): Promise<number> {
  const heard = await listen(leg, 900)
  let most = 0
  for (let at = 0; at + 0.3 * rateHz <= heard.length; at += rateHz / 20) {
    most = Math.max(most, purity(heard.subarray(at, at + 0.3 * rateHz), hz, rateHz))
  }
  return most
}

test('every codec carries a tone from leg to leg, and a call may change from one to the other', async () => {
  const [a, b] = [await media.open(), await media.open()]
  await b.record(join(folder, 'codecs.wav'))
  void a.play(clip(tone(800, 20_000, 24_000), 24_000), never)
  for (const settings of codecs) {
    join2(a, b, settings)
    const rateHz = settings.codec === 'G722' || settings.codec === 'opus' ? 16_000 : 8000
    const purest = await until(`800 Hz by ${settings.codec}`, async () => {
      const found = await best(b, 800, rateHz)
      return found > 0.98 && found
    })
    assert.ok(purest > 0.98)
  }
  await Promise.all([a.close(), b.close()])
  const header = parseWavHeader(readFileSync(join(folder, 'codecs.wav')))
  assert.equal(header?.rateHz, 8000, 'the recording keeps the rate that it began with')
  assert.ok((header?.dataBytes ?? 0) >= 4 * 32_000 * 0.8)
})

/** Two sockets on neighboring ports. */
async function peerWithRtcp(): Promise<{ peer: RtpPeer; rtcp: Socket }> {
  for (;;) {
    const peer = await openPeer()
    const rtcp = createSocket('udp4')
    const isBound = await new Promise<boolean>((resolve) => {
      rtcp.once('error', () => resolve(false))
      rtcp.bind(peer.port + 1, '127.0.0.1', () => resolve(true))
    })
    if (isBound) return { peer, rtcp }
    peer.close()
    rtcp.close()
  }
}

test('RTCP goes to the next port, and what the peer reports of us is reported', async (t) => {
  const { peer, rtcp } = await peerWithRtcp()
  const leg = await media.open()
  leg.configure(pcmuTo(peer.port))
  t.after(() => leg.close())
  t.after(() => peer.close())
  t.after(() => rtcp.close())
  peer.speak(leg.port, tone(600, 1000), { loop: true })
  const [report] = (await once(rtcp, 'message')) as [Buffer]
  assert.equal(report[1], 200, 'a sender report')
  const ssrc = report.readUInt32BE(4)
  assert.equal(ssrc, peer.got[0]?.ssrc)
  assert.equal(report.readUInt32BE(28), peer.ssrc, 'about what it hears of us')
  // A receiver report: a quarter was lost, and the leg's last report arrived just now.
  const answer = Buffer.alloc(32)
  answer.set([0x81, 201, 0, 7])
  answer.writeUInt32BE(peer.ssrc, 4)
  answer.writeUInt32BE(ssrc, 8)
  answer[12] = 64
  answer.writeUInt32BE(report.readUInt32BE(10), 24)
  const stranger = await openPeer()
  stranger.sendRaw(leg.port + 1, Buffer.from('this is no report'))
  peer.sendRaw(leg.port + 1, answer)
  const stats = await until('the report', async () => {
    const now = await leg.stats()
    return now.remoteLossFraction !== null && now
  })
  assert.equal(stats.remoteLossFraction, 0.25)
  assert.ok(stats.roundTripMs !== null && stats.roundTripMs < 5000)
  stranger.close()
})

test('bound to all addresses of both kinds, a call with an IPv4 phone works', async (t) => {
  const both = await openMedia({ host: '::', ports: { from: 20_000, to: 29_999 }, workers: 1 })
  t.after(() => both.close())
  await using line = await lineOf(both)
  line.peer.speak(line.leg.port, tone(600, 1000), { loop: true })
  await until('both ways', () => line.peer.got.length > 3 && line.events.length > 0)
  assert.deepEqual(line.events[0], { type: 'latched', address: '127.0.0.1', port: line.peer.port })
})
