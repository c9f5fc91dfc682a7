// Scenarios for sipp, built of steps: what is sent, what is awaited, what is said meanwhile.

/** One step is XML; a scenario is its steps in order. */
export const scenario = (name: string, ...steps: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<scenario name="${name}">\n${steps.join('\n')}\n</scenario>\n`

/** sipp counts Content-Length itself. Lines as they are in the message, without the empty one at the end. */
export const send = (lines: readonly string[], body: readonly string[] = [], attributes = 'retrans="500"'): string => {
  const type = body.length > 0 ? ['Content-Type: application/sdp'] : []
  return `<send ${attributes}><![CDATA[\n\n${[...lines, ...type, 'Content-Length: [len]', '', ...body].join('\n')}\n\n]]></send>`
}
export const awaitResponse = (status: number, attributes = ''): string => `<recv response="${status}" ${attributes}/>`
export const awaitOptional = (...statuses: readonly number[]): string =>
  statuses.map((status) => awaitResponse(status, 'optional="true"')).join('\n')
export const awaitRequest = (method: string, attributes = ''): string => `<recv request="${method}" ${attributes}/>`
export const pause = (ms: number): string => `<pause milliseconds="${ms}"/>`
const action = (exec: string) => `<nop><action><exec ${exec}/></action></nop>`
/** The tone of the run (its `hz`), until the call ends. */
export const say = action('rtp_stream="tone.ulaw,-1,0"')
/**
 * RFC 4733 with number 101: a recording of one digit, 0.14 s long, sent from a raw socket (which only root may open). Its
 * SSRC is not that of the tone: phones take the two together for a broken stream, so the tone waits.
 */
export const pressKey = (key: string): string => {
  const name = key === '*' ? 'star' : key === '#' ? 'pound' : key
  return [
    action('rtp_stream="pause"'),
    action(`play_pcap_audio="/usr/share/sip-tester/dtmf_2833_${name}.pcap"`),
    pause(300),
    action('rtp_stream="resume"'),
  ].join('\n')
}

/** Number 101 for the digits, as in its recordings. */
export const sdp = (formats = '0 101', ...attributes: readonly string[]): string[] => [
  'v=0',
  'o=sipp 1 1 IN IP[local_ip_type] [local_ip]',
  's=-',
  'c=IN IP[media_ip_type] [media_ip]',
  't=0 0',
  `m=audio [auto_media_port] RTP/AVP ${formats}`,
  'a=rtpmap:101 telephone-event/8000',
  ...attributes.map((attribute) => `a=${attribute}`),
]

const called = 'sip:[service]@[remote_ip]:[remote_port]'

/** The request line and headers of a caller's request. `cseq` with its method. */
export const request = (method: string, cseq: number, extra: readonly string[] = [], uri = called): string[] => [
  `${method} ${uri} SIP/2.0`,
  'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
  'Max-Forwards: 70',
  'From: "sipp" <sip:[caller]@[local_ip]:[local_port]>;tag=[pid]-[call_number]',
  `To: <${called}>${cseq > 1 || method === 'ACK' ? '[peer_tag_param]' : ''}`,
  'Call-ID: [call_id]',
  `CSeq: ${cseq} ${method}`,
  'Contact: <sip:[caller]@[local_ip]:[local_port];transport=[transport]>',
  ...extra,
]

/** A callee's answer to the last request, with its headers. */
export const response = (status: string, extra: readonly string[] = []): string[] => [
  `SIP/2.0 ${status}`,
  '[last_Via:]',
  '[last_Record-Route:]',
  '[last_From:]',
  '[last_To:];tag=[pid]-[call_number]',
  '[last_Call-ID:]',
  '[last_CSeq:]',
  'Contact: <sip:[service]@[local_ip]:[local_port];transport=[transport]>',
  ...extra,
]

export type Caller = {
  talkMs?: number
  /** Answers a challenge of 401 or 407 with these. */
  credentials?: { username: string; password: string; challenge: 401 | 407 }
  keys?: string
  /** Otherwise the far side does, whenever it likes. */
  hangsUp?: boolean
}

/** Calls, follows Record-Route, says its tone, presses keys, hangs up. */
export function caller({ talkMs = 1000, credentials, keys = '', hangsUp = true }: Caller = {}): string {
  const inside = (method: string, cseq: number) => request(method, cseq, ['[routes]'], '[next_url]')
  const digest = credentials && `[authentication username=${credentials.username} password=${credentials.password}]`
  const last = credentials ? 2 : 1
  return scenario(
    'caller',
    send(request('INVITE', 1), sdp()),
    awaitOptional(100),
    ...(credentials && digest
      ? [
          awaitResponse(credentials.challenge, 'auth="true"'),
          // The ACK of a refusal belongs to the INVITE three steps back and has its branch (RFC 3261 section 17.1.1.3).
          send(
            request('ACK', 1).map((line) => line.replace('[branch]', '[branch-3]')),
            [],
            '',
          ),
          send(
            request('INVITE', 2, [digest]).map((line) => line.replace('[peer_tag_param]', '')),
            sdp(),
          ),
          awaitOptional(100),
        ]
      : []),
    awaitOptional(180, 183),
    awaitResponse(200, 'rrs="true" rtd="true"'),
    send(inside('ACK', last), [], ''),
    say,
    ...[...keys].flatMap((key) => [pressKey(key), pause(200)]),
    ...(hangsUp
      ? [pause(talkMs), send(inside('BYE', last + 1)), awaitResponse(200)]
      : [awaitRequest('BYE'), send(response('200 OK').map(withoutTag), [], '')]),
  )
}

export type Callee = {
  ringMs?: number
  /** Hangs up after so long; otherwise the caller does. */
  hangsUpAfterMs?: number
  /** "486 Busy Here": it does that instead of answering. */
  refuse?: string
}

/** Rings, answers, says its tone, and waits for the end. */
export function callee({ ringMs = 0, hangsUpAfterMs, refuse }: Callee = {}): string {
  const header = (name: string) =>
    `<ereg regexp=".*" search_in="hdr" header="${name}:" assign_to="${name.toLowerCase()}"/>`
  const invited = `<recv request="INVITE" rrs="true"><action>${header('From')}${header('To')}</action></recv>`
  const ringing = send(response('180 Ringing'), [], '')
  if (refuse)
    return scenario(
      'refusing callee',
      invited,
      unused,
      ringing,
      pause(ringMs),
      send(response(refuse)),
      awaitRequest('ACK'),
    )
  const bye = [
    'BYE [next_url] SIP/2.0',
    'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
    'Max-Forwards: 70',
    'From:[$to];tag=[pid]-[call_number]',
    'To:[$from]',
    'Call-ID: [call_id]',
    'CSeq: 1 BYE',
    '[routes]',
  ]
  return scenario(
    'callee',
    invited,
    unused,
    ringing,
    pause(ringMs),
    send(response('200 OK'), sdp()),
    awaitRequest('ACK'),
    say,
    ...(hangsUpAfterMs === undefined
      ? [awaitRequest('BYE'), send(response('200 OK').map(withoutTag), [], '')]
      : [pause(hangsUpAfterMs), send(bye), awaitResponse(200)]),
  )
}

/** sipp refuses a scenario that keeps a value and never uses it. */
const unused = '<Reference variables="from,to"/>'

/** In a dialog the tag is there already. */
const withoutTag = (line: string) => line.replace(/;tag=.*/, '')
