// A stream between two nodes over a TLS connection: binary and text messages each way until either side ends it or the connection breaks.
import type { TLSSocket } from 'node:tls'
import { ownedListener } from '../base/errors/error-containment.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { encodeFrame, FrameKind, frameDecoder } from './link-frames.ts'

const PING_MS = 4000
/** Without any frame for this long, the other node is gone. */
const DEAD_MS = 12_000
const CLOSE_MS = 2000

export type StreamEnd = { code: number; reason?: string; isFaulty?: boolean }

export type StreamEvents = {
  onBinary?(bytes: Buffer): void
  onText?(text: string): void
  /** Called once, with the end frame of the other side, or null when the connection broke. */
  onEnd(end: StreamEnd | null): void
}

export type LinkStream = {
  /** Bytes not sent yet. */
  readonly bufferedBytes: number
  /** Resolves when the message has left this process, or the stream is over. */
  send(message: Uint8Array | string): Promise<void>
  /** Delivers queued messages, then new ones, on behalf of the owner who listens. */
  listen(events: StreamEvents): void
  end(end: StreamEnd): void
  /** Unlike `fail`, does not report the end to the listener. */
  destroy(): void
  /** As if the connection broke. */
  fail(): void
}

type Frame = { kind: FrameKind; payload: Buffer }

/** The frames of a connection. The first one goes to `onFirst`; further ones are queued until `listen` is called. */
export function frameConnection(socket: TLSSocket, onFirst: (frame: Frame) => void) {
  const decoder = frameDecoder()
  let waiting: Frame[] = []
  let events: StreamEvents | undefined
  let hasFirst = false
  let result: StreamEnd | null | undefined
  let heardMs = monotonicMs()

  function finish(end: StreamEnd | null): void {
    if (result !== undefined) return
    result = end
    clearInterval(pinging)
    if (end) {
      socket.end()
      setTimeout(() => socket.destroy(), CLOSE_MS).unref()
    } else socket.destroy()
    events?.onEnd(end)
  }

  function deliver({ kind, payload }: Frame): void {
    if (result !== undefined) return
    if (kind === FrameKind.binary) events?.onBinary?.(payload)
    else if (kind === FrameKind.text) events?.onText?.(payload.toString('utf8'))
    else if (kind === FrameKind.end) finish(readEnd(payload))
    else if (kind !== FrameKind.ping) finish(null)
  }

  function receive(frame: Frame): void {
    if (!hasFirst) {
      hasFirst = true
      onFirst(frame)
    } else if (events) deliver(frame)
    else if (frame.kind !== FrameKind.ping) {
      waiting.push(frame)
      socket.pause()
    }
  }

  const write = (frame: Buffer) =>
    new Promise<void>((sent) => {
      if (socket.destroyed || socket.writableEnded) sent()
      else socket.write(frame, () => sent())
    })

  const pinging = setInterval(() => {
    if (!socket.isPaused() && monotonicMs() - heardMs > DEAD_MS) return finish(null)
    if (hasFirst) void write(encodeFrame(FrameKind.ping))
  }, PING_MS)
  pinging.unref()

  socket.setNoDelay(true)
  socket.on('error', () => finish(null))
  socket.on('close', () => finish(null))
  socket.on('end', () => finish(null))
  socket.on('data', (chunk: Buffer) => {
    heardMs = monotonicMs()
    try {
      for (const frame of decoder.push(chunk)) receive(frame)
    } catch {
      finish(null)
    }
  })

  const stream: LinkStream = {
    get bufferedBytes() {
      return socket.writableLength
    },
    send: (message) =>
      result === undefined
        ? write(encodeFrame(typeof message === 'string' ? FrameKind.text : FrameKind.binary, message))
        : Promise.resolve(),
    listen({ onBinary, onText, onEnd }) {
      events = {
        onBinary: onBinary && ownedListener(onBinary),
        onText: onText && ownedListener(onText),
        onEnd: ownedListener(onEnd),
      }
      if (result !== undefined) return onEnd(result)
      for (const frame of waiting) deliver(frame)
      waiting = []
      heardMs = monotonicMs()
      socket.resume()
    },
    end(end) {
      if (result === undefined) void write(encodeFrame(FrameKind.end, JSON.stringify(end)))
      events = undefined // our own end is not reported
      finish(end)
    },
    destroy() {
      events = undefined
      finish(null)
    },
    fail: () => finish(null),
  }
  return { stream, write: (kind: FrameKind, payload?: string) => void write(encodeFrame(kind, payload)) }
}

/** The other node is authenticated, but may run another release. */
function readEnd(payload: Buffer): StreamEnd | null {
  try {
    const { code, reason, isFaulty } = JSON.parse(payload.toString('utf8')) as StreamEnd
    if (!Number.isInteger(code)) return null
    return { code, reason: String(reason ?? ''), isFaulty: isFaulty === true }
  } catch {
    return null
  }
}
