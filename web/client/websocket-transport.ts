// A call over a WebSocket: what the microphone hears goes up, what comes down is played, both through the audio worklet. A socket that breaks is
// followed by another one, and the call goes on.
import { type CallTransport, readEvent, type TransportEvents, WebCallError } from './call-events.ts'
import { closeMicrophone } from './microphone.ts'

/** A server that does not answer its own closing. */
const CLOSE_MS = 2000
/** Refusals of the server: 4000 and the status that HTTP would give. */
const REFUSED = 4000
/** The server has ended the call. */
const OVER = 1000
/** A browser that may play sound begins at once; one that may not, or has nothing to play it on, never says so. */
const PLAY_MS = 5000
/** The server waits a little longer than that for a socket in the place of one that broke. */
const AGAIN_WITHIN_MS = 10_000
const AGAIN_EVERY_MS = 1000
const ONE_TRY_MS = 4000
/** Five seconds of sound that nobody takes: the socket is dead, and the browser does not know yet. */
const STUCK_BYTES = 5 * 2 * 16_000

export async function websocketTransport(
  server: string,
  token: string,
  microphone: MediaStream,
  { onEvent, onLevel, onClosed }: TransportEvents,
): Promise<CallTransport> {
  const context = new AudioContext({ latencyHint: 'interactive' })
  const prepared = context.audioWorklet.addModule(`${server}/client/audio-worklet.js`).then(() => resumeAudio(context))
  await prepared.catch((error) => {
    void context.close()
    throw error
  })
  const source = context.createMediaStreamSource(microphone)
  const hears = new AudioWorkletNode(context, 'ramal-microphone', { numberOfOutputs: 0 })
  const says = new AudioWorkletNode(context, 'ramal-speaker', { numberOfInputs: 0, outputChannelCount: [1] })
  source.connect(hears)
  says.connect(context.destination)

  let queued = 0
  let hasStarted = false
  let isClosed = false
  /** When the last socket broke that was of use. */
  let brokeAt: number | null = null
  let trying: ReturnType<typeof setTimeout> | undefined
  let socket = open([])

  function open(wish: string[]): WebSocket {
    const opened = new WebSocket(`${server.replace(/^http/, 'ws')}/web-calls/audio`, ['ramal.v1', token, ...wish])
    opened.binaryType = 'arraybuffer'
    opened.onmessage = ({ data }) => {
      if (opened === socket) take(data)
    }
    opened.onclose = ({ code, reason }) => {
      if (opened !== socket || isClosed) return
      clearTimeout(trying)
      if (code > REFUSED) onClosed(new WebCallError(reason || 'The server refused the call', code - REFUSED))
      else if (code === OVER || !hasStarted) onClosed()
      else again()
    }
    return opened
  }

  function take(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      queued += data.byteLength / 2
      says.port.postMessage(data, [data])
      return
    }
    const event = readEvent(String(data))
    if (event?.type === 'started') hasStarted = true
    if (event?.type === 'resumed') {
      brokeAt = null
      clearTimeout(trying)
    }
    if (event?.type === 'clear') says.port.postMessage('clear')
    if (event) onEvent(event)
  }

  /** The same call by another socket: at once, then again and again while the server waits for it. */
  function again(): void {
    const now = performance.now()
    const isFirst = brokeAt === null
    brokeAt ??= now
    if (isFirst) onEvent({ type: 'reconnecting' })
    if (now - brokeAt > AGAIN_WITHIN_MS) onClosed()
    else setTimeout(retry, isFirst ? 0 : AGAIN_EVERY_MS)
  }

  function retry(): void {
    if (isClosed) return
    const tried = open(['ramal.resume'])
    socket = tried
    trying = setTimeout(() => giveUp(tried), ONE_TRY_MS)
  }

  /** A closing that is not answered is not waited for. */
  function giveUp(dead: WebSocket): void {
    if (isClosed) return
    dead.onclose = null
    dead.onmessage = null
    dead.close()
    again()
  }

  hears.port.onmessage = ({ data }) => {
    if (data.level !== undefined) return onLevel({ caller: data.level })
    if (socket.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount < STUCK_BYTES) socket.send(data.pcm)
    else if (brokeAt === null) giveUp(socket)
  }
  says.port.onmessage = ({ data }) => {
    queued = data.queued
    onLevel({ agent: data.level })
  }

  function release(): void {
    if (context.state === 'closed') return
    source.disconnect()
    says.disconnect()
    void context.close()
  }

  return {
    mute: (isMuted) => hears.port.postMessage({ isMuted }),
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    close(withinMs) {
      isClosed = true
      closeMicrophone(microphone)
      hears.port.onmessage = null
      const end = performance.now() + withinMs
      const look = () => (queued === 0 || performance.now() >= end ? release() : setTimeout(look, 50))
      look()
      setTimeout(() => socket.close(), CLOSE_MS)
    },
  }
}

/** `resume` alone would wait for ever. */
function resumeAudio(context: AudioContext): Promise<void> {
  const waited = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    const why = 'The browser plays no sound: there are no speakers, or the page was not clicked before'
    waited.reject(new DOMException(why, 'InvalidStateError'))
  }, PLAY_MS)
  context.resume().then(waited.resolve, waited.reject)
  return waited.promise.finally(() => clearTimeout(timer))
}
