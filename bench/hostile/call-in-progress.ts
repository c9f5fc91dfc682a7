// A caller in a thread of their own: one SIP call over UDP that stays up with audio both ways, and a record of the
// platform's audio that arrives.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'

export type CallReport = {
  /** 20 ms ticks of the platform's media time in which no packet arrived. */
  missedTicks: number
  packets: number
  /** The longest time between two packets, on this thread's clock. */
  longestGapMs: number
}

const TICK_MS = 20
const STEP = 160 // RTP timestamp units per tick
const ANSWER_MS = 20_000

const { sipPort, number } = workerData as { sipPort: number; number: string }

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

const sip = await bound()
const rtp = await bound()
const { port: sipFrom } = sip.address()
const { port: rtpFrom } = rtp.address()
const host = `127.0.0.1:${sipFrom}`
const target = `sip:${number}@127.0.0.1:${sipPort}`
const callId = `hostile-bench-${Date.now()}`

let branch = 0
function request(method: string, cseq: string, to: string, body = ''): string {
  const lines = [
    `${method} ${target} SIP/2.0`,
    `Via: SIP/2.0/UDP ${host};rport;branch=z9hG4bK${callId}${branch++}`,
    `From: <sip:+5511900000000@${host}>;tag=caller`,
    `To: ${to}`,
    `Call-ID: ${callId}`,
    `CSeq: ${cseq}`,
    `Contact: <sip:bench@${host}>`,
    'Max-Forwards: 70',
    ...(body ? ['Content-Type: application/sdp'] : []),
    `Content-Length: ${body.length}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
const send = (text: string) => sip.send(text, sipPort, '127.0.0.1')

/** Resolves with the platform's RTP port. Acknowledges every 200 to the INVITE and answers every in-dialog request. */
async function answered(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  sip.on('message', (bytes) => {
    const text = bytes.toString()
    const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(text)?.[1]?.trim() ?? ''
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0)
    if (status === 0) {
      const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${header(name)}`)
      return send(`SIP/2.0 200 OK\r\n${copied.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`)
    }
    if (status < 200 || !header('CSeq').endsWith('INVITE')) return
    if (status > 200) return reject(new Error(`the call was refused: ${status}`))
    send(request('ACK', '1 ACK', header('To')))
    resolve(Number(/^m=audio (\d+)/m.exec(text)?.[1]))
  })
  const media = ['v=0', 'o=bench 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0']
  const audio = [`m=audio ${rtpFrom} RTP/AVP 0`, 'a=rtpmap:0 PCMU/8000', 'a=ptime:20', '']
  send(request('INVITE', '1 INVITE', `<${target}>`, [...media, ...audio].join('\r\n')))
  setTimeout(() => reject(new Error('the call was not answered')), ANSWER_MS).unref()
  return promise
}

/** A silent caller: PCMU silence, one packet per tick. */
function sendSilence(port: number): void {
  const startedMs = performance.now()
  let tick = 0
  setInterval(() => {
    for (; startedMs + tick * TICK_MS <= performance.now(); tick++) {
      const packet = Buffer.alloc(12 + STEP, 0xff)
      packet.writeUInt16BE(0x8000, 0)
      packet.writeUInt16BE(tick & 0xffff, 2)
      packet.writeUInt32BE((tick * STEP) >>> 0, 4)
      packet.writeUInt32BE(1, 8)
      rtp.send(packet, port, '127.0.0.1')
    }
  }, TICK_MS / 2)
}

let counted: CallReport = { missedTicks: 0, packets: 0, longestGapMs: 0 }
let last: { sequence: number; timestamp: number; atMs: number } | null = null
rtp.on('message', (packet) => {
  const now = { sequence: packet.readUInt16BE(2), timestamp: packet.readUInt32BE(4), atMs: performance.now() }
  if (last) {
    const lost = ((now.sequence - last.sequence) & 0xffff) - 1
    const skipped = Math.round(((now.timestamp - last.timestamp) >>> 0) / STEP) - 1
    counted.missedTicks += Math.max(0, Math.min(1000, Math.max(lost, skipped)))
    counted.longestGapMs = Math.max(counted.longestGapMs, now.atMs - last.atMs)
  }
  last = now
  counted.packets++
})

sendSilence(await answered())
parentPort?.on('message', () => {
  parentPort?.postMessage(counted)
  counted = { missedTicks: 0, packets: 0, longestGapMs: 0 }
})
parentPort?.postMessage('up')
