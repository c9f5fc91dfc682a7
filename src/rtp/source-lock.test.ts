import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceLock } from './source-lock.ts'

const SDP = { address: '192.0.2.1', port: 4000 }
/** The source address of the peer's signaling: its NAT. */
const NAT = '198.51.100.7'
const trust = { signaling: NAT, isAuthenticated: false }
const STRANGER = '203.0.113.9'

/** Packets from one source, 20 ms apart. */
function sender(lock: SourceLock, address: string, port: number, ssrc = 1) {
  let sequence = 100
  return (nowMs: number, count = 1) => {
    let verdict = ''
    for (let i = 0; i < count; i++) {
      verdict = lock.mayBeHeard(address, port, nowMs + 20 * i)
        ? lock.judge(address, port, ssrc, sequence++ & 0xffff, nowMs + 20 * i)
        : 'refused'
    }
    return verdict
  }
}

function fresh() {
  const lock = new SourceLock()
  lock.expect(SDP, trust)
  return lock
}

test("the SDP's own address is believed with its first packet", () => {
  const lock = fresh()
  assert.deepEqual(lock.target, SDP)
  const far = sender(lock, SDP.address, SDP.port)
  assert.equal(far(0), 'locked')
  assert.equal(far(20), 'heard')
  assert.deepEqual(lock.target, SDP)
})

test('the address of the signalling is believed after three packets in a row, and is then sent to', () => {
  const lock = fresh()
  const natted = sender(lock, NAT, 31_000)
  assert.equal(natted(0), 'refused')
  assert.equal(natted(20), 'refused')
  assert.deepEqual(lock.target, SDP)
  assert.equal(natted(40), 'locked')
  assert.deepEqual(lock.target, { address: NAT, port: 31_000 })
})

test('packets that do not follow one another prove nothing', () => {
  const lock = fresh()
  for (let i = 0; i < 50; i++) assert.equal(lock.judge(NAT, 9, 5, (i * 7919) & 0xffff, i), 'refused')
  for (let i = 0; i < 50; i++) assert.equal(lock.judge(NAT, 9, i, i, i), 'refused')
  assert.equal(lock.locked, null)
})

test('once locked, no other source is accepted', () => {
  const lock = fresh()
  const far = sender(lock, NAT, 31_000)
  far(0, 3)
  const sprayer = sender(lock, STRANGER, 9)
  for (let nowMs = 100; nowMs < 5000; nowMs += 20) {
    assert.equal(far(nowMs), 'heard')
    assert.equal(sprayer(nowMs, 4), 'refused')
  }
  assert.equal(sender(lock, NAT, 31_002)(5000, 5), 'refused', 'not even another port of the same host')
})

test('a new SSRC from the locked address is heard', () => {
  const lock = fresh()
  sender(lock, SDP.address, SDP.port, 1)(0)
  assert.equal(sender(lock, SDP.address, SDP.port, 2)(20), 'heard')
})

test("the SDP's address takes over from one that was quicker", () => {
  const lock = fresh()
  const quick = sender(lock, NAT, 9)
  assert.equal(quick(0, 3), 'locked')
  assert.equal(sender(lock, SDP.address, SDP.port)(100), 'locked')
  assert.equal(quick(120), 'refused')
})

test('after two seconds of silence another source may come, and the old one may still come back', () => {
  const lock = fresh()
  const far = sender(lock, NAT, 31_000)
  far(0, 3)
  assert.equal(sender(lock, NAT, 31_002)(1900, 5), 'refused')
  const late = fresh()
  const old = sender(late, NAT, 31_000)
  old(0, 3)
  const moved = sender(late, NAT, 31_002)
  assert.equal(moved(2100, 2), 'refused')
  assert.equal(old(2150), 'heard', 'it was there first')
  assert.equal(moved(2160, 2), 'refused')
  assert.equal(moved(4300, 3), 'locked')
  assert.deepEqual(late.target, { address: NAT, port: 31_002 })
})

