// A hand-written RTP peer: a UDP socket that records what it receives and sends what the test says.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { decodeUlaw, encodeUlaw } from '../src/audio/g711.ts'
import { joinPcm } from '../src/audio/pcm.ts'
import type { LegSettings } from '../src/rtp/leg.ts'

export type Got = {
  atMs: number
  from: number
  marker: boolean
  type: number
  sequence: number
  timestamp: number
  ssrc: number
  payload: Buffer
  raw: Buffer
}

export type RtpPeer = {
  readonly port: number
  readonly got: Got[]
  ssrc: number
  type: number
  sequence: number
  timestamp: number
  /** Sends one packet; the sequence number and, unless `advance` is 0, the timestamp advance. */
  send(to: number, payload: Uint8Array, more?: { type?: number; marker?: boolean; advance?: number }): void
  sendRaw(to: number, bytes: Uint8Array): void
  /** Sends PCM at 8 kHz as PCMU, one packet every 20 ms, until it ends or `stop` is called. */
  speak(to: number, pcm: Int16Array, options?: { loop?: boolean }): { done: Promise<void>; stop(): void }
  close(): void
}

/** Opens a peer at any loopback address: 127.0.0.2 is an unknown source for a call with 127.0.0.1. */
export async function openPeer(
  protect: (rtp: Buffer) => Buffer = (rtp) => rtp,
  address = '127.0.0.1',
  /** Address of the other end. */
  host = '127.0.0.1',
): Promise<RtpPeer> {
  const socket: Socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  const got: Got[] = []
  const running = new Set<NodeJS.Timeout>()
  socket.on('error', () => {})
  socket.on('message', (raw, { port }) => {
    const type = raw[1] as number
    if (raw.length < 12 || (type >= 192 && type <= 223)) return
    got.push({
      atMs: performance.now(),
      from: port,
      marker: type >= 128,
      type: type & 127,
      sequence: raw.readUInt16BE(2),
      timestamp: raw.readUInt32BE(4),
      ssrc: raw.readUInt32BE(8),
      payload: raw.subarray(12),
      raw,
    })
  })
  const peer: RtpPeer = {
    port: socket.address().port,
    got,
    ssrc: 0x11223344,
    type: 0,
    sequence: 65_530,
    timestamp: 0xfffff000,
    send(to, payload, { type = peer.type, marker = false, advance = payload.length } = {}) {
      const packet = Buffer.alloc(12 + payload.length)
      packet[0] = 0x80
      packet[1] = type | (marker ? 0x80 : 0)
      packet.writeUInt16BE(peer.sequence, 2)
      packet.writeUInt32BE(peer.timestamp, 4)
      packet.writeUInt32BE(peer.ssrc, 8)
      packet.set(payload, 12)
      peer.sequence = (peer.sequence + 1) & 0xffff
      peer.timestamp = (peer.timestamp + advance) >>> 0
      peer.sendRaw(to, protect(packet))
    },
    sendRaw(to, bytes) {
      socket.send(bytes, to, host)
    },
    speak(to, pcm, { loop = false } = {}) {
      const startMs = performance.now()
      const { promise, resolve } = Promise.withResolvers<void>()
      let frame = 0
      const timer = setInterval(() => {
        while (startMs + frame * 20 <= performance.now()) {
          const at = (frame++ * 160) % pcm.length
          if (!loop && frame * 160 > pcm.length) return stop()
          peer.send(to, encodeUlaw(pcm.subarray(at, at + 160)))
        }
      }, 5)
      running.add(timer)
      const stop = () => {
        clearInterval(timer)
        running.delete(timer)
        resolve()
      }
      return { done: promise, stop }
    },
    close() {
      for (const timer of running) clearInterval(timer)
      socket.close()
    },
  }
  return peer
}

/** The audio of the PCMU packets in timestamp order, without gaps. */
export const heardBy = (peer: RtpPeer, type = 0): Int16Array =>
  joinPcm(peer.got.filter((packet) => packet.type === type).map((packet) => decodeUlaw(packet.payload)))

export const pcmuTo = (port: number, more: Partial<LegSettings> = {}): LegSettings => ({
  remote: { address: '127.0.0.1', port },
  codec: 'PCMU',
  payloadType: 0,
  dtmfPayloadType: 101,
  ptimeMs: 20,
  direction: 'sendrecv',
  srtp: null,
  rtcpMux: false,
  ...more,
})

export function tone(hz: number, ms: number, rateHz = 8000, amplitude = 0.4): Int16Array {
  const samples = Math.round((ms * rateHz) / 1000)
  return Int16Array.from({ length: samples }, (_, i) =>
    Math.round(32767 * amplitude * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  )
}

/** The share of the energy at `hz`: 1 for a pure tone (Goertzel). */
export function purity(pcm: Int16Array, hz: number, rateHz = 8000): number {
  let [re, im, energy] = [0, 0, 0]
  for (let i = 0; i < pcm.length; i++) {
    const sample = pcm[i] as number
    re += sample * Math.cos((2 * Math.PI * hz * i) / rateHz)
    im += sample * Math.sin((2 * Math.PI * hz * i) / rateHz)
    energy += sample * sample
  }
  return energy === 0 ? 0 : (2 * (re * re + im * im)) / (pcm.length * energy)
}

/** Purity of audio with gaps from a busy machine: the median over parts of 40 ms. */
export function purityOfParts(pcm: Int16Array, hz: number, rateHz = 8000): number {
  const size = rateHz / 25
  const parts = Array.from({ length: Math.floor(pcm.length / size) }, (_, i) =>
    purity(pcm.subarray(i * size, (i + 1) * size), hz, rateHz),
  )
  return parts.sort((a, b) => a - b)[parts.length >> 1] ?? 0
}
