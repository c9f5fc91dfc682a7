// The browser's side of a web call in tests, over a real WebSocket: sends audio in real time, and records audio and
// messages.
import { WebSocket } from 'ws'
import { joinPcm } from '../src/audio/pcm.ts'
import { pcmBytes, pcmOf } from '../src/audio/wav.ts'
import type { Client, TestApp } from './app.ts'
import { until } from './until.ts'

export const UP_HZ = 16_000
export const DOWN_HZ = 24_000
const FRAME = UP_HZ / 50

type Told = { type: string } & Record<string, unknown>
export type WebCaller = Awaited<ReturnType<typeof webCaller>>

type Listens = { app: Pick<TestApp['app'], 'listen'> }

/** The app's address; the app starts listening on the first call. */
const addresses = new WeakMap<Listens['app'], Promise<string>>()
export function addressOf({ app }: Listens): Promise<string> {
  const address = addresses.get(app) ?? app.listen()
  addresses.set(app, address)
  return address
}

export async function orderOf(client: Client, agentId: string, more: object = {}): Promise<string> {
  const answer = await client.post('/api/web-calls', { agentId, ...more })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json.token
}

/** `origin`: the site whose page opens the call, as a browser would send it. */
export async function webCaller(app: Listens, token: string, protocols = ['ramal.v1', token], origin?: string) {
  const url = `${(await addressOf(app)).replace('http', 'ws')}/web-calls/audio`
  const socket = new WebSocket(url, protocols, origin === undefined ? {} : { origin })
  const told: Told[] = []
  const sounds: Int16Array[] = []
  let said: Int16Array = new Int16Array(0)
  let isQuiet = false
  let sent = 0
  const openedAt = performance.now()

  /** Like a microphone, sends continuously, speech or silence. */
  function speak(): void {
    const due = Math.floor((performance.now() - openedAt) / 20)
    for (; sent < due; sent++) {
      const frame = new Int16Array(FRAME)
      frame.set(said.subarray(0, FRAME))
      said = said.subarray(FRAME)
      if (!isQuiet && socket.readyState === WebSocket.OPEN) socket.send(pcmBytes(frame))
    }
  }
  const microphone = setInterval(speak, 10)
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      clearInterval(microphone)
      resolve({ code, reason: reason.toString() })
    })
  })
  socket.on('error', () => {})
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) sounds.push(pcmOf(Uint8Array.from(data)))
    else told.push(JSON.parse(data.toString()))
  })
  return {
    socket,
    told,
    closed,
    heard: () => ({ pcm: joinPcm([...sounds, new Int16Array(0)]), rateHz: DOWN_HZ }),
    /** Queued after the audio that is still being sent. */
    says(pcm: Int16Array) {
      said = joinPcm([said, pcm])
    },
    isSpeaking: () => said.length > 0,
    /** Stops sending altogether, even silence. */
    fallsSilent() {
      isQuiet = true
    },
    /** Waits for the socket: the agent may have the call before this side is open. */
    tell(message: unknown) {
      const send = () => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
      if (socket.readyState === WebSocket.CONNECTING) socket.once('open', send)
      else send()
    },
    /** The first message of this type, or the first that matches. */
    until: (type: string, isMeant: (message: Told) => boolean = () => true) =>
      until(`the browser is told ${type}`, () => told.find((one) => one.type === type && isMeant(one)), 20_000),
  }
}
