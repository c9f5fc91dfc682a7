// A call over WebRTC: the browser's own codecs and jitter buffer, and a data channel for the rest. One offer, one answer; another pair of them
// where the way breaks, by which the same call goes on (an ICE restart).
import { type CallTransport, readEvent, type TransportEvents, WebCallError } from './call-events.ts'
import { closeMicrophone } from './microphone.ts'

/** A STUN or TURN server that does not answer is not waited for. */
const GATHER_MS = 3000
const LEVEL_MS = 50
/** For the last words of the data channel. */
const CLOSE_MS = 500
/** The server gives a call up when it has heard nothing for thirty seconds; a browser notices after some five that its way broke. */
const AGAIN_WITHIN_MS = 20_000
const AGAIN_EVERY_MS = 1000
const ONE_TRY_MS = 5000

export async function webrtcTransport(
  server: string,
  token: string,
  microphone: MediaStream,
  iceServers: RTCIceServer[],
  { onEvent, onLevel, onClosed }: TransportEvents,
): Promise<CallTransport> {
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
  let wasConnected = false
  let isRepairing = false
  let isReleased = false
  channel.onmessage = ({ data }) => {
    const event = readEvent(String(data))
    if (event) onEvent(event)
  }
  channel.onclose = () => onClosed()
  peer.onconnectionstatechange = () => {
    const state = peer.connectionState
    if (state === 'connected') wasConnected = true
    if (state === 'closed' || (state === 'failed' && !wasConnected)) onClosed()
    else if (state === 'disconnected' || state === 'failed') void repair()
  }
  const levels = setInterval(() => {
    for (const who of ['caller', 'agent'] as const) {
      const meter = meters[who]
      if (meter) onLevel({ [who]: levelOf(meter) })
    }
  }, LEVEL_MS)

  function release(): void {
    isReleased = true
    clearInterval(levels)
    channel.onclose = null
    peer.onconnectionstatechange = null
    peer.close()
    speaker.srcObject = null
    if (context.state !== 'closed') void context.close()
  }

  async function negotiate(more: { isRestart?: boolean; signal?: AbortSignal } = {}): Promise<void> {
    const { signal = null, ...wish } = more
    await peer.setLocalDescription()
    await waitForCandidates(peer)
    const answer = await fetch(`${server}/web-calls/webrtc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify({ sdp: peer.localDescription?.sdp, ...wish }),
      signal,
    })
    const body = await answer.json()
    if (!answer.ok) throw new WebCallError(body.message ?? 'The server refused the call', answer.status)
    await peer.setRemoteDescription({ type: 'answer', sdp: body.sdp })
  }

  /** Looks for another way again and again, until there is one or the server has given the call up. */
  async function repair(): Promise<void> {
    if (isRepairing) return
    isRepairing = true
    onEvent({ type: 'reconnecting' })
    const end = performance.now() + AGAIN_WITHIN_MS
    while (!isReleased && performance.now() < end) {
      peer.restartIce()
      const signal = AbortSignal.timeout(ONE_TRY_MS)
      const fault = await negotiate({ isRestart: true, signal }).catch((error: unknown) => error)
      if (isReleased || (fault instanceof WebCallError && fault.status < 500 && fault.status !== 429)) break
      if (await waitForConnection(peer, fault === undefined ? ONE_TRY_MS : AGAIN_EVERY_MS)) {
        isRepairing = false
        return onEvent({ type: 'resumed' })
      }
    }
    if (!isReleased) onClosed()
  }

  try {
    await negotiate()
  } catch (error) {
    release()
    throw error
  }

  return {
    mute(isMuted) {
      for (const track of microphone.getAudioTracks()) track.enabled = !isMuted
    },
    send(message) {
      if (channel.readyState === 'open') channel.send(JSON.stringify(message))
    },
    close() {
      closeMicrophone(microphone)
      setTimeout(release, CLOSE_MS)
    },
  }
}

function waitForCandidates(peer: RTCPeerConnection): Promise<unknown> {
  return waitForState(peer, 'icegatheringstatechange', () => peer.iceGatheringState === 'complete', GATHER_MS)
}

function waitForConnection(peer: RTCPeerConnection, withinMs: number): Promise<boolean> {
  return waitForState(peer, 'connectionstatechange', () => peer.connectionState === 'connected', withinMs)
}

/** Whether it is so within this time. */
function waitForState(peer: RTCPeerConnection, event: string, isSo: () => boolean, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      peer.removeEventListener(event, look)
      resolve(isSo())
    }
    const look = () => isSo() && over()
    const timer = setTimeout(over, withinMs)
    peer.addEventListener(event, look)
    look()
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
