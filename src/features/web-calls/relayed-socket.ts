// A browser's WebSocket that ends on one node while its call runs on another: both sides of the link, with bounded
// buffers.
import { EventEmitter } from 'node:events'
import type { RawData, WebSocket } from 'ws'
import { ownedListener } from '../../base/errors/error-containment.ts'
import type { LinkStream } from '../../cluster/link-stream.ts'
import type { BrowserSocket } from '../../webcall/client-transport.ts'
import { MAX_AUDIO_BYTES, MAX_BUFFERED_BYTES } from '../../webcall/websocket-transport.ts'

const CLOSE_MS = 2000
/** RFC 6455 section 7.1.5: closed without a close frame. Must not be sent in one. */
const BROKEN = 1006
const [OPEN, CLOSED] = [1, 3]

export type Relay = {
  /** Breaks both connections: the call waits, and the browser resumes it through another node. */
  stop(): void
  ended: Promise<void>
}

/** On the node that the browser is connected to. */
export function relaySocket(socket: WebSocket, stream: LinkStream): Relay {
  const ended = Promise.withResolvers<void>()
  let isFaulty = false
  socket.on('error', () => {
    isFaulty = true
  })
  const onMessage = (data: RawData, isBinary: boolean) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[])
    if (stream.bufferedBytes > MAX_BUFFERED_BYTES) socket.terminate()
    else if (!isBinary) void stream.send(bytes.toString())
    else if (stream.bufferedBytes <= MAX_AUDIO_BYTES) void stream.send(bytes)
  }
  socket.on('message', ownedListener(onMessage))
  socket.once('close', (code: number) => {
    stream.end({ code, isFaulty })
    ended.resolve()
  })
  stream.listen({
    onBinary(bytes) {
      if (socket.bufferedAmount <= MAX_AUDIO_BYTES) socket.send(Buffer.from(bytes))
    },
    onText(text) {
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
      else socket.send(text)
    },
    onEnd(end) {
      if (!end || end.code === BROKEN) return socket.terminate()
      socket.close(end.code, end.reason)
      setTimeout(() => socket.terminate(), CLOSE_MS).unref()
    },
  })
  function stop(): void {
    stream.destroy() // first: the call must not mistake the closing of this socket for the browser's
    socket.terminate()
  }
  socket.resume()
  // The browser left before a listener was attached.
  if (socket.readyState === CLOSED) {
    stop()
    ended.resolve()
  }
  return { ended: ended.promise, stop }
}

/** On the node that runs the call. */
export function socketOf(stream: LinkStream): BrowserSocket {
  const events = new EventEmitter()
  let readyState = OPEN
  let isListening = false

  function closed(code: number, isFaulty = false): void {
    if (readyState === CLOSED) return
    readyState = CLOSED
    if (isFaulty) events.emit('error')
    events.emit('close', code)
  }

  return {
    OPEN,
    get readyState() {
      return readyState
    },
    get bufferedAmount() {
      return stream.bufferedBytes
    },
    on: (event: string, listener: object) => events.on(event, listener as () => void),
    once: (event: string, listener: object) => events.once(event, listener as () => void),
    send(message) {
      if (readyState === OPEN) void stream.send(message)
    },
    close(code) {
      stream.end({ code })
      queueMicrotask(() => closed(code))
    },
    terminate() {
      stream.destroy()
      queueMicrotask(() => closed(BROKEN))
    },
    resume() {
      if (isListening) return
      isListening = true
      stream.listen({
        onBinary: (bytes) => events.emit('message', bytes, true),
        onText: (text) => events.emit('message', Buffer.from(text), false),
        onEnd: (end) => closed(end?.code ?? BROKEN, end?.isFaulty),
      })
    },
  }
}
