// Mutated RTP, RTCP, SRTP and WAV: no reader throws or takes long. FUZZ_RUNS makes it long (100,000 packets, 10,000
// headers) and draws a new seed, which is printed; FUZZ_SEED repeats it.
// @run sqlite
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { encodeUlaw } from '../../src/audio/g711.ts'
import { loadOpus } from '../../src/audio/opus.ts'
import { resample } from '../../src/audio/resample.ts'
import { readWav, wavFile } from '../../src/audio/wav.ts'
import { openCodec } from '../../src/rtp/codecs.ts'
import { isRtcp, readRtp, writeRtp } from '../../src/rtp/packet.ts'
import { AudioReceiver } from '../../src/rtp/receiver.ts'
import { RtcpSession } from '../../src/rtp/rtcp.ts'
import { SrtpReceiver, SrtpSender } from '../../src/rtp/srtp.ts'

const { FUZZ_RUNS, FUZZ_SEED } = process.env
const isLong = FUZZ_RUNS !== undefined
const PACKETS = isLong ? 100_000 : 3000
const HEADERS = isLong ? 10_000 : 300
/** CPU time of this thread, so that other load does not count. A reader that is not linear takes seconds. */
const MAX_MS = isLong ? 100 : 1000

/** mulberry32: the same numbers for the same seed. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
const seed = FUZZ_SEED ? Number(FUZZ_SEED) : isLong ? randomInt(2 ** 31) : 20_240_607
const upTo = chance(seed)

/** Changes, truncates, duplicates or inserts some bytes. */
function mutated(bytes: Buffer): Buffer {
  let next = Buffer.from(bytes)
  for (let i = upTo(5); i >= 0; i--) {
    const at = upTo(next.length + 1)
    const kind = upTo(5)
    if (kind === 0 && next.length > 0) next[at % next.length] = upTo(256)
    else if (kind === 1 && next.length > 0)
      next[at % Math.min(next.length, 48)] = [0, 1, 0x7f, 0x80, 0xff][upTo(5)] as number
    else if (kind === 2) next = next.subarray(0, at)
    else if (kind === 3) next = Buffer.concat([next.subarray(0, at), next.subarray(at >> 1)]).subarray(0, 3000)
    else next = Buffer.concat([next.subarray(0, at), Buffer.from([upTo(256), upTo(256)]), next.subarray(at)])
  }
  return next
}

let longestMs = 0
function timed(what: () => void, bytes: Buffer): void {
  const from = process.threadCpuUsage()
  try {
    what()
  } catch (error) {
    assert.fail(
      `seed ${seed}: ${error instanceof Error ? error.stack : error} of ${bytes.toString('hex').slice(0, 400)}`,
    )
  }
  const { user, system } = process.threadCpuUsage(from)
  longestMs = Math.max(longestMs, (user + system) / 1000)
}

const keys = { suite: 'AES_CM_128_HMAC_SHA1_80', key: new Uint8Array(30).map((_, i) => i) } as const
const types = { PCMU: 0, PCMA: 8, G722: 9, opus: 111 } as const
/** A sender report with a source, and a BYE. */
const report = Buffer.from(
  '81c8000c00000001e0000000000000000000000000000001000000a000000002010000050000000a000000030000000400000005' +
    '81cb000100000001',
  'hex',
)

