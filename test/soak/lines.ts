// The audio of many calls through one socket: sends noise or speech every 20 ms, and measures the agent per call.
import { createSocket } from 'node:dgram'
import { encodeUlaw } from '../../src/audio/g711.ts'
import { robotSpeech, sounds } from '../sounds.ts'

const TICK_MS = 20
const FRAME = 160
const HEADER = 12
const LOUD = 0x60

const framesOf = (pcm: Int16Array): Uint8Array[] =>
  Array.from({ length: Math.floor(pcm.length / FRAME) }, (_, i) => encodeUlaw(pcm.subarray(i * FRAME, (i + 1) * FRAME)))
const isLoud = (packet: Buffer) => {
  for (let i = HEADER; i < packet.length; i += 8) if (((packet[i] as number) & 0x7f) < LOUD) return true
  return false
}

export type Line = {
  /** The platform's RTP address, once known. */
  connect(port: number): void
  /** Says one question once. */
  ask(): void
  readonly isAsking: boolean
  /** Duration of the agent's speech received, and of the silence since. */
  readonly heardMs: number
  readonly quietMs: number
  /** Resolves once the condition holds, or rejects on timeout. Checked on each tick. */
  until(what: string, isSo: () => boolean, boundMs?: number): Promise<void>
  close(): void
}
export type Lines = { readonly port: number; open(): Line; close(): void }

type Waiting = { isSo: () => boolean; endMs: number; done: () => void; late: () => void }

export async function openLines(): Promise<Lines> {
  const question = framesOf(await robotSpeech('Que horas abrem amanhã?', 'pt-br', 8000))
  const noise = framesOf(sounds['line noise']?.(8000, 2) ?? new Int16Array(0))
  const lookup = (address: string, _: unknown, done: (error: null, address: string, family: number) => void) =>
    done(null, address, 4)
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, lookup: lookup as never })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const ticks = new Set<(nowMs: number) => void>()
  const heard = new Map<number, () => void>()
  socket.on('message', (packet, { port }) => {
    if (((packet[1] as number) & 0x7f) === 0 && isLoud(packet)) heard.get(port)?.()
  })
  socket.on('error', () => {})
  let nextMs = performance.now()
  const timer = setInterval(() => {
    // After a stall up to five due packets are sent at once, unlike on a phone: the jitter buffer absorbs them.
    const nowMs = performance.now()
    for (let n = 0; n < 5 && nextMs <= nowMs; n++, nextMs += TICK_MS) for (const tick of ticks) tick(nowMs)
    if (nextMs <= nowMs) nextMs = nowMs + TICK_MS
  }, TICK_MS / 4)
  let lines = 0

  function open(): Line {
    const packet = Buffer.alloc(HEADER + FRAME)
    packet[0] = 0x80
    packet.writeUInt32BE(++lines, 8)
    const waiting = new Set<Waiting>()
    let [port, sent, asked] = [0, 0, question.length]
    let [heardMs, soundAtMs] = [0, performance.now()]

    function send(): void {
      packet.writeUInt16BE(sent & 0xffff, 2)
      packet.writeUInt32BE((sent * FRAME) >>> 0, 4)
      packet.set(question[asked] ?? (noise[sent % noise.length] as Uint8Array), HEADER)
      sent++
      asked++
      socket.send(packet, port, '127.0.0.1')
    }
    function tick(nowMs: number): void {
      if (port > 0) send()
      for (const one of waiting) {
        if (!one.isSo() && nowMs < one.endMs) continue
        waiting.delete(one)
        if (one.isSo()) one.done()
        else one.late()
      }
    }
    ticks.add(tick)
    return {
      connect(to) {
        if (port > 0) return
        port = to
        heard.set(to, () => {
          heardMs += TICK_MS
          soundAtMs = performance.now()
        })
      },
      ask() {
        asked = 0
      },
      get isAsking() {
        return asked < question.length
      },
      get heardMs() {
        return heardMs
      },
      get quietMs() {
        return performance.now() - soundAtMs
      },
      until(what, isSo, boundMs = 20_000) {
        return new Promise((resolve, reject) => {
          const late = () => reject(new Error(`not within ${boundMs} ms: ${what}`))
          waiting.add({ isSo, endMs: performance.now() + boundMs, done: resolve, late })
        })
      },
      close() {
        ticks.delete(tick)
        heard.delete(port)
        for (const one of waiting) one.late()
      },
    }
  }

  return {
    port: socket.address().port,
    open,
    close() {
      clearInterval(timer)
      socket.close()
    },
  }
}
