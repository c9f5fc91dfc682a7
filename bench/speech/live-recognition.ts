// Time from the last sound to the final transcript in a real-time session: an utterance uploaded at its end, and one
// streamed while it is spoken. The vendor is the tests' protocol server behind a network delay, at about the speed of a
// cloud service.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { deepgram } from '../../src/speech/stt/deepgram.ts'
import { startDeepgram } from '../../test/vendors/deepgram.ts'
import { KEY } from '../../test/vendors/server.ts'
import { realTimeCall } from '../../test/voice/real-time-call.ts'
import { largest, median, ms } from '../report/figures.ts'

const { values } = parseArgs({
  options: {
    /** One-way network delay in milliseconds. */
    delay: { type: 'string', default: '40' },
    /** Milliseconds of processing per second of audio. */
    work: { type: 'string', default: '100' },
    times: { type: 'string', default: '5' },
  },
})
const delayMs = Number(values.delay)
const workMs = Number(values.work)
const times = Number(values.times)

/** Forwards bytes after a delay, in both directions. */
async function delayedProxy(port: number) {
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs))
    from.on('close', () => setTimeout(() => to.destroy(), delayMs))
    from.on('error', () => {})
  }
  const server = createServer((client) => {
    // The TCP handshake costs a round trip as well.
    const upstream = connect(port, '127.0.0.1')
    pass(client, upstream)
    pass(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const vendor = await startDeepgram(10_000, workMs)
const proxy = await delayedProxy(vendor.port)
const live = deepgram({ apiKey: KEY, baseUrl: proxy.url })
const batch = { ...live, isLive: false }
process.stdout.write(`${delayMs} ms one way, ${workMs} ms of work for a second of audio, ${times} utterances each\n`)
for (const seconds of [1, 3, 6]) {
  const row: string[] = []
  for (const [name, stt] of [
    ['at its end', batch],
    ['while spoken', live],
  ] as const) {
    const speechMs = Array.from({ length: times }, () => seconds * 1000)
    const { delaysMs } = await realTimeCall({ stt, speechMs })
    row.push(`${name}: median ${ms(median(delaysMs))}, longest ${ms(largest(delaysMs))}`)
  }
  process.stdout.write(`${seconds} s of speech, last sound to transcript: ${row.join('; ')}\n`)
}
proxy.stop()
await vendor.stop()
