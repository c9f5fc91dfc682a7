// RTCP as the other side reads it: counts, loss, jitter, round-trip time, interval, and malformed bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRtcp } from './packet.ts'
import { Reception } from './reception.ts'
import { RtcpSession } from './rtcp.ts'

const CLOCK_HZ = 8000
const header = (n: number, ssrc = 9) => ({
  payloadType: 0,
  marker: false,
  sequence: n & 0xffff,
  timestamp: (n * 160) >>> 0,
  ssrc,
})
function side(ssrc: number) {
  const reception = new Reception(CLOCK_HZ)
  return { reception, session: new RtcpSession({ ssrc, cname: `side-${ssrc}`, clockHz: CLOCK_HZ, reception }) }
}

test('a sender report has our counts and the timestamp of its moment, and says our name', () => {
  const { session } = side(0x01020304)
  for (let n = 0; n < 10; n++) session.sent(n * 160, 160, n * 20)
  const report = session.report(205)
  assert.ok(isRtcp(report))
  assert.equal(report[1], 200)
  assert.equal(report.readUInt32BE(4), 0x01020304)
  // 25 ms after the last packet.
  assert.equal(report.readUInt32BE(16), 9 * 160 + 200)
  assert.equal(report.readUInt32BE(20), 10)
  assert.equal(report.readUInt32BE(24), 1600)
  const name = report.subarray(28)
  assert.equal(name[1], 202)
  assert.equal(name.readUInt16BE(2) * 4 + 4, name.length)
  assert.equal(name.toString('latin1', 10, 10 + (name[9] as number)), 'side-16909060')
  assert.equal(name[10 + (name[9] as number)], 0)
})

test('NTP time is that of the wall', () => {
  const { session } = side(1)
  session.sent(0, 160, performance.now())
  const report = session.report(performance.now())
  const unixS = report.readUInt32BE(8) - 2_208_988_800 + report.readUInt32BE(12) / 2 ** 32
  assert.ok(Math.abs(unixS - Date.now() / 1000) < 1, `${unixS}`)
})

test('without sending it makes receiver reports, with one block when it receives', () => {
  const { session, reception } = side(1)
  assert.equal(session.report(0)[1], 201)
  assert.equal((session.report(0)[0] as number) & 31, 0)
  reception.read(header(1), 0)
  const report = session.report(0)
  assert.equal(report[1], 201)
  assert.equal((report[0] as number) & 31, 1)
  assert.equal(report.readUInt32BE(8), 9)
})

test('loss since the last report and in all, and the extended sequence over a wrap', () => {
  const { session, reception } = side(1)
  for (let n = 65_500; n < 65_600; n++) if (n % 4 !== 0) reception.read(header(n), n * 20)
  const block = session.report(0).subarray(8)
  // The loss of the very first packet cannot be detected: 24 of 99 are lost.
  assert.equal(block[4], Math.floor((24 * 256) / 99))
  assert.equal(block.readUIntBE(5, 3), 24)
  assert.equal(block.readUInt32BE(8), 65_599)
  for (let n = 65_600; n < 65_700; n++) reception.read(header(n), n * 20)
  const next = session.report(0).subarray(8)
  assert.equal(next[4], 0)
  assert.equal(next.readUIntBE(5, 3), 24)
})

test('jitter is measured as RFC 3550 says: even packets have none, uneven ones nearly their spread', () => {
  const even = new Reception(CLOCK_HZ)
  const uneven = new Reception(CLOCK_HZ)
  for (let n = 0; n < 500; n++) {
    even.read(header(n), n * 20)
    uneven.read(header(n), n * 20 + (n % 2) * 10)
  }
  assert.ok(even.jitterMs < 0.01, `${even.jitterMs}`)
  assert.ok(Math.abs(uneven.jitterMs - 10) < 0.5, `${uneven.jitterMs}`)
})

test('the packets of a digit, which all have one timestamp, are no jitter', () => {
  const reception = new Reception(CLOCK_HZ)
  for (let n = 0; n < 200; n++)
    reception.read({ ...header(n), timestamp: (n < 100 || n > 110 ? n : 100) * 160 }, n * 20)
  assert.ok(reception.jitterMs < 0.01, `${reception.jitterMs}`)
})

test('duplicates are counted but do not hide a loss', () => {
  const reception = new Reception(CLOCK_HZ)
  for (let n = 0; n < 100; n++) if (n !== 50) for (let i = 0; i < 2; i++) reception.read(header(n), n * 20)
  assert.equal(reception.duplicates, 99)
  assert.equal(reception.lost, 1)
})

