// Builds requests and responses, with their tags, branches and Call-IDs.
import { randomBytes } from 'node:crypto'
import { type HeaderList, Headers } from './headers.ts'
import type { SipRequest, SipResponse } from './message.ts'
import { tagOf } from './values.ts'

type MoreHeaders = Readonly<Record<string, string>> | HeaderList
export type MessageBody = { type: string; content: string | Buffer }

const empty = Buffer.alloc(0)

/** RFC 3261 section 19.3 requires at least 32 random bits. */
export const newTag = (): string => randomBytes(8).toString('hex')
export const newCallId = (): string => randomBytes(16).toString('hex')
/** RFC 3261 section 8.1.1.7: the cookie marks the branch as unique. */
export const newBranch = (): string => `z9hG4bK${randomBytes(16).toString('hex')}`

const isList = (headers: MoreHeaders): headers is HeaderList => Array.isArray(headers)

function addAll(headers: Headers, more: MoreHeaders | undefined): void {
  if (!more) return
  for (const [name, value] of isList(more) ? more : Object.entries(more)) headers.add(name, value)
}

function addBody(headers: Headers, body: MessageBody | undefined): Buffer {
  if (!body) return empty
  headers.set('content-type', body.type)
  return Buffer.from(body.content)
}

/** RFC 3261 section 8.2.6. A To without a tag gets one, except in a 100. */
export function responseTo(
  request: SipRequest,
  status: number,
  reason: string = reasonPhrase(status),
  options: { toTag?: string; headers?: MoreHeaders; body?: MessageBody } = {},
): SipResponse {
  const headers = new Headers()
  headers.add('via', ...request.headers.all('via'))
  // RFC 3261 section 12.1.1: the response that creates a dialog carries the Record-Route.
  if (status > 100 && status < 300) headers.add('record-route', ...request.headers.all('record-route'))
  headers.add('from', request.headers.get('from') ?? '')
  const to = request.headers.get('to') ?? ''
  headers.add('to', status === 100 || tagOf(to) !== null ? to : `${to};tag=${options.toTag ?? newTag()}`)
  headers.add('call-id', request.headers.get('call-id') ?? '')
  headers.add('cseq', request.headers.get('cseq') ?? '')
  const timestamp = request.headers.get('timestamp')
  if (status === 100 && timestamp !== undefined) headers.add('timestamp', timestamp)
  addAll(headers, options.headers)
  return { kind: 'response', status, reason, headers, body: addBody(headers, options.body) }
}

/** Without a Via, which is added when it is sent. `from` and `to` are name-addrs with their tags. */
export function newRequest(parts: {
  method: string
  uri: string
  from: string
  to: string
  callId: string
  cseq: number
  routes?: readonly string[]
  headers?: MoreHeaders
  body?: MessageBody
  maxForwards?: number
}): SipRequest {
  const { method, uri, from, to, callId, cseq, routes = [], maxForwards = 70 } = parts
  const headers = new Headers()
  headers.add('route', ...routes)
  headers.add('max-forwards', String(maxForwards))
  headers.add('from', from).add('to', to).add('call-id', callId).add('cseq', `${cseq} ${method}`)
  addAll(headers, parts.headers)
  return { kind: 'request', method, uri, headers, body: addBody(headers, parts.body) }
}

const phrases: ReadonlyMap<number, string> = new Map([
  [100, 'Trying'],
  [180, 'Ringing'],
  [181, 'Call Is Being Forwarded'],
  [182, 'Queued'],
  [183, 'Session Progress'],
  [199, 'Early Dialog Terminated'],
  [200, 'OK'],
  [202, 'Accepted'],
  [204, 'No Notification'],
  [300, 'Multiple Choices'],
  [301, 'Moved Permanently'],
  [302, 'Moved Temporarily'],
  [305, 'Use Proxy'],
  [380, 'Alternative Service'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [407, 'Proxy Authentication Required'],
  [408, 'Request Timeout'],
  [410, 'Gone'],
  [412, 'Conditional Request Failed'],
  [413, 'Request Entity Too Large'],
  [414, 'Request-URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Unsupported URI Scheme'],
  [420, 'Bad Extension'],
  [421, 'Extension Required'],
  [422, 'Session Interval Too Small'],
  [423, 'Interval Too Brief'],
  [429, 'Provide Referrer Identity'],
  [430, 'Flow Failed'],
  [433, 'Anonymity Disallowed'],
  [436, 'Bad Identity Info'],
  [437, 'Unsupported Credential'],
  [438, 'Invalid Identity Header'],
  [439, 'First Hop Lacks Outbound Support'],
  [469, 'Bad Info Package'],
  [480, 'Temporarily Unavailable'],
  [481, 'Call/Transaction Does Not Exist'],
  [482, 'Loop Detected'],
  [483, 'Too Many Hops'],
  [484, 'Address Incomplete'],
  [485, 'Ambiguous'],
  [486, 'Busy Here'],
  [487, 'Request Terminated'],
  [488, 'Not Acceptable Here'],
  [489, 'Bad Event'],
  [491, 'Request Pending'],
  [493, 'Undecipherable'],
  [494, 'Security Agreement Required'],
  [500, 'Server Internal Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Server Time-out'],
  [505, 'Version Not Supported'],
  [513, 'Message Too Large'],
  [580, 'Precondition Failure'],
  [600, 'Busy Everywhere'],
  [603, 'Decline'],
  [604, 'Does Not Exist Anywhere'],
  [606, 'Not Acceptable'],
  [607, 'Unwanted'],
  [608, 'Rejected'],
])

const classes = ['', 'Progress', 'Success', 'Redirection', 'Client Error', 'Server Error', 'Global Failure']

export const reasonPhrase = (status: number): string =>
  phrases.get(status) ?? classes[Math.floor(status / 100)] ?? 'Unknown'
