// One call's audio over real RTP: sends the caller's speech with noise, television and packet loss, and records what
// they hear.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decodeAlaw, encodeAlaw } from '../../src/audio/g711.ts'
import { seeded } from './noises.ts'
import { clip, FRAME, FRAME_MS, gainOf, levelOf, type Utterance } from './utterance.ts'

const HEADER = 12
export const PCMA = 8
/** Level in dBFS below which the agent's audio counts as silence. */
const AUDIBLE_DB = -48
/** After a stall the clock sends at most this many packets at once and skips the rest. */
const MAX_BURST = 10

export type HeardFrame = { readonly atMs: number; readonly db: number; readonly pcm: Int16Array }
export type SentFrame = { readonly atMs: number; readonly db: number; readonly pcm: Int16Array }

export type Background = {
  /** Loops that play during the whole call. */
  readonly loops: readonly Int16Array[]
  readonly levelDb: number
  readonly clipDb: number
  readonly lossPercent: number
  /** What the agent says comes back, this much quieter and later. */
  readonly echo?: { readonly db: number; readonly delayMs: number }
}

type Saying = { pcm: Int16Array; at: number; gain: number; done: () => void }
type Waiting = { isSo: () => boolean; endMs: number; done: (isSo: boolean) => void }

export type Line = Awaited<ReturnType<typeof openLine>>

/** Times are on `performance.now()`. */
export async function openLine({ loops, levelDb, clipDb, lossPercent, echo }: Background) {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('error', () => {})
  const heard: HeardFrame[] = []
  const sent: SentFrame[] = []
  const waiting = new Set<Waiting>()
  const random = seeded(socket.address().port)
  let [port, sequence, soundAtMs, lateMs] = [0, 0, Number.NEGATIVE_INFINITY, 0]
  let saying: Saying | undefined

  socket.on('message', (packet) => {
    if (((packet[1] as number) & 0x7f) !== PCMA || packet.length <= HEADER) return
    const atMs = performance.now()
    const pcm = decodeAlaw(packet.subarray(HEADER))
    const db = levelOf(pcm)
    heard.push({ atMs, db, pcm })
    if (db >= AUDIBLE_DB) soundAtMs = atMs
  })

  const echoed = () => (echo && heard.at(-1 - Math.round(echo.delayMs / FRAME_MS))?.pcm) || null

  function nextFrame(): Int16Array {
    const frame = new Int16Array(FRAME)
    const at = sequence * FRAME
    const level = gainOf(levelDb + clipDb)
    const back = echoed()
    const backLevel = gainOf(echo?.db ?? 0)
    for (let i = 0; i < FRAME; i++) {
      let sample = saying ? (saying.pcm[saying.at + i] ?? 0) * saying.gain * level : 0
      sample += (back?.[i] ?? 0) * backLevel
      for (const loop of loops) sample += loop[(at + i) % loop.length] as number
      frame[i] = clip(sample)
    }
    if (saying) {
      saying.at += FRAME
      if (saying.at >= saying.pcm.length) {
        const { done } = saying
        saying = undefined
        done()
      }
    }
    return frame
  }

  function send(atMs: number): void {
    const pcm = nextFrame()
    sent.push({ atMs, db: levelOf(pcm), pcm })
    const packet = Buffer.alloc(HEADER + FRAME)
    packet[0] = 0x80
    packet[1] = PCMA
    packet.writeUInt16BE(sequence & 0xffff, 2)
    packet.writeUInt32BE((sequence * FRAME) >>> 0, 4)
    packet.writeUInt32BE(0x7a1c0001, 8)
    packet.set(encodeAlaw(pcm), HEADER)
    sequence++
    if (random() * 100 >= lossPercent) socket.send(packet, port, '127.0.0.1')
  }

  let dueMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    lateMs = Math.max(lateMs, port > 0 ? nowMs - dueMs - FRAME_MS / 4 : 0)
    for (let n = 0; n < MAX_BURST && dueMs <= nowMs; n++, dueMs += FRAME_MS) if (port > 0) send(nowMs)
    if (dueMs <= nowMs) dueMs = nowMs + FRAME_MS
    for (const one of waiting) {
      const isSo = one.isSo()
      if (!isSo && nowMs < one.endMs) continue
      waiting.delete(one)
      one.done(isSo)
    }
  }, FRAME_MS / 4)

  return {
    port: socket.address().port,
    heard,
    sent,
    connect(to: number): void {
      dueMs = performance.now()
      port = to
    },
    /** Resolves when the audio was sent, with the times of its first and last audible sound. */
    async say({ pcm, firstMs, lastMs }: Utterance, db = 0): Promise<{ fromMs: number; toMs: number }> {
      const first = sent.length
      await new Promise<void>((done) => {
        saying = { pcm, at: 0, gain: gainOf(db), done }
      })
      const at = (ms: number) => sent[Math.min(sent.length - 1, first + Math.round(ms / FRAME_MS))]?.atMs ?? 0
      return { fromMs: at(firstMs), toMs: at(lastMs - FRAME_MS) + FRAME_MS }
    },
    /** How long the agent has been silent. */
    get quietMs(): number {
      return performance.now() - soundAtMs
    },
    get soundAtMs(): number {
      return soundAtMs
    },
    /** Maximum delay of this line's clock since the call began. */
    get lateMs(): number {
      return lateMs
    },
    /** Resolves with false if the condition did not hold in time. */
    until: (isSo: () => boolean, boundMs: number): Promise<boolean> =>
      new Promise((done) => waiting.add({ isSo, endMs: performance.now() + boundMs, done })),
    close(): void {
      clearInterval(timer)
      socket.close()
    },
  }
}
