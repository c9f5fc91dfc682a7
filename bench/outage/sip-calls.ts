// Many calls from one UDP socket, with hand-written SIP: INVITE, ACK, BYE, and the BYEs of the platform.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type SipCall = { place: number; rtpPort: number; isOver: boolean }
type Dialog = SipCall & { callId: string; to: string; resolve: (call: SipCall) => void; reject: (error: Error) => void }

/** With this many calls at once some datagrams are lost, so requests are retransmitted as in RFC 3261. */
const REPEAT_MS = 500
const ANSWER_WITHIN_MS = 10_000

export type SipCaller = Awaited<ReturnType<typeof openSipCaller>>

export async function openSipCaller(port: number, target: { sipPort: number; number: string }) {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  const own = `127.0.0.1:${socket.address().port}`
  const uri = `sip:${target.number}@127.0.0.1:${target.sipPort}`
  const dialogs = new Map<string, Dialog>()

  const head = (method: string, dialog: Dialog, sequence: number, branch: string) => [
    `${method} ${uri} SIP/2.0`,
    `Via: SIP/2.0/UDP ${own};branch=z9hG4bK${dialog.callId}${branch};rport`,
    `From: <sip:+55119${String(dialog.place).padStart(8, '0')}@${own}>;tag=t${dialog.place}`,
    dialog.to,
    `Call-ID: ${dialog.callId}`,
    `CSeq: ${sequence} ${method}`,
    'Max-Forwards: 70',
  ]
  const send = (lines: string[], body = '') =>
    socket.send([...lines, `Content-Length: ${body.length}`, '', body].join('\r\n'), target.sipPort, '127.0.0.1')

  function onResponse(text: string, dialog: Dialog): void {
    const status = Number(text.slice(8, 11))
    const isInvite = /^CSeq: 1 INVITE/m.test(text)
    if (!isInvite || status < 200) return
    dialog.to = /^To: .*$/m.exec(text)?.[0]?.trim() ?? dialog.to
    send(head('ACK', dialog, 1, status === 200 ? 'k' : 'i'))
    dialog.rtpPort = Number(/^m=audio (\d+)/m.exec(text)?.[1])
    if (status === 200) dialog.resolve(dialog)
    else dialog.reject(Object.assign(new Error(`the call was answered with ${status}`), { status }))
  }

  socket.on('message', (bytes) => {
    const text = bytes.toString()
    const dialog = dialogs.get(/^Call-ID: (\S+)/m.exec(text)?.[1] ?? '')
    if (!dialog) return
    if (text.startsWith('SIP/2.0')) return onResponse(text, dialog)
    if (text.startsWith('BYE')) dialog.isOver = true
    if (text.startsWith('ACK')) return
    const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line))
    send(['SIP/2.0 200 OK', ...kept])
  })

  return {
    call(place: number, ownRtpPort: number): Promise<SipCall> {
      const { promise, resolve, reject } = Promise.withResolvers<SipCall>()
      const callId = `outage-${place}-${Date.now()}`
      const dialog: Dialog = { place, rtpPort: 0, isOver: false, callId, to: `To: <${uri}>`, resolve, reject }
      dialogs.set(callId, dialog)
      const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${ownRtpPort} RTP/AVP 0\r\n`
      const invite = () =>
        send([...head('INVITE', dialog, 1, 'i'), `Contact: <sip:bench@${own}>`, 'Content-Type: application/sdp'], sdp)
      const timer = setInterval(invite, REPEAT_MS)
      const limit = setTimeout(() => reject(new Error('the call was not answered')), ANSWER_WITHIN_MS)
      invite()
      return promise.finally(() => {
        clearInterval(timer)
        clearTimeout(limit)
      })
    },
    close: () => socket.close(),
    hangUpAll(): void {
      for (const dialog of dialogs.values()) if (!dialog.isOver) send(head('BYE', dialog, 2, 'b'))
    },
  }
}