test('a new source is believed at its second packet, a stray one never', () => {
  const reception = new Reception(CLOCK_HZ)
  for (let n = 0; n < 10; n++) reception.read(header(n), n * 20)
  assert.equal(reception.read(header(3000, 5), 200), 'probation')
  assert.equal(reception.read(header(10), 200), 'next')
  assert.equal(reception.read(header(3001, 5), 220), 'probation')
  assert.equal(reception.ssrc, 9)
  assert.equal(reception.read(header(3002, 5), 240), 'restart')
  assert.equal(reception.ssrc, 5)
  assert.equal(reception.total, 13)
  assert.equal(reception.lost, 0)
})

test('the round trip is measured through the peer and its delay', () => {
  const ours = side(1)
  const theirs = side(2)
  for (let n = 0; n < 50; n++) {
    ours.session.sent(n * 160, 160, n * 20)
    theirs.reception.read(header(n, 1), n * 20 + 30)
  }
  // 30 ms there, 700 ms until their report, 30 ms back; both sides use this machine's clock.
  assert.ok(theirs.session.read(ours.session.report(1000), 1030))
  assert.ok(ours.session.read(theirs.session.report(1730), 1760))
  assert.ok(Math.abs((ours.session.roundTripMs ?? 0) - 60) < 1, `${ours.session.roundTripMs}`)
  assert.equal(ours.session.remoteLossFraction, 0)
})

test('what the peer loses of ours is known', () => {
  const ours = side(1)
  const theirs = side(2)
  for (let n = 0; n < 200; n++) if (n % 10 !== 5) theirs.reception.read(header(n, 1), n * 20)
  assert.equal(ours.session.remoteLossFraction, null)
  ours.session.read(theirs.session.report(0), 0)
  assert.ok(Math.abs((ours.session.remoteLossFraction ?? 0) - 0.1) < 0.01)
})

test('a report about somebody else is not about us', () => {
  const ours = side(1)
  const theirs = side(2)
  for (let n = 0; n < 100; n += 3) theirs.reception.read(header(n, 77), n * 20)
  ours.session.read(theirs.session.report(0), 0)
  assert.equal(ours.session.remoteLossFraction, null)
})

test('BYE of the one we hear says that it has left', () => {
  const ours = side(1)
  const theirs = side(9)
  ours.reception.read(header(1, 9), 0)
  assert.ok(ours.session.read(side(8).session.bye(0), 0))
  assert.equal(ours.session.hasLeft, false)
  assert.ok(ours.session.read(theirs.session.bye(0), 0))
  assert.equal(ours.session.hasLeft, true)
})

test('reports come about every five seconds, the first sooner, never all at once', () => {
  const { session } = side(1)
  const times: number[] = []
  for (let nowMs = 0; nowMs < 600_000; nowMs += 20)
    if (session.isDue(nowMs)) {
      times.push(nowMs)
      session.report(nowMs)
    }
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number))
  assert.ok((times[0] as number) < 3200, `${times[0]}`)
  assert.ok(Math.min(...gaps) > 2000 && Math.max(...gaps) < 6300, `${Math.min(...gaps)} to ${Math.max(...gaps)}`)
  assert.ok(new Set(gaps).size > 50)
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  assert.ok(mean > 3300 && mean < 5000, `${mean}`)
})

test('broken and random bytes change nothing and never throw', () => {
  const ours = side(1)
  const theirs = side(2)
  for (let n = 0; n < 100; n++) theirs.reception.read(header(n, 1), n * 20)
  theirs.session.sent(0, 160, 0)
  const good = theirs.session.report(0)
  for (let size = 0; size < good.length; size++)
    if (size % 4 !== 0) assert.equal(ours.session.read(good.subarray(0, size), 0), false, `${size} bytes`)
  let seed = 3
  for (let n = 0; n < 20_000; n++) {
    const bytes = Buffer.from(good)
    for (let i = 0; i < 1 + (n % 8); i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      bytes[(seed >>> 8) % bytes.length] = seed >>> 24
    }
    ours.session.read(bytes.subarray(0, (seed >>> 4) % (bytes.length + 1)), n)
    assert.ok((ours.session.roundTripMs ?? 0) >= 0)
    assert.ok((ours.session.remoteLossFraction ?? 0) <= 1)
  }
})
