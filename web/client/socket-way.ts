// A call over a WebSocket: what the microphone hears goes up, what comes down is played, both through the audio worklet.
import { type CallWay, readEvent, type WayEvents, WebCallError } from './call-events.ts'
import { closeMicrophone } from './microphone.ts'

/** A server that does not answer its own closing. */
const CLOSE_MS = 2000
/** Refusals of the server: 4000 and the status that HTTP would give. */
const REFUSED = 4000

export async function socketWay(
  server: string,
  token: string,
  microphone: MediaStream,
  { onEvent, onLevel, onGone }: WayEvents,
): Promise<CallWay> {
  const context = new AudioContext({ latencyHint: 'interactive' })
  await context.audioWorklet.addModule(`${server}/client/audio-worklet.js`).catch((error) => {
    void context.close()
    throw error
  })
  const source = context.createMediaStreamSource(microphone)
  const hears = new AudioWorkletNode(context, 'ramal-microphone', { numberOfOutputs: 0 })
  const says = new AudioWorkletNode(context, 'ramal-speaker', { numberOfInputs: 0, outputChannelCount: [1] })
  source.connect(hears)
  says.connect(context.destination)
  await context.resume()

  const socket = new WebSocket(`${server.replace(/^http/, 'ws')}/web-calls/audio`, ['ramal.v1', token])
  socket.binaryType = 'arraybuffer'
  let queued = 0
  hears.port.onmessage = ({ data }) => {
    if (data.level !== undefined) onLevel({ caller: data.level })
    else if (socket.readyState === WebSocket.OPEN) socket.send(data.pcm)
  }
  says.port.onmessage = ({ data }) => {
    queued = data.queued
    onLevel({ agent: data.level })
  }
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) {
      queued += data.byteLength / 2
      return says.port.postMessage(data, [data])
    }
    const event = readEvent(String(data))
    if (event?.type === 'clear') says.port.postMessage('clear')
    if (event) onEvent(event)
  }
  socket.onclose = ({ code, reason }) =>
    onGone(code > REFUSED ? new WebCallError(reason || 'The server refused the call', code - REFUSED) : undefined)

  function release(): void {
    if (context.state === 'closed') return
    source.disconnect()
    says.disconnect()
    void context.close()
  }

  return {
    mute: (isMuted) => hears.port.postMessage({ isMuted }),
    tell(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    close(withinMs) {
      closeMicrophone(microphone)
      hears.port.onmessage = null
      const end = performance.now() + withinMs
      const look = () => (queued === 0 || performance.now() >= end ? release() : setTimeout(look, 50))
      look()
      setTimeout(() => socket.close(), CLOSE_MS)
    },
  }
}
