// A call over WebRTC: the browser's own codecs and jitter buffer, and a data channel for the rest. One offer, one answer, nothing after.
import { type CallWay, readEvent, type WayEvents, WebCallError } from './call-events.ts'
import { closeMicrophone } from './microphone.ts'

/** A STUN or TURN server that does not answer is not waited for. */
const GATHER_MS = 3000
const LEVEL_MS = 50
/** For the last words of the data channel. */
const CLOSE_MS = 500

export async function peerWay(
  server: string,
  token: string,
  microphone: MediaStream,
  iceServers: RTCIceServer[],
  { onEvent, onLevel, onGone }: WayEvents,
): Promise<CallWay> {
  const peer = new RTCPeerConnection({ iceServers, bundlePolicy: 'max-bundle' })
  const context = new AudioContext()
  const speaker = new Audio()
  speaker.autoplay = true
  const meters: Partial<Record<'caller' | 'agent', AnalyserNode>> = { caller: meterOf(context, microphone) }
  for (const track of microphone.getAudioTracks()) peer.addTrack(track, microphone)
  peer.ontrack = ({ track, streams }) => {
    const stream = streams[0] ?? new MediaStream([track])
    speaker.srcObject = stream
    void speaker.play().catch(() => {}) // a page that was never touched may not play
    meters.agent = meterOf(context, stream)
  }
  const channel = peer.createDataChannel('ramal')
  channel.onmessage = ({ data }) => {
    const event = readEvent(String(data))
    if (event) onEvent(event)
  }
  channel.onclose = () => onGone()
  peer.onconnectionstatechange = () => {
    if (peer.connectionState === 'failed' || peer.connectionState === 'closed') onGone()
  }
  const levels = setInterval(() => {
    for (const who of ['caller', 'agent'] as const) {
      const meter = meters[who]
      if (meter) onLevel({ [who]: levelOf(meter) })
    }
  }, LEVEL_MS)

  function release(): void {
    clearInterval(levels)
    channel.onclose = null
    peer.onconnectionstatechange = null
    peer.close()
    speaker.srcObject = null
    if (context.state !== 'closed') void context.close()
  }

  try {
    await peer.setLocalDescription()
    await gathered(peer)
    const answer = await fetch(`${server}/web-calls/webrtc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify({ sdp: peer.localDescription?.sdp }),
    })
    const body = await answer.json()
    if (!answer.ok) throw new WebCallError(body.message ?? 'The server refused the call', answer.status)
    await peer.setRemoteDescription({ type: 'answer', sdp: body.sdp })
  } catch (error) {
    release()
    throw error
  }

  return {
    mute(isMuted) {
      for (const track of microphone.getAudioTracks()) track.enabled = !isMuted
    },
    tell(message) {
      if (channel.readyState === 'open') channel.send(JSON.stringify(message))
    },
    close() {
      closeMicrophone(microphone)
      setTimeout(release, CLOSE_MS)
    },
  }
}

function gathered(peer: RTCPeerConnection): Promise<void> {
  if (peer.iceGatheringState === 'complete') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, GATHER_MS)
    peer.onicegatheringstatechange = () => {
      if (peer.iceGatheringState !== 'complete') return
      clearTimeout(timer)
      resolve()
    }
  })
}

function meterOf(context: AudioContext, stream: MediaStream): AnalyserNode {
  const meter = context.createAnalyser()
  meter.fftSize = 1024
  context.createMediaStreamSource(stream).connect(meter)
  return meter
}

function levelOf(meter: AnalyserNode): number {
  const samples = new Float32Array(meter.fftSize)
  meter.getFloatTimeDomainData(samples)
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
}
