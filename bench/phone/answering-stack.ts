// Ramal's SIP user agent alone, without database and audio: rings, answers, and accepts the BYE.
import { createResolver } from '../../src/sip/transport/resolver.ts'
import { createUserAgent } from '../../src/sip/user-agent.ts'

const port = Number(process.argv[2])
const sdp = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\n'
await createUserAgent({
  listeners: [{ transport: 'udp', host: '127.0.0.1', port }],
  resolver: createResolver(),
  userAgentName: 'bench',
  onInvite(call) {
    call.handle({ onEnd: () => {} })
    call.ring()
    call.answer(sdp)
  },
  onRequest: () => {},
})
process.send?.('ready')
