// Many callees on one UDP port, in a process of their own: each number is busy, or rings and is answered for a few
// seconds. Forked by run.ts. The SIP is hand-written, so that the benchmark measures the platform and not a second SIP
// stack.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

/** `answer`: rings, answers, and hangs up after `talkMs`. */
export type Behavior = { kind: 'busy' } | { kind: 'answer'; ringMs: number; talkMs: number }
export type Request = { behavior: Behavior } | { report: true }
/** Counts since the last report. `repeatedNumbers`: numbers that were called more than once. */
export type Report = { invites: number; repeatedNumbers: number; answered: number; atMs: number[] }
export type Message = { port: number } | { done: true } | { report: Report }

type Dialog = { invite: string; from: RemoteInfo; toTag: string; isOver: boolean }

const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
socket.bind(Number(process.argv[2] ?? 0), '127.0.0.1')
await once(socket, 'listening')
const { port } = socket.address()

let behavior: Behavior = { kind: 'busy' }
let arrivals: number[] = []
let answered = 0
const dialogs = new Map<string, Dialog>()
const calledTimes = new Map<string, number>()

const header = (text: string, name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(text)?.[1]?.trim() ?? ''
const send = (lines: readonly string[], to: RemoteInfo, body = '') =>
  socket.send([...lines, `Content-Length: ${body.length}`, '', body].join('\r\n'), to.port, to.address)

function respond({ invite, from, toTag }: Dialog, status: string, body = ''): void {
  const kept = invite.split('\r\n').filter((line) => /^(Via|From|Call-ID|CSeq|Record-Route):/i.test(line))
  const more = body === '' ? [] : ['Content-Type: application/sdp']
  const to = `To: ${header(invite, 'To')};tag=${toTag}`
  send([`SIP/2.0 ${status}`, ...kept, to, `Contact: <sip:callee@127.0.0.1:${port}>`, ...more], from, body)
}

const sdp = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n'

function onInvite(text: string, from: RemoteInfo): void {
  const callId = header(text, 'Call-ID')
  const known = dialogs.get(callId)
  if (known) return // a retransmission: the response is already on its way
  const dialog: Dialog = { invite: text, from, toTag: `c${dialogs.size}`, isOver: false }
  dialogs.set(callId, dialog)
  arrivals.push(performance.timeOrigin + performance.now())
  const number = /^INVITE sips?:([^@;]+)/.exec(text)?.[1] ?? ''
  calledTimes.set(number, (calledTimes.get(number) ?? 0) + 1)
  if (behavior.kind === 'busy') {
    respond(dialog, '486 Busy Here')
    return
  }
  const { ringMs, talkMs } = behavior
  respond(dialog, '180 Ringing')
  setTimeout(() => {
    if (dialog.isOver) return
    answered++
    respond(dialog, '200 OK', sdp)
    setTimeout(() => hangUp(dialog), talkMs)
  }, ringMs)
}

function hangUp(dialog: Dialog): void {
  if (dialog.isOver) return
  dialog.isOver = true
  const { invite, from, toTag } = dialog
  const target = /<([^>]+)>/.exec(header(invite, 'Contact'))?.[1] ?? `sip:127.0.0.1:${from.port}`
  send(
    [
      `BYE ${target} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKb${toTag};rport`,
      `From: ${header(invite, 'To')};tag=${toTag}`,
      `To: ${header(invite, 'From')}`,
      `Call-ID: ${header(invite, 'Call-ID')}`,
      'CSeq: 1 BYE',
      'Max-Forwards: 70',
    ],
    from,
  )
}

socket.on('message', (bytes, from) => {
  const text = bytes.toString()
  if (text.startsWith('INVITE')) return onInvite(text, from)
  if (text.startsWith('SIP/2.0') || text.startsWith('ACK')) return
  const dialog = dialogs.get(header(text, 'Call-ID'))
  const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
  send(['SIP/2.0 200 OK', ...kept], from)
  if (!dialog) return
  if (text.startsWith('CANCEL') && !dialog.isOver) respond(dialog, '487 Request Terminated')
  dialog.isOver = true
})

process.on('message', (request: Request) => {
  if ('behavior' in request) {
    behavior = request.behavior
    tell({ done: true })
    return
  }
  const repeatedNumbers = [...calledTimes.values()].filter((times) => times > 1).length
  tell({ report: { invites: arrivals.length, repeatedNumbers, answered, atMs: arrivals } })
  arrivals = []
  answered = 0
})
process.on('disconnect', () => process.exit())

const tell = (message: Message) => process.send?.(message)
tell({ port })
