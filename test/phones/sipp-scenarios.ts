// sipp scenarios, built from steps: messages to send, messages to expect, and audio.

/** A step is XML; a scenario is a list of steps. */
export const scenario = (name: string, ...steps: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<scenario name="${name}">\n${steps.join('\n')}\n</scenario>\n`

/** Sends the given lines without the final empty one; sipp computes Content-Length itself. */
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
/** Plays the tone of the run (its `hz`) until the call ends. */
export const say = action('rtp_stream="tone.ulaw,-1,0"')
/**
 * RFC 4733 with payload type 101: a recording of one digit, 0.14 s long, sent from a raw socket (root only). Its SSRC
 * differs from the tone's, and phones treat the two together as a broken stream, so the tone is paused.
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

/** SDP with payload type 101 for DTMF, as in sipp's recordings. */
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

/** The request line and headers of a caller's request. `cseq` includes its method. */
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

/** A callee's response to the last request, with its headers. */
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

/** A callee's BYE; the scenario has assigned `from` and `to` of the INVITE. */
export const calleeBye: readonly string[] = [
  'BYE [next_url] SIP/2.0',
  'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
  'Max-Forwards: 70',
  'From:[$to];tag=[pid]-[call_number]',
  'To:[$from]',
  'Call-ID: [call_id]',
  'CSeq: 1 BYE',
  '[routes]',
]

export type Caller = {
  talkMs?: number
  /** Credentials for a 401 or 407 challenge. */
  credentials?: { username: string; password: string; challenge: 401 | 407 }
  keys?: string
  /** If false, the peer hangs up, at any time. */
  hangsUp?: boolean
}

/** Calls, follows Record-Route, plays its tone, sends DTMF, hangs up. */
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
          // The ACK of a refusal uses the branch of the INVITE three steps before (RFC 3261 section 17.1.1.3).
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
  /** Hangs up after this long; otherwise the caller does. */
  hangsUpAfterMs?: number
  /** Refuses with this status instead of answering, for example "486 Busy Here". */
  refuse?: string
}

/** Rings, answers, plays its tone, and waits for the end of the call. */
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
      : [pause(hangsUpAfterMs), send(calleeBye), awaitResponse(200)]),
  )
}

/** sipp rejects a scenario with an unused variable. */
const unused = '<Reference variables="from,to"/>'

/** A line of an in-dialog request without its tag, which is already present. */
const withoutTag = (line: string) => line.replace(/;tag=.*/, '')
