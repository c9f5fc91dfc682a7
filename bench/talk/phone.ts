// The callers' phone: SIP over loopback, PCMA.
import type { CallEnding } from '../../src/sip/dialog/call.ts'
import { createResolver } from '../../src/sip/transport/resolver.ts'
import { createUserAgent } from '../../src/sip/user-agent.ts'
import type { Line } from './line.ts'

const RING_MS = 20_000
const END_MS = 10_000

export type TelephoneCall = {
  readonly answeredAtMs: number
  /** When the call ended; null while it is up. */
  endedAtMs(): number | null
  /** Resolves with false if the platform does not confirm the BYE. */
  hangUp(): Promise<boolean>
}
export type Telephone = Awaited<ReturnType<typeof openTelephone>>

export async function openTelephone() {
  const ua = await createUserAgent({
    listeners: [{ transport: 'udp', host: '127.0.0.1', port: 0 }],
    resolver: createResolver(),
    userAgentName: 'talk bench',
    onInvite: (call) => call.refuse(404),
    onRequest: () => {},
  })
  const port = ua.stack.listeners[0]?.port ?? 0

  async function dial(line: Line, { sipPort, to, from }: { sipPort: number; to: string; from: string }) {
    const uri = `sip:${to}@127.0.0.1:${sipPort}`
    const ended = Promise.withResolvers<CallEnding>()
    const answered = Promise.withResolvers<string | null>()
    let endedAtMs: number | null = null
    const lines = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0']
    const sdp = [...lines, `m=audio ${line.port} RTP/AVP 8`, 'a=rtpmap:8 PCMA/8000', ''].join('\r\n')
    const sip = ua.invite(
      {
        uri,
        from: `<sip:${from}@127.0.0.1:${port}>`,
        to: `<${uri}>`,
        sdp,
        ringTimeoutMs: RING_MS,
        contactUser: 'bench',
      },
      {
        onAnswered: (text) => answered.resolve(text),
        onEnd(ending) {
          endedAtMs = performance.now()
          answered.reject(new Error(`the call ended: ${ending.why} ${ending.status}`))
          ended.resolve(ending)
        },
      },
    )
    const remotePort = Number(/m=audio (\d+)/.exec((await answered.promise) ?? '')?.[1])
    line.connect(remotePort)
    return {
      answeredAtMs: performance.now(),
      endedAtMs: () => endedAtMs,
      async hangUp() {
        sip.hangUp()
        const late = new Promise<false>((resolve) => setTimeout(resolve, END_MS, false).unref())
        return (await Promise.race([ended.promise, late])) !== false
      },
    } satisfies TelephoneCall
  }

  return { port, dial, close: () => ua.close() }
}
