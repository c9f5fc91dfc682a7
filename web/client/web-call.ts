// Talk to an agent of Ramal from any web page: startWebCall opens microphone and speakers and runs the call to its end. No dependency.
import { type CallEvent, type CallTransport, type Levels, WebCallError } from './call-events.ts'
import { closeMicrophone, openMicrophone } from './microphone.ts'
import { webrtcTransport } from './webrtc-transport.ts'
import { websocketTransport } from './websocket-transport.ts'

export type { CallEvent, Levels } from './call-events.ts'

export type WebCallOptions = {
  /** Where Ramal is, such as https://voice.example.com; the page's own server when absent. */
  server?: string
  /** From POST /api/web-calls, which your server asks: the key must not be in a page. */
  token: string
  transport?: 'socket' | 'webrtc'
  /** For WebRTC, as POST /api/web-calls gives them. */
  iceServers?: RTCIceServer[]
  onEvent?: (event: CallEvent) => void
  /** Twenty times a second. */
  onLevel?: (levels: Levels) => void
}

export type WebCall = { stop(): void; mute(isMuted: boolean): void; digit(digit: string): void }

/** A server that has taken the call says so within this. */
const START_MS = 20_000
/** The agent's last words may still be queued when the call has ended. */
const LAST_WORDS_MS = 1500
/** A voice is rarely louder than a third of full scale. */
const LOUD = 0.3

/**
 * Resolves when the agent has the call. Rejects with a DOMException when there is no microphone (its name says why), and with an error that
 * has a `status` when the server refused.
 */
export async function startWebCall(options: WebCallOptions): Promise<WebCall> {
  const { token, transport = 'socket', iceServers = [], onEvent, onLevel } = options
  const server = (options.server ?? globalThis.location.origin).replace(/\/+$/, '')
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {})
  const levels: Levels = { caller: 0, agent: 0 }
  let way: CallTransport | undefined
  let isOver = false
  let isLeaving = false

  /** The page is told of the end once, whatever ended it. */
  function over(endReason: string, withinMs = 0): void {
    if (isOver) return
    isOver = true
    way?.close(withinMs)
    onLevel?.({ caller: 0, agent: 0 })
    onEvent?.({ type: 'ended', endReason })
  }

  const events = {
    onEvent(event: CallEvent): void {
      if (isOver) return
      if (event.type === 'started') started.resolve()
      if (event.type === 'ended') over(event.endReason, LAST_WORDS_MS)
      else onEvent?.(event)
    },
    onLevel(changed: Partial<Levels>): void {
      for (const who of ['caller', 'agent'] as const)
        if (changed[who] !== undefined) levels[who] = Math.min(1, changed[who] / LOUD)
      if (!isOver && changed.agent !== undefined) onLevel?.({ ...levels })
    },
    onClosed(refusal?: WebCallError): void {
      started.reject(refusal ?? new WebCallError('The connection to the server was lost', 0))
      over(isLeaving ? 'caller_hangup' : 'connection_lost')
    },
  }

  const microphone = await openMicrophone()
  const late = setTimeout(
    () => started.reject(new WebCallError('The server did not begin the call in time', 504)),
    START_MS,
  )
  try {
    way =
      transport === 'webrtc'
        ? await webrtcTransport(server, token, microphone, iceServers, events)
        : await websocketTransport(server, token, microphone, events)
    await started.promise
  } catch (error) {
    isOver = true // what failed before it began is told by the error alone
    if (way) way.close(0)
    else closeMicrophone(microphone)
    throw error
  } finally {
    clearTimeout(late)
  }

  return {
    stop() {
      if (isOver || isLeaving) return
      isLeaving = true
      way?.send({ type: 'hangup' })
      over('caller_hangup')
    },
    mute: (isMuted) => way?.mute(isMuted),
    digit: (digit) => way?.send({ type: 'digit', digit }),
  }
}
