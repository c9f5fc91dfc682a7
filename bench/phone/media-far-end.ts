// The remote end of many calls, in its own process: each call sends 50 packets a second, and the jitter of the
// platform's packets is measured.
import { createSocket } from 'node:dgram'
import { loadOpus } from '../../src/audio/opus.ts'
import { openCodec } from '../../src/rtp/codecs.ts'
import type { CodecName } from '../../src/rtp/leg.ts'
import { tone } from '../../test/rtp-peer.ts'
import { type Figure, percentile } from '../report/figures.ts'
import { payloadTypes } from './payload-types.ts'

export type ToFarEnd = { do: 'begin'; ports: number[]; codec: CodecName } | { do: 'measure' } | { do: 'report' }
export type FarEndReport = {
  packets: number
  seconds: number
  jitterMs: { p50: Figure; p99: Figure; max: Figure }
}

const TICK_MS = 20
/** Spreads the calls over the tick: phones do not all send at the same moment. */
const PARTS = 10

/** All addresses are literals, so no DNS lookup is needed. */
const lookup = (address: string, _: unknown, done: (error: null, address: string, family: number) => void) =>
  done(null, address, 4)
const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20, lookup: lookup as never })
const lastMs = new Float64Array(65_536)
let apart: number[] | null = null
let sinceMs = 0

socket.on('message', (_bytes, { port }) => {
  const nowMs = performance.now()
  if (apart) {
    const last = lastMs[port] as number
    if (last > 0) apart.push(Math.abs(nowMs - last - TICK_MS))
  }
  lastMs[port] = nowMs
})
await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))

/** One second of tone, one payload per packet: a whole number of periods, so that it loops without a click. */
function payloadsOf(codec: CodecName): { payloads: Uint8Array[]; step: number } {
  const { rateHz, clockHz, encode } = openCodec(codec)
  const pcm = tone(600, 1000, rateHz)
  const size = rateHz / 50
  const payloads = Array.from({ length: 50 }, (_, i) => Uint8Array.from(encode(pcm.subarray(i * size, (i + 1) * size))))
  return { payloads, step: clockHz / 50 }
}

function speak(ports: readonly number[], codec: CodecName): void {
  const { payloads, step: clockStep } = payloadsOf(codec)
  const headers = ports.map((_, i) => {
    const header = Buffer.alloc(12)
    header[0] = 0x80
    header[1] = payloadTypes[codec]
    header.writeUInt32BE(i + 1, 8)
    return header
  })
  const startMs = performance.now()
  let step = 0
  const send = (i: number, tick: number) => {
    const header = headers[i] as Buffer
    header.writeUInt16BE(tick & 0xffff, 2)
    header.writeUInt32BE((tick * clockStep) >>> 0, 4)
    const packet = Buffer.concat([header, payloads[tick % 50] as Uint8Array])
    socket.send(packet, ports[i] as number, '127.0.0.1')
  }
  const next = () => {
    while (startMs + (step * TICK_MS) / PARTS <= performance.now()) {
      const [tick, part] = [Math.floor(step / PARTS), step % PARTS]
      for (let i = part; i < ports.length; i += PARTS) send(i, tick)
      step++
    }
    setTimeout(next, Math.max(0, Math.floor(startMs + (step * TICK_MS) / PARTS - performance.now())))
  }
  next()
}

function report(): FarEndReport {
  const seconds = (performance.now() - sinceMs) / 1000
  const all = apart ?? []
  const at = (share: number) => percentile(all, share)
  return { packets: all.length, seconds, jitterMs: { p50: at(0.5), p99: at(0.99), max: at(1) } }
}

async function begin(ports: readonly number[], codec: CodecName): Promise<void> {
  if (codec === 'opus') await loadOpus()
  speak(ports, codec)
  process.send?.({})
}

process.on('message', (wish: ToFarEnd) => {
  if (wish.do === 'begin') {
    void begin(wish.ports, wish.codec)
  } else if (wish.do === 'measure') {
    apart = []
    sinceMs = performance.now()
    process.send?.({})
  } else process.send?.(report())
})
process.send?.({ port: socket.address().port })