test('mutated RTP, RTCP and SRTP is decoded or rejected, with every codec', async (t) => {
  const names = ((await loadOpus()) ? Object.keys(types) : ['PCMU', 'PCMA', 'G722']) as (keyof typeof types)[]
  const ends = names.map((name) => {
    const codec = openCodec(name)
    const receiver = new AudioReceiver({
      codec,
      payloadType: types[name],
      dtmfPayloadType: 101,
      comfortNoisePayloadType: 13,
      detectInband: true,
      onDigit: () => {},
    })
    const options = { ssrc: 7, cname: 'x', clockHz: codec.clockHz, reception: receiver.reception }
    return {
      codec,
      name,
      receiver,
      rtcp: new RtcpSession(options),
      sender: new SrtpSender(keys),
      srtp: new SrtpReceiver(keys),
    }
  })
  let nowMs = 1000
  let heard = 0
  for (let i = 0; i < PACKETS; i++) {
    const end = ends[i % ends.length] as (typeof ends)[number]
    const kinds = [types[end.name], types[end.name], 101, 13]
    const payloadType = kinds[upTo(kinds.length)] as number
    const pcm = Int16Array.from({ length: end.codec.rateHz / 50 }, () => upTo(65_536) - 32_768)
    const sound =
      payloadType === 101
        ? Buffer.from([upTo(16), 10, 1, 64])
        : payloadType === 13
          ? Buffer.from([60, 3])
          : end.codec.encode(pcm)
    const header = {
      payloadType,
      marker: upTo(9) === 0,
      sequence: (i >> 2) & 0xffff,
      timestamp: (i >> 2) * 160,
      ssrc: 5,
    }
    const whole = writeRtp(header, sound)
    const isControl = upTo(4) === 0
    const isSecure = upTo(4) === 0
    const clear = isControl ? Buffer.from(report) : whole
    const sent = isSecure ? (isControl ? end.sender.protectRtcp(clear) : end.sender.protect(clear)) : clear
    const bytes = upTo(10) === 0 ? sent : mutated(Buffer.from(sent))
    timed(() => {
      const got = isSecure ? (isControl ? end.srtp.unprotectRtcp(bytes) : end.srtp.unprotect(bytes)) : bytes
      if (got && (isControl || isRtcp(got))) return void end.rtcp.read(got, nowMs)
      const packet = got && readRtp(got)
      if (packet) end.receiver.put(packet, nowMs)
      if (packet) heard++
    }, bytes)
    if (i % ends.length === 0) nowMs += 20
    if (i % 3 === 0) timed(() => void end.receiver.pull(nowMs), bytes)
    if (i % 500 === 0) timed(() => void end.rtcp.report(nowMs), bytes)
  }
  for (const { codec } of ends) codec.close?.()
  t.diagnostic(`${PACKETS} packets, ${heard} read as RTP, the longest took ${longestMs.toFixed(1)} ms (seed ${seed})`)
  assert.ok(heard > PACKETS / 20 && heard < PACKETS, `${heard} of ${PACKETS}`)
  assert.ok(longestMs < MAX_MS, `${longestMs} ms (seed ${seed})`)
})

test('mutated WAV headers are rejected or decoded, and decoded audio can be resampled', (t) => {
  longestMs = 0
  const files = [8000, 44_100, 48_000].map((rateHz) => wavFile(new Int16Array(rateHz / 100), rateHz))
  const ulaw = wavFile(new Int16Array(80), 8000)
  ulaw.writeUInt16LE(7, 20)
  ulaw.writeUInt16LE(8, 34)
  ulaw.set(encodeUlaw(new Int16Array(100)), 44)
  let taken = 0
  for (let i = 0; i < HEADERS; i++) {
    const file = Buffer.from([...files, ulaw][upTo(4)] as Buffer)
    const field = [4, 16, 20, 22, 24, 28, 32, 34, 40][upTo(9)] as number
    if (upTo(2) === 0)
      file.writeUInt32LE([0, 1, 4025, 399_999, 0x7fffffff, 0xffffffff, upTo(2 ** 31)][upTo(7)] as number, field)
    const bytes = upTo(2) === 0 ? Buffer.concat([mutated(file.subarray(0, 44)), file.subarray(44)]) : file
    timed(() => {
      let wav: ReturnType<typeof readWav>
      try {
        wav = readWav(bytes)
      } catch (error) {
        assert.ok(error instanceof Error && /WAV|sample rate/.test(error.message), String(error))
        return
      }
      taken++
      resample(wav.pcm, wav.rateHz, 8000)
    }, bytes)
  }
  t.diagnostic(`${HEADERS} headers, ${taken} read, the longest took ${longestMs.toFixed(1)} ms (seed ${seed})`)
  assert.ok(taken > HEADERS / 20 && taken < HEADERS)
  assert.ok(longestMs < MAX_MS, `${longestMs} ms (seed ${seed})`)
})