test('a re-INVITE with another address releases the lock; the old stream is heard until the new one arrives', () => {
  const lock = fresh()
  const old = sender(lock, SDP.address, SDP.port)
  old(0)
  lock.expect(SDP, trust)
  assert.equal(old(20), 'heard', 'the same address again changes nothing')
  lock.expect({ address: '192.0.2.2', port: 5000 }, trust)
  assert.deepEqual(lock.target, { address: '192.0.2.2', port: 5000 })
  assert.equal(old(40, 5), 'heard')
  assert.deepEqual(lock.target, { address: '192.0.2.2', port: 5000 }, 'but not sent to')
  assert.equal(sender(lock, '192.0.2.2', 5000)(200), 'locked')
  assert.equal(old(220), 'refused')
})

test('when only the SDP has changed and the stream goes on, it is followed again after two seconds', () => {
  const lock = fresh()
  const natted = sender(lock, NAT, 31_000)
  natted(0, 3)
  lock.expect({ address: '10.0.0.9', port: 5000 }, trust)
  assert.equal(natted(100, 99), 'heard')
  assert.equal(natted(2080), 'locked')
})

test('an old-style hold (0.0.0.0) leaves no target, and its end brings the peer back', () => {
  const lock = fresh()
  assert.ok(lock.target)
  lock.expect({ address: '0.0.0.0', port: 4000 }, trust)
  assert.equal(lock.target, null)
  lock.expect(SDP, trust)
  assert.deepEqual(lock.target, SDP)
})

test('a spray from thousands of ports does not keep out a source that sends in order, and takes no memory', () => {
  const lock = fresh()
  const natted = sender(lock, NAT, 31_000)
  let port = 0
  const spray = () => {
    for (let i = 0; i < 200; i++) lock.judge(NAT, port++ & 0xffff, i, i, 0)
  }
  assert.equal(natted(0, 2), 'refused')
  spray()
  assert.equal(natted(40), 'locked')
})

test('an unknown source is never latched: neither before the first packet of the peer nor in its silence', () => {
  const lock = fresh()
  const stranger = sender(lock, STRANGER, 9)
  assert.equal(stranger(0, 200), 'refused')
  assert.equal(lock.mayBeHeard(STRANGER, 9, 0), false, 'nothing of it is even read')
  const far = sender(lock, NAT, 31_000)
  assert.equal(far(100, 3), 'locked')
  assert.equal(stranger(9000, 200), 'refused')
  assert.equal(far(20_000), 'heard')
})

test('once locked, only the same address may move it, after two seconds of silence', () => {
  const lock = fresh()
  sender(lock, SDP.address, SDP.port)(0)
  assert.equal(sender(lock, NAT, 31_000)(5000, 5), 'refused')
  assert.equal(sender(lock, SDP.address, 4002)(5000, 3), 'locked')
})

test('with no address of the signalling only that of the SDP is believed, by any port', () => {
  const lock = new SourceLock()
  lock.expect(SDP, { signaling: null, isAuthenticated: false })
  assert.equal(sender(lock, NAT, 31_000)(0, 5), 'refused')
  assert.equal(sender(lock, SDP.address, 31_000)(0, 3), 'locked')
})

test('a peer that moves with a re-INVITE is believed from where its signalling now comes', () => {
  const lock = fresh()
  sender(lock, NAT, 31_000)(0, 3)
  lock.expect({ address: '10.0.0.9', port: 5000 }, { ...trust, signaling: '198.51.100.8' })
  assert.equal(sender(lock, STRANGER, 9)(100, 5), 'refused')
  assert.equal(sender(lock, '198.51.100.8', 31_000)(100, 3), 'locked')
})

test('packets that prove themselves (SRTP) may come from anywhere', () => {
  const lock = new SourceLock()
  lock.expect(SDP, { signaling: null, isAuthenticated: true })
  assert.equal(sender(lock, '198.51.100.99', 9)(0, 3), 'locked')
  assert.equal(sender(lock, '198.51.100.98', 9)(3000, 3), 'locked')
})
