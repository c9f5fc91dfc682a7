// Which packets a leg accepts and which it ignores, over real sockets.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { hears, type Line, lineOf, listen, testMedia } from '../../test/rtp-call.ts'
import { openPeer, pcmuTo, purityOfParts, type RtpPeer, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import type { Media } from './leg.ts'
import { AudioReceiver } from './receiver.ts'
import { RtpLeg } from './rtp-leg.ts'
import type { Notification } from './wire.ts'

let media: Media
before(async () => {
  media = await testMedia()
})
after(() => media.close())

const latches = ({ events }: Line) => events.filter(({ type }) => type === 'latched')

/** Drops the buffered input, which is two seconds at most. */
async function skipInput(line: Line): Promise<void> {
  await listen(line.leg, 1)
  await listen(line.leg, 100)
}

test('the peer is heard from the first packet of its own address on', async () => {
  await using line = await lineOf(media)
  const speaking = line.peer.speak(line.leg.port, tone(600, 1000), { loop: true })
  await until('the latch', () => latches(line).length === 1)
  assert.deepEqual(latches(line), [{ type: 'latched', address: '127.0.0.1', port: line.peer.port }])
  await listen(line.leg, 300)
  await hears(line.leg, 600)
  const stats = await line.leg.stats()
  assert.ok(stats.packetsReceived > 20 && stats.packetsSent > 20)
  assert.equal(stats.refused, 0)
  speaking.stop()
})

test('a peer behind a NAT is followed to where it sends from', async () => {
  await using line = await lineOf(media)
  const natted = await openPeer()
  await until('packets to where the SDP says', () => line.peer.got.length > 0)
  const speaking = natted.speak(line.leg.port, tone(600, 1000), { loop: true })
  await until('packets to where it comes from', () => natted.got.length > 5)
  assert.deepEqual(latches(line), [{ type: 'latched', address: '127.0.0.1', port: natted.port }])
  const before = line.peer.got.length
  await until('more of them', () => natted.got.length > 15)
  assert.equal(line.peer.got.length, before, 'and no longer to the SDP’s')
  speaking.stop()
  natted.close()
})

/** Ten thousand packets per second: valid RTP, invalid RTP and noise. */
function spray(from: RtpPeer, to: number): () => void {
  const payload = new Uint8Array(160).fill(0x80) // full scale
  const timer = setInterval(() => {
    for (let i = 0; i < 34; i++) from.send(to, payload)
    for (let i = 0; i < 8; i++) from.sendRaw(to, randomBytes(40))
    for (let i = 0; i < 8; i++) from.send(to, payload, { type: 96 })
  }, 5)
  return () => clearInterval(timer)
}

test('a second sender that sprays RTP at a live port is neither heard nor sent to', async () => {
  await using line = await lineOf(media)
  const speaking = line.peer.speak(line.leg.port, tone(600, 9000))
  await until('the latch', () => latches(line).length === 1)
  const sprayer = await openPeer()
  sprayer.ssrc = line.peer.ssrc // it even uses the right SSRC
  const stop = spray(sprayer, line.leg.port)
  await skipInput(line)
  const heard = await listen(line.leg, 2000)
  assert.ok(purityOfParts(heard, 600) > 0.9, `${purityOfParts(heard, 600)}`)
  const stats = await until('thousands were refused', async () => {
    const now = await line.leg.stats()
    return now.refused > 2000 && now
  })
  assert.ok(stats.packetsReceived < 500, `${stats.packetsReceived}`)
  assert.equal(sprayer.got.length, 0)
  assert.equal(latches(line).length, 1)
  stop()
  speaking.stop()
  sprayer.close()
})

test('a spray before the call has begun is not heard when the peer speaks', async () => {
  await using line = await lineOf(media)
  const sprayer = await openPeer()
  const stop = spray(sprayer, line.leg.port)
  await until('the sprayer was quicker', () => latches(line).length === 1)
  const speaking = line.peer.speak(line.leg.port, tone(600, 1000), { loop: true })
  await until('the peer took over', () => latches(line).length === 2)
  const sent = sprayer.got.length
  await listen(line.leg, 1500)
  const heard = await listen(line.leg, 2000)
  assert.ok(purityOfParts(heard, 600) > 0.9, `${purityOfParts(heard, 600)}`)
  assert.ok(sprayer.got.length - sent <= 1)
  stop()
  speaking.stop()
  sprayer.close()
})

test('an SSRC that changes from the same address goes on being heard', async () => {
  await using line = await lineOf(media)
  const speaking = line.peer.speak(line.leg.port, tone(600, 1000), { loop: true })
  await until('the latch', () => latches(line).length === 1)
  line.peer.ssrc = 0x0badcafe
  line.peer.sequence = 7
  line.peer.timestamp = 12_345
  await listen(line.leg, 600)
  await hears(line.leg, 600)
  speaking.stop()
})

test('a re-INVITE moves the call to another address', async () => {
  await using line = await lineOf(media)
  line.peer.speak(line.leg.port, tone(600, 1000), { loop: true })
  await until('the latch', () => latches(line).length === 1)
  const other = await openPeer()
  line.leg.configure(pcmuTo(other.port))
  await until('packets to the new one', () => other.got.length > 0)
  other.speak(line.leg.port, tone(900, 1000), { loop: true })
  await until('the new latch', () => latches(line).length === 2)
  await listen(line.leg, 600)
  await hears(line.leg, 900)
  other.close()
})

test('a packet on which our own reading fails is a fault, reported once for each leg, and not a refused one', async (t) => {
  const notes: Notification[] = []
  const leg = new RtpLeg({ do: 'open', leg: 7, port: 0, lostAfterMs: 1000, detectInband: false }, (note) =>
    notes.push(note),
  )
  const peer = await openPeer()
  t.after(async () => {
    peer.close()
    await leg.close()
  })
  const port = await boundTo(leg)
  leg.configure(pcmuTo(peer.port))
  t.mock.method(AudioReceiver.prototype, 'put', () => {
    throw new Error('a mistake of ours')
  })
  for (let i = 0; i < 3; i++) peer.send(port, new Uint8Array(160))
  peer.sendRaw(port, randomBytes(3))
  const stats = await until('all four came', () => {
    leg.receive()
    return leg.stats().refused === 1 && leg.stats()
  })
  assert.equal(stats.faults, 3)
  const told = notes.flatMap((note) => (note.is === 'fault' ? [note.problem] : []))
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /a mistake of ours/)
})

/** Binds the leg to the first free pair of ports. */
async function boundTo(leg: RtpLeg): Promise<number> {
  for (let port = 21_000; port < 29_000; port += 2) {
    const isFree = await leg.bind('127.0.0.1', port).then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
  throw new Error('no pair of ports is free')
}
