// Talk to a Ramal agent from any web page: startWebCall opens microphone and speakers, and runs the call. No
// dependencies.
import { type CallEvent, type CallTransport, type Levels, WebCallError } from './call-events.ts'
import { closeMicrophone, openMicrophone } from './microphone.ts'
import { webrtcTransport } from './webrtc-transport.ts'
import { websocketTransport } from './websocket-transport.ts'

export type { CallEvent, Levels } from './call-events.ts'

export type WebCallOptions = {
  /** The address of Ramal, such as https://voice.example.com; defaults to the page's own origin. */
  server?: string
  /** From POST /api/web-calls, requested by your server: the API key must not reach the page. */
  token: string
  transport?: 'socket' | 'webrtc'
  /** For WebRTC, as returned by POST /api/web-calls. */
  iceServers?: RTCIceServer[]
  onEvent?: (event: CallEvent) => void
  /** Called 20 times a second. */
  onLevel?: (levels: Levels) => void
}

export type WebCall = { stop(): void; mute(isMuted: boolean): void; digit(digit: string): void }

/** Timeout for the server to start the call. */
const START_MS = 20_000
/** How long the agent's queued last words may play after the call ended. */
const LAST_WORDS_MS = 1500
/** RMS level shown as full: speech rarely exceeds a third of full scale. */
const LOUD = 0.3

/**
 * Resolves when the agent has answered. Rejects with a DOMException if there is no microphone (its name is the reason),
 * and with a WebCallError if the server rejects the call.
 */
export async function startWebCall(options: WebCallOptions): Promise<WebCall> {
  const { token, transport = 'socket', iceServers = [], onEvent, onLevel } = options
  const server = (options.server ?? globalThis.location.origin).replace(/\/+$/, '')
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {})
  const levels: Levels = { caller: 0, agent: 0 }
  let connection: CallTransport | undefined
  let isOver = false
  let isLeaving = false

  /** Reports the end exactly once, whatever ended the call. */
  function end(endReason: string, withinMs = 0): void {
    if (isOver) return
    isOver = true
    connection?.close(withinMs)
    onLevel?.({ caller: 0, agent: 0 })
    onEvent?.({ type: 'ended', endReason })
  }

  const events = {
    onEvent(event: CallEvent): void {
      if (isOver) return
      if (event.type === 'started') started.resolve()
      if (event.type === 'ended') end(event.endReason, LAST_WORDS_MS)
      else onEvent?.(event)
    },
    onLevel(changed: Partial<Levels>): void {
      for (const who of ['caller', 'agent'] as const)
        if (changed[who] !== undefined) levels[who] = Math.min(1, changed[who] / LOUD)
      if (!isOver && changed.agent !== undefined) onLevel?.({ ...levels })
    },
    onClosed(error?: WebCallError): void {
      started.reject(error ?? new WebCallError('The connection to the server was lost', 0))
      end(isLeaving ? 'caller_hangup' : 'connection_lost')
    },
  }

  const microphone = await openMicrophone()
  const startTimer = setTimeout(
    () => started.reject(new WebCallError('The server did not start the call in time', 504)),
    START_MS,
  )
  try {
    connection =
      transport === 'webrtc'
        ? await webrtcTransport(server, token, microphone, iceServers, events)
        : await websocketTransport(server, token, microphone, events)
    await started.promise
  } catch (error) {
    isOver = true // a call that never started is reported by the error alone
    if (connection) connection.close(0)
    else closeMicrophone(microphone)
    throw error
  } finally {
    clearTimeout(startTimer)
  }

  return {
    stop() {
      if (isOver || isLeaving) return
      isLeaving = true
      connection?.send({ type: 'hangup' })
      end('caller_hangup')
    },
    mute: (isMuted) => connection?.mute(isMuted),
    digit: (digit) => connection?.send({ type: 'digit', digit }),
  }
}
