// The SIP side of WhatsApp's Business Calling with its requirements: TLS, a password in both directions, encrypted
// Opus, no session timer.
import type { TestContext } from 'node:test'
import { type AudioSession, audioSession } from '../../src/phone/audio-session.ts'
import type { Media, MediaLeg } from '../../src/rtp/leg.ts'
import { digestServer } from '../../src/sip/auth/digest-server.ts'
import type { CallEnding, InboundCall, SipCall } from '../../src/sip/dialog/call.ts'
import { parseUri } from '../../src/sip/message/uri.ts'
import { parseNameAddr } from '../../src/sip/message/values.ts'
import { createResolver } from '../../src/sip/transport/resolver.ts'
import { createUserAgent } from '../../src/sip/user-agent.ts'
import { toneFrames } from '../phone-app.ts'
import { until } from '../until.ts'

export const WHATSAPP_HZ = 1100

export type MetaSipOptions = {
  tls: { cert: string; key: string }
  media: Media
  /** Credentials of the number: its digits without a plus, and the password that Meta generated. */
  account: () => { username: string; password: string }
  /** The SIP server configured on the number. */
  domain: string
}

export type MetaCall = { sip: SipCall; leg: MediaLeg; ended: Promise<CallEnding>; codec(): string | undefined }

export async function startMetaSip({ tls, media, account, domain }: MetaSipOptions) {
  const digest = digestServer({ realm: 'wa.meta.vc' })
  const taken: MetaCall[] = []
  const refused: string[] = []
  const invites: string[] = []

  async function talk(leg: MediaLeg, ended: Promise<CallEnding>): Promise<void> {
    const stop = new AbortController()
    void ended.then(() => stop.abort())
    await leg.play(toneFrames(WHATSAPP_HZ, 60), stop.signal)
    await ended
    await leg.close()
  }
  const open = async (): Promise<{ leg: MediaLeg; audio: AudioSession }> => {
    const leg = await media.open()
    return {
      leg,
      audio: audioSession(leg, { address: '127.0.0.1', codecs: ['opus'], encryption: 'required' }, () => null),
    }
  }

  /** Why WhatsApp refuses this INVITE, in its own words. */
  function objection(call: InboundCall): string | undefined {
    const { headers, uri } = call.invite
    const from = parseUri(parseNameAddr(headers.get('from') ?? '')?.uri ?? '')
    if (call.flow.transport !== 'tls') return 'TLS required'
    if (from?.host !== domain) return `SIP server ${from?.host} from INVITE does not match any SIP server configured`
    if (from.user !== `+${account().username}`) return 'Asset not found, invalid business phone number'
    if (!/^sip:\+\d+@/.test(uri)) return 'no WhatsApp user'
    if (headers.has('session-expires')) return 'no session timers'
    if (!/m=audio \d+ RTP\/SAVP .*\r\n/.test(call.offer ?? '') || !/a=crypto:/.test(call.offer ?? ''))
      return 'SDES only'
    return /a=rtpmap:\d+ opus\/48000\/2/.test(call.offer ?? '') ? undefined : 'Opus only'
  }

  async function take(call: InboundCall): Promise<void> {
    invites.push(call.invite.headers.get('proxy-authorization') ?? '')
    const { username, password } = account()
    const proof = await digest.verify(call.invite, call.flow.remote.address, (name) =>
      name === username ? password : undefined,
    )
    if (!proof.ok && proof.why === 'missing')
      return call.refuse(
        407,
        undefined,
        digest.challenge(call.invite).map((value) => ['proxy-authenticate', value] as const),
      )
    const problem = proof.ok ? objection(call) : 'Proxy authentication failed'
    if (problem) {
      refused.push(problem)
      return call.refuse(403, problem)
    }
    const { leg, audio } = await open()
    const ended = new Promise<CallEnding>((onEnd) => call.handle({ onEnd }))
    const answer = audio.answer(call.offer ?? '')
    if ('problem' in answer) return call.refuse(488)
    call.answer(answer.sdp)
    void talk(leg, ended)
    taken.push({ sip: call, leg, ended, codec: () => audio.agreed?.codec })
  }

  const ua = await createUserAgent({
    listeners: [{ transport: 'tls', host: '127.0.0.1', port: 0 }],
    tls,
    tlsClient: { ca: tls.cert },
    resolver: createResolver(),
    userAgentName: 'SipGateway of the test',
    onInvite: (call) => void take(call),
    onRequest: () => {},
  })
  const port = ua.stack.listeners[0]?.port as number
  let given = 0

  return {
    port,
    refused,
    /** The Proxy-Authorization header of each INVITE; empty if none. */
    invites,
    /** The next call that WhatsApp accepted from the platform. */
    async next(): Promise<MetaCall> {
      const call = await until('WhatsApp has a call', () => taken[given])
      given++
      return call
    },

    /** A user calls the number on WhatsApp; resolves when the call is answered or over. */
    async call(t: TestContext, to: { number: string; port: number }, more: { from?: string; password?: string } = {}) {
      const { leg, audio } = await open()
      const { username, password } = account()
      let isAnswered = false
      const done = Promise.withResolvers<CallEnding>()
      const sip = ua.invite(
        {
          uri: `sip:${to.number}@127.0.0.1:${to.port};transport=tls`,
          from: `"5511987654321" <sip:${more.from ?? '+5511987654321'}@wa.meta.vc>`,
          to: `<sip:${to.number}@${domain}>`,
          sdp: inMetasWords(audio.offer()),
          credentials: { username, password: more.password ?? password },
          headers: { 'x-fb-external-domain': 'wa.meta.vc', 'x-wa-meta-wacid': 'wacid.1' },
          ringTimeoutMs: 10_000,
        },
        {
          onAnswered(sdp) {
            isAnswered = sdp !== null && audio.accept(sdp) === undefined
          },
          onEnd: done.resolve,
        },
      )
      t.after(() => sip.hangUp())
      void talk(leg, done.promise)
      await until('it is answered or over', () => isAnswered || sip.state === 'ended')
      const call: MetaCall = { sip, leg, ended: done.promise, codec: () => audio.agreed?.codec }
      return { ...call, isAnswered }
    },
    close: () => ua.close(),
  }
}

/** Adds the lines that only Meta's offers contain: all of them are for browsers and must not interfere. */
const inMetasWords = (sdp: string): string =>
  sdp
    .replace('\r\nm=audio', '\r\na=group:BUNDLE audio\r\na=msid-semantic: WMS 4e37b099\r\nm=audio')
    .concat(
      'a=rtcp:9 IN IP4 0.0.0.0\r\na=mid:audio\r\na=msid:4e37b099 WhatsAppTrack1\r\na=rtcp-mux\r\n',
      'a=maxptime:20\r\na=ssrc:215879358 cname:WhatsAppAudioStream1\r\n',
    )
