// A web call over a WebSocket: microphone audio up, agent audio down, through an audio worklet. If the socket breaks, a
// new one resumes the call.
import { type CallTransport, readEvent, type TransportEvents, WebCallError } from './call-events.ts'
import { closeMicrophone } from './microphone.ts'

/** Closes the socket if the server has not done so by then. */
const CLOSE_MS = 2000
/** Close codes of a rejected call: 4000 plus the HTTP status. */
const REJECTED_BASE = 4000
/** Normal closure: the call ended. */
const NORMAL_CLOSURE = 1000
/** Timeout for audio playback to start: a browser that blocks it, or has no output device, never reports an error. */
const PLAY_MS = 5000
/** Slightly shorter than the time the server waits for a new socket. */
const RECONNECT_WITHIN_MS = 10_000
const RETRY_EVERY_MS = 1000
const ATTEMPT_MS = 4000
/** Five seconds of unsent audio: the connection is dead, but the browser has not noticed. */
const STUCK_BYTES = 5 * 2 * 16_000

export async function websocketTransport(
  server: string,
  token: string,
  microphone: MediaStream,
  { onEvent, onLevel, onClosed }: TransportEvents,
): Promise<CallTransport> {
  const context = new AudioContext({ latencyHint: 'interactive' })
  const ready = context.audioWorklet.addModule(`${server}/client/audio-worklet.js`).then(() => resumeAudio(context))
  await ready.catch((error) => {
    void context.close()
    throw error
  })
  const source = context.createMediaStreamSource(microphone)
  const recorder = new AudioWorkletNode(context, 'ramal-microphone', { numberOfOutputs: 0 })
  const player = new AudioWorkletNode(context, 'ramal-speaker', { numberOfInputs: 0, outputChannelCount: [1] })
  source.connect(recorder)
  player.connect(context.destination)

  let queued = 0
  let hasStarted = false
  let isClosed = false
  /** When the last working socket broke. */
  let brokeAt: number | null = null
  let attemptTimer: ReturnType<typeof setTimeout> | undefined
  let socket = open([])

  function open(protocols: string[]): WebSocket {
    const opened = new WebSocket(`${server.replace(/^http/, 'ws')}/web-calls/audio`, ['ramal.v1', token, ...protocols])
    opened.binaryType = 'arraybuffer'
    opened.onmessage = ({ data }) => {
      if (opened === socket) receive(data)
    }
    opened.onclose = ({ code, reason }) => {
      if (opened !== socket || isClosed) return
      clearTimeout(attemptTimer)
      if (code > REJECTED_BASE)
        onClosed(new WebCallError(reason || 'The server rejected the call', code - REJECTED_BASE))
      else if (code === NORMAL_CLOSURE || !hasStarted) onClosed()
      else reconnect()
    }
    return opened
  }

  function receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      queued += data.byteLength / 2
      player.port.postMessage(data, [data])
      return
    }
    const event = readEvent(String(data))
    if (event?.type === 'started') hasStarted = true
    if (event?.type === 'resumed') {
      brokeAt = null
      clearTimeout(attemptTimer)
    }
    if (event?.type === 'clear') player.port.postMessage('clear')
    if (event) onEvent(event)
  }

  /** Resumes the call on a new socket: at once, then repeatedly while the server waits. */
  function reconnect(): void {
    const now = performance.now()
    const isFirst = brokeAt === null
    brokeAt ??= now
    if (isFirst) onEvent({ type: 'reconnecting' })
    if (now - brokeAt > RECONNECT_WITHIN_MS) onClosed()
    else setTimeout(retry, isFirst ? 0 : RETRY_EVERY_MS)
  }

  function retry(): void {
    if (isClosed) return
    const candidate = open(['ramal.resume'])
    socket = candidate
    attemptTimer = setTimeout(() => abandon(candidate), ATTEMPT_MS)
  }

  /** Drops the socket without waiting for the closing handshake. */
  function abandon(dead: WebSocket): void {
    if (isClosed) return
    dead.onclose = null
    dead.onmessage = null
    dead.close()
    reconnect()
  }

  recorder.port.onmessage = ({ data }) => {
    if (data.level !== undefined) return onLevel({ caller: data.level })
    if (socket.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount < STUCK_BYTES) socket.send(data.pcm)
    else if (brokeAt === null) abandon(socket)
  }
  player.port.onmessage = ({ data }) => {
    queued = data.queued
    onLevel({ agent: data.level })
  }

  function release(): void {
    if (context.state === 'closed') return
    source.disconnect()
    player.disconnect()
    void context.close()
  }

  return {
    mute: (isMuted) => recorder.port.postMessage({ isMuted }),
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    close(withinMs) {
      isClosed = true
      closeMicrophone(microphone)
      recorder.port.onmessage = null
      const end = performance.now() + withinMs
      const check = () => (queued === 0 || performance.now() >= end ? release() : setTimeout(check, 50))
      check()
      setTimeout(() => socket.close(), CLOSE_MS)
    },
  }
}

/** Rejects after a timeout, because `resume()` never settles without an output device. */
function resumeAudio(context: AudioContext): Promise<void> {
  const resumed = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    const why = 'The browser cannot play audio: no output device, or no user gesture yet'
    resumed.reject(new DOMException(why, 'InvalidStateError'))
  }, PLAY_MS)
  context.resume().then(resumed.resolve, resumed.reject)
  return resumed.promise.finally(() => clearTimeout(timer))
}
