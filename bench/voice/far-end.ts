// The callers' phones, in their own process: real RTP both ways, and the arrival time of each packet.
import { encodeUlaw } from '../../src/audio/g711.ts'
import { setThreadNiceness } from '../../src/base/process/thread-priority.ts'
import type { Figure } from '../report/figures.ts'
import { Caller, everyTick, type Script, TICK_MS } from './caller.ts'
import { openLine } from './line.ts'
import { inFrames, readQuestions } from './questions.ts'
import { addTally, noTally, type Tally } from './terms.ts'

export type ToFarEnd = { do: 'begin'; ports: number[]; file: string; spreadMs: number } | { do: 'measure' | 'report' }
export type FarEndReport = Tally & { lateMs: Figure }

const HEADER = 12
/** µ-law is loudest at 0; phones send silence as 0x7f or 0xff. */
const LOUD = 0x60
const isLoud = (packet: Buffer) => {
  for (let i = HEADER; i < packet.length; i += 4) if (((packet[i] as number) & 0x7f) < LOUD) return true
  return false
}

setThreadNiceness(-10) // the measuring process must not be late itself
const callerAt = new Map<number, Caller<Uint8Array>>()
let callers: Caller<Uint8Array>[] = []
let ticks: ReturnType<typeof everyTick> | undefined

const line = await openLine((packet, port, atMs) => {
  const type = packet[1] as number
  if ((type & 0x7f) === 0 && isLoud(packet)) callerAt.get(port)?.hears(atMs)
})

function begin({ ports, file, spreadMs }: ToFarEnd & { do: 'begin' }): void {
  const said = readQuestions(file)
  const script: Script<Uint8Array> = {
    questions: said.questions.map((pcm) => inFrames(pcm, encodeUlaw)),
    noise: inFrames(said.noise, encodeUlaw),
  }
  const nowMs = performance.now()
  callers = ports.map((_, i) => new Caller(script, i, nowMs + 500 + (i * spreadMs) / ports.length))
  for (const [i, port] of ports.entries()) callerAt.set(port, callers[i] as Caller<Uint8Array>)
  const packets = ports.map((_, i) => {
    const packet = Buffer.alloc(HEADER + 8 * TICK_MS)
    packet[0] = 0x80
    packet.writeUInt32BE(i + 1, 8)
    return packet
  })
  const sent = new Uint32Array(ports.length)
  ticks = everyTick(
    ports.length,
    (i) => {
      const packet = packets[i] as Buffer
      const tick = (sent[i] as number)++
      packet.writeUInt16BE(tick & 0xffff, 2)
      packet.writeUInt32BE((tick * 8 * TICK_MS) >>> 0, 4)
      packet.set((callers[i] as Caller<Uint8Array>).next(performance.now()), HEADER)
      sent[i] = tick + 1
      line.send(packet, ports[i] as number)
    },
    line.poll,
  )
}

process.on('message', (wish: ToFarEnd) => {
  if (wish.do === 'begin') {
    begin(wish)
    process.send?.({ port: line.port })
  } else if (wish.do === 'measure') {
    for (const caller of callers) caller.measure()
    ticks?.lateMs()
    process.send?.({})
  } else {
    const tally = callers.map((caller) => caller.tally).reduce(addTally, noTally())
    process.send?.({ ...tally, lateMs: ticks?.lateMs() ?? null } satisfies FarEndReport)
  }
})
process.send?.('ready')
