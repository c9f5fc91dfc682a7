// The same program with npm's `sip`, which does less: it has no dialogs and does not retransmit its 200.
import { createRequire } from 'node:module'

type Message = { method: string; headers: Record<string, unknown>; content?: string }
type Sip = {
  start(options: { port: number; address: string; tcp: boolean }, take: (request: Message) => void): void
  makeResponse(request: Message, status: number, reason: string): Message
  send(message: Message): void
}
const sip = createRequire(import.meta.url)('sip') as Sip
const port = Number(process.argv[2])
const sdp = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\n'
sip.start({ port, address: '127.0.0.1', tcp: false }, (request) => {
  if (request.method === 'ACK') return
  if (request.method !== 'INVITE') return sip.send(sip.makeResponse(request, 200, 'OK'))
  const to = request.headers.to as { params: Record<string, string> }
  to.params.tag = Math.random().toString(36).slice(2)
  sip.send(sip.makeResponse(request, 180, 'Ringing'))
  const answer = sip.makeResponse(request, 200, 'OK')
  answer.headers.contact = [{ uri: `sip:127.0.0.1:${port}` }]
  answer.headers['content-type'] = 'application/sdp'
  answer.content = sdp
  sip.send(answer)
})
process.send?.('ready')
