// A web call over WebRTC, with a data channel for events. If the connection breaks, an ICE restart resumes the same
// call.
import { type CallTransport, readEvent, type TransportEvents, WebCallError } from './call-events.ts'
import { closeMicrophone } from './microphone.ts'

/** ICE gathering timeout: an unresponsive STUN or TURN server must not block the call. */
const GATHER_MS = 3000
const LEVEL_MS = 50
/** Grace period for the last messages on the data channel. */
const CLOSE_MS = 500
/**
 * Shorter than the server's limit: it ends a call after 30 s without media, and a browser takes about 5 s to notice the
 * loss.
 */
const RECONNECT_WITHIN_MS = 20_000
const RETRY_EVERY_MS = 1000
const ATTEMPT_MS = 5000

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
    void speaker.play().catch(() => {}) // browsers block autoplay before a user gesture
    meters.agent = meterOf(context, stream)
  }
  const channel = peer.createDataChannel('ramal')
  let wasConnected = false
  let isReconnecting = false
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
    else if (state === 'disconnected' || state === 'failed') void reconnect()
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

  async function negotiate(options: { isRestart?: boolean; signal?: AbortSignal } = {}): Promise<void> {
    const { signal = null, ...extra } = options
    await peer.setLocalDescription()
    await waitForCandidates(peer)
    const response = await fetch(`${server}/web-calls/webrtc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify({ sdp: peer.localDescription?.sdp, ...extra }),
      signal,
    })
    const body = await response.json()
    if (!response.ok) throw new WebCallError(body.message ?? 'The server rejected the call', response.status)
    await peer.setRemoteDescription({ type: 'answer', sdp: body.sdp })
  }

  /** Restarts ICE until the connection is back or the server has ended the call. */
  async function reconnect(): Promise<void> {
    if (isReconnecting) return
    isReconnecting = true
    onEvent({ type: 'reconnecting' })
    const end = performance.now() + RECONNECT_WITHIN_MS
    while (!isReleased && performance.now() < end) {
      peer.restartIce()
      const signal = AbortSignal.timeout(ATTEMPT_MS)
      const failure = await negotiate({ isRestart: true, signal }).catch((error: unknown) => error)
      if (isReleased || (failure instanceof WebCallError && failure.status < 500 && failure.status !== 429)) break
      if (await waitForConnection(peer, failure === undefined ? ATTEMPT_MS : RETRY_EVERY_MS)) {
        isReconnecting = false
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

/** Resolves to whether the condition became true in time. */
function waitForState(
  peer: RTCPeerConnection,
  event: string,
  isReached: () => boolean,
  withinMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      peer.removeEventListener(event, check)
      resolve(isReached())
    }
    const check = () => isReached() && finish()
    const timer = setTimeout(finish, withinMs)
    peer.addEventListener(event, check)
    check()
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
