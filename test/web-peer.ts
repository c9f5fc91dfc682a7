// The browser's side of a WebRTC web call in tests: a real peer in this process, over loopback, that sends a tone and
// records what it receives.
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import { loadOpus } from '../src/audio/opus.ts'
import { joinPcm } from '../src/audio/pcm.ts'
import { openCodec } from '../src/rtp/codecs.ts'
import { writeRtp } from '../src/rtp/packet.ts'
import { startIce } from '../src/webcall/peer.ts'
import { tone } from './phones/spectrum.ts'
import { until } from './until.ts'

const codecs = {
  opus: { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 109 },
  PCMU: { mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 },
}
const DTLS_HANDSHAKE = 22
const DTLS_RECORD_HEADER_BYTES = 13
const HELLO_VERIFY_REQUEST = 3
type Told = { type: string } & Record<string, unknown>

export async function webPeer(name: keyof typeof codecs, says: { hz: number }) {
  await loadOpus()
  const peer = new RTCPeerConnection({
    codecs: { audio: [new RTCRtpCodecParameters(codecs[name])] },
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceUseIpv6: false,
    bundlePolicy: 'max-bundle', // otherwise the sockets of the unused section stay open
  })
  const track = new MediaStreamTrack({ kind: 'audio' })
  peer.addTransceiver(track, { direction: 'sendrecv' })
  const channel = peer.createDataChannel('ramal')
  // Otherwise it queries a public STUN server.
  for (const { connection } of peer.iceTransports) Object.assign(connection, { stunServer: undefined })
  const codec = openCodec(name)
  const told: Told[] = []
  const sounds: Int16Array[] = []
  const arrivals: number[] = []
  channel.onMessage.subscribe((data) => void told.push(JSON.parse(data.toString())))
  peer.onTrack.subscribe((theirs) => {
    theirs.onReceiveRtp.subscribe(({ payload }) => {
      arrivals.push(performance.now())
      sounds.push(codec.decode(payload).slice())
    })
  })
  await peer.setLocalDescription(await peer.createOffer())

  const samples = codec.rateHz / 50
  const { pcm } = tone(says.hz, 1, codec.rateHz)
  const openedAt = performance.now()
  let sent = 0
  const microphone = setInterval(() => {
    for (; sent < Math.floor((performance.now() - openedAt) / 20); sent++) {
      const frame = pcm.subarray((sent % 50) * samples, ((sent % 50) + 1) * samples)
      const timestamp = (sent * codec.clockHz) / 50
      const { payloadType } = codecs[name]
      track.writeRtp(writeRtp({ payloadType, marker: false, sequence: sent, timestamp, ssrc: 1 }, codec.encode(frame)))
    }
  }, 10)

  return {
    offer: peer.localDescription?.sdp ?? '',
    told,
    /** The arrival time of each packet. */
    arrivals,
    async accept(sdp: string): Promise<void> {
      await peer.setRemoteDescription({ type: 'answer', sdp })
      if (peer.connectionState === 'connected') startIce(peer)
    },
    /** A new offer from the same browser (ICE restart). */
    async again(): Promise<string> {
      await peer.setLocalDescription(await peer.createOffer({ iceRestart: true }))
      return peer.localDescription?.sdp ?? ''
    },
    state: () => peer.connectionState,
    tell: (message: object) => channel.send(JSON.stringify(message)),
    heard: () => ({ pcm: joinPcm([...sounds, new Int16Array(0)]), rateHz: codec.rateHz }),
    /** Sends each HelloVerifyRequest twice, as if this peer was slow to read the first ClientHello. */
    repeatVerifyRequests(): void {
      for (const { connection } of peer.iceTransports) {
        const send = connection.send.bind(connection)
        connection.send = async (data) => {
          await send(data)
          if (data[0] === DTLS_HANDSHAKE && data[DTLS_RECORD_HEADER_BYTES] === HELLO_VERIFY_REQUEST) await send(data)
        }
      }
    },
    until: (type: string) => until(`the browser is told ${type}`, () => told.find((one) => one.type === type), 20_000),
    async close(): Promise<void> {
      clearInterval(microphone)
      codec.close?.()
      await peer.close()
    },
  }
}
