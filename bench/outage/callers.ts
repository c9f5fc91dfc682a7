// The callers, in their own process, with real SIP and RTP; they report what each of them hears.
import { createSocket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeUlaw } from '../../src/audio/g711.ts'
import { setThreadNiceness } from '../../src/base/process/thread-priority.ts'
import type { Figure } from '../report/figures.ts'
import { everyTick } from '../voice/caller.ts'
import { inFrames, readQuestions } from '../voice/questions.ts'
import { OutageCaller, TICK_MS, type Turn } from './caller.ts'
import { openSipCaller, type SipCall, type SipCaller } from './sip-calls.ts'

export type ToCallers =
  | {
      do: 'dial'
      calls: number
      perSecond: number
      port: number
      sipPort: number
      number: string
      file: string
      replyMs: number
    }
  | { do: 'report' }
  | { do: 'hang-up' }
/** Times are on this machine's monotonic clock, which all processes share. */
export type CallersReport = { turns: Turn[][]; over: boolean[]; lateMs: Figure; failed: number }

const HEADER = 12
/** µ-law is loudest at 0; phones send silence as 0x7f or 0xff. */
const LOUD = 0x60
const isLoud = (packet: Buffer) => {
  for (let i = HEADER; i < packet.length; i += 4) if (((packet[i] as number) & 0x7f) < LOUD) return true
  return false
}
const TRIES = 15
const RETRY_MS = 2000
/** The monotonic clock, which is the same in every process. */
const nowMs = () => Number(process.hrtime.bigint() / 1000n) / 1000

setThreadNiceness(-10) // the measuring process must not be late itself
const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
const callerAt = new Map<number, OutageCaller<Uint8Array>>()
let callers: OutageCaller<Uint8Array>[] = []
let calls: SipCall[] = []
let sip: SipCaller | undefined
let ticks: ReturnType<typeof everyTick> | undefined
let failed = 0

socket.on('message', (packet, { port }) => {
  if (((packet[1] as number) & 0x7f) === 0 && isLoud(packet)) callerAt.get(port)?.hears(nowMs())
})

/** A platform that is overloaded for a moment asks callers to retry; retries for a while, as a carrier would. */
async function dialed(caller: SipCaller, place: number): Promise<SipCall | null> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const call = await caller.call(place, socket.address().port).catch(() => null)
    if (call) return call
    await sleep(RETRY_MS)
  }
  return null
}

async function dial(wish: ToCallers & { do: 'dial' }): Promise<void> {
  const said = readQuestions(wish.file)
  const script = {
    questions: said.questions.map((pcm) => inFrames(pcm, encodeUlaw)),
    noise: inFrames(said.noise, encodeUlaw),
    replyMs: wish.replyMs,
  }
  sip = await openSipCaller(wish.port, wish)
  const pending: Promise<SipCall | null>[] = []
  for (let i = 0; i < wish.calls; i++) {
    pending.push(dialed(sip, i))
    await sleep(1000 / wish.perSecond)
  }
  const answered = await Promise.all(pending)
  calls = answered.filter((call) => call !== null)
  failed = answered.length - calls.length
  callers = calls.map((_, i) => new OutageCaller(script, i, nowMs() + 500 + (i * 4000) / calls.length))
  for (const [i, { rtpPort }] of calls.entries()) callerAt.set(rtpPort, callers[i] as OutageCaller<Uint8Array>)
  const packets = calls.map((_, i) => {
    const packet = Buffer.alloc(HEADER + 8 * TICK_MS)
    packet[0] = 0x80
    packet.writeUInt32BE(i + 1, 8)
    return packet
  })
  const sent = new Uint32Array(calls.length)
  ticks = everyTick(calls.length, (i) => {
    const packet = packets[i] as Buffer
    const tick = (sent[i] as number)++
    packet.writeUInt16BE(tick & 0xffff, 2)
    packet.writeUInt32BE((tick * 8 * TICK_MS) >>> 0, 4)
    packet.set((callers[i] as OutageCaller<Uint8Array>).next(nowMs()), HEADER)
    socket.send(packet, (calls[i] as SipCall).rtpPort, '127.0.0.1')
  })
}

process.on('message', async (wish: ToCallers) => {
  if (wish.do === 'dial') await dial(wish)
  if (wish.do === 'hang-up') {
    ticks?.stop()
    sip?.hangUpAll()
    await sleep(300)
  }
  const report: CallersReport = {
    turns: callers.map(({ turns }) => turns),
    over: calls.map(({ isOver }) => isOver),
    lateMs: ticks?.lateMs() ?? null,
    failed,
  }
  process.send?.(report)
})
process.send?.('ready')
