// Web calls over WebSocket: PCM each way as binary messages, everything else as JSON, with bounded buffers. The socket is on the main
// thread; jitter buffer, pacing and recording are in a worker. A broken socket may be replaced; until then the call continues without audio.
import type { RawData } from 'ws'
import { pcmBytes, pcmOf } from '../audio/wav.ts'
import { ownedListener } from '../base/errors/error-containment.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { LegEvent } from '../rtp/leg.ts'
import type { BrowserSocket, ClientEvents, ClientTransport } from './client-transport.ts'
import { INPUT_HZ, OUTPUT_HZ, parseClientMessage, type ServerMessage } from './protocol.ts'
import type { WebMedia } from './web-media.ts'

/** Two seconds of audio are buffered for a slow client; more is dropped. */
export const MAX_AUDIO_BYTES = 2 * 2 * OUTPUT_HZ
/** A client that does not read its messages is disconnected. */
export const MAX_BUFFERED_BYTES = 1_048_576
/** Audio faster than real time is dropped: beyond a burst of three seconds, or twice real time. */
const MAX_BURST_SAMPLES = 3 * INPUT_HZ
const MAX_SPEED = 2
const CLOSE_MS = 2000
/** How long a call waits for a new socket; the client retries for ten seconds. */
const HOLD_MS = 12_000
/** Messages queued while there is no socket. */
const MAX_QUEUED = 100
/** RFC 6455 section 7.1.5: closed without a close frame. */
const BROKEN = 1006

export function websocketTransport(
  media: Pick<WebMedia, 'open'>,
  first: BrowserSocket,
  holdMs = HOLD_MS,
): ClientTransport & { resume(socket: BrowserSocket): boolean } {
  let socket = first
  let events: ClientEvents | undefined
  let kept: string[] = []
  let holding: NodeJS.Timeout | undefined
  let isClosed = false
  let failure: LegEvent | undefined
  /** The worker has the call: recording may start. */
  const ready = Promise.withResolvers<boolean>()
  /** A new stream for each socket: the jitter buffer must not wait for packets that a broken one lost. */
  let stream = 1
  let allowance = MAX_BURST_SAMPLES
  let refilledAtMs = monotonicMs()

  /** How many of these samples may be accepted now. */
  function allowed(samples: number, nowMs: number): number {
    allowance = Math.min(MAX_BURST_SAMPLES, allowance + ((nowMs - refilledAtMs) * INPUT_HZ * MAX_SPEED) / 1000)
    refilledAtMs = nowMs
    const taken = Math.min(samples, Math.floor(allowance))
    allowance -= taken
    return taken
  }

  function receiveAudio(bytes: Buffer): void {
    const samples = allowed(bytes.length >> 1, monotonicMs())
    if (samples > 0) leg.putSocketAudio(stream, pcmOf(bytes.subarray(0, samples * 2)))
  }

  function sendAudio(pcm: Int16Array): void {
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > MAX_AUDIO_BYTES) return
    socket.send(Buffer.from(pcmBytes(pcm))) // a copy: a slow client would keep the buffer of all calls
  }

  /** Only a socket that broke without a close frame or protocol error may be resumed. */
  function left(code: number, isFaulty: boolean): void {
    if (isClosed) return
    if (code !== BROKEN || isFaulty) events?.onHangup()
    else holding ??= setTimeout(() => events?.onConnectionLost(), holdMs)
  }

  function attach(one: BrowserSocket): void {
    let isFaulty = false
    one.on('error', () => {
      isFaulty = true
    })
    const onMessage = (data: RawData, isBinary: boolean) => {
      if (one !== socket) return
      const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[])
      if (isBinary) return receiveAudio(bytes)
      const message = parseClientMessage(bytes.toString())
      if (message?.type === 'digit') leg.media.pushDigit(message.digit)
      else if (message) events?.onHangup()
    }
    const onClose = (code: number) => {
      if (one === socket) left(code, isFaulty)
    }
    one.on('message', ownedListener(onMessage))
    one.once('close', ownedListener(onClose))
    one.resume()
    if (one.readyState > one.OPEN) left(BROKEN, false)
  }

  function tell(message: ServerMessage): void {
    const text = JSON.stringify(message)
    if (socket.readyState !== socket.OPEN) {
      if (kept.length < MAX_QUEUED) kept.push(text)
    } else if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
    else socket.send(text)
  }

  const leg = media.open(
    { by: 'socket' },
    {
      onEvent(event) {
        if (event.type === 'failed') failure = event
        events?.onMedia(event)
        if (event.type === 'failed') ready.resolve(true) // the call has ended
      },
      onSignal(event) {
        if (event.type === 'clear') tell({ type: 'clear' })
        else if (event.type === 'connected') ready.resolve(true)
      },
      onSocketAudio: sendAudio,
    },
  )

  return {
    media: leg.media,
    inputHz: INPUT_HZ,
    outputHz: OUTPUT_HZ,
    ready: ready.promise,
    listen(listener) {
      events = listener
      attach(socket)
      if (failure) listener.onMedia(failure)
    },
    sendMessage: tell,
    refuse: leg.disconnect,
    close() {
      isClosed = true
      ready.resolve(true)
      leg.disconnect()
      clearTimeout(holding)
      socket.close(1000)
      setTimeout(() => socket.terminate(), CLOSE_MS).unref()
    },
    resume(next) {
      if (isClosed || !events) return false
      clearTimeout(holding)
      holding = undefined
      const [before, missed] = [socket, kept]
      kept = []
      socket = next
      stream++
      before.terminate() // it may not have noticed the break yet
      attach(next)
      tell({ type: 'resumed' })
      for (const text of missed) next.send(text)
      return true
    },
  }
}
