// WebSocket client for speech vendors: connect time-out, clear errors, closed at once on abort.
import type { Socket } from 'node:net'
import WebSocket from 'ws'
import { limits } from '../base/outside/limits.ts'
import { openWebSocket } from '../base/outside/socket.ts'
import { broken, headersOf, late, refusal, timeoutsOf, type Vendor, VendorError, withoutKey } from './vendor-http.ts'

/** Messages and characters that wait for a slow consumer; then the connection waits too. */
const MAX_WAITING = { messages: 64, characters: 2 * limits.speechMessage.bytes }

export type VendorSocket = {
  /** Resolves when the data has been written to the socket. */
  send(data: string | Uint8Array): Promise<void>
  /**
   * Ends when the vendor closes normally; throws when the connection breaks, or when the vendor is silent while
   * `expectWithin` runs.
   */
  messages(): AsyncGenerator<string>
  /** From now on a message must arrive within this time; null stops the timer. */
  expectWithin(ms: number | null): void
  close(): void
}

export async function openSocket(
  vendor: Vendor,
  path: string,
  signal: AbortSignal,
  { maxBytes, headers = {} }: { maxBytes: number; headers?: Record<string, string> | undefined },
): Promise<VendorSocket> {
  const { connectMs } = timeoutsOf(vendor)
  const connected = await connectedFor(vendor, AbortSignal.any([signal, AbortSignal.timeout(connectMs)]), signal)
  if (signal.aborted) connected?.destroy()
  signal.throwIfAborted()
  const socket = openWebSocket(vendor.baseUrl.replace(/^http/, 'ws') + path, {
    headers: { ...headersOf(vendor), ...headers },
    maxBytes,
    connection: connected,
  })
  const received = messageQueue(socket)
  let timer: NodeJS.Timeout | undefined
  let expectedMs: number | null = null

  const end = (error?: unknown) => {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    received.end(error)
  }
  const leave = () => {
    socket.on('error', () => {}) // terminate() of a socket that is still opening emits an error without a listener
    socket.terminate()
    end()
  }
  const restartClock = () => {
    clearTimeout(timer)
    if (expectedMs === null || received.hasEnded()) return
    timer = setTimeout(() => {
      socket.terminate()
      end(late(vendor))
    }, expectedMs)
  }

  signal.addEventListener('abort', leave, { once: true })
  socket.on('message', (data: Buffer) => {
    received.add(data.toString('utf8'))
    restartClock()
  })
  socket.on('close', (code, reason) => end(code === 1000 ? undefined : closedWith(vendor, code, reason.toString())))
  await opened(vendor, socket, signal, connectMs).catch((error: unknown) => {
    leave()
    throw error
  })
  socket.on('error', (error) => end(broken(vendor, error)))

  return {
    send: (data) =>
      new Promise((resolve) => {
        if (socket.readyState !== WebSocket.OPEN) resolve()
        else socket.send(data, () => resolve()) // a failure also ends `messages`, with its reason
      }),
    async *messages() {
      try {
        yield* received.messages()
      } finally {
        leave()
      }
    },
    expectWithin(ms) {
      expectedMs = ms
      restartClock()
    },
    close: leave,
  }
}

/** Messages that wait for their consumer. */
function messageQueue(socket: WebSocket) {
  const queue: string[] = []
  let waiting = 0
  let ended: { error?: unknown } | undefined
  let wake: (() => void) | undefined

  return {
    hasEnded: () => ended !== undefined,

    add(text: string): void {
      queue.push(text)
      waiting += text.length
      if (queue.length > MAX_WAITING.messages || waiting > MAX_WAITING.characters) socket.pause()
      wake?.()
    },

    /** No more follow: `messages` ends after those that wait, or throws the first error. */
    end(error?: unknown): void {
      ended ??= { error }
      wake?.()
    },

    async *messages(): AsyncGenerator<string> {
      while (true) {
        for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
          waiting -= text.length
          yield text
        }
        if (ended) break
        if (socket.isPaused) socket.resume()
        await new Promise<void>((resolve) => (wake = resolve))
      }
      if (ended.error !== undefined) throw ended.error
    },
  }
}

/** Where an account's address must be checked, the socket is opened to the checked address: a name is not resolved twice. */
async function connectedFor(vendor: Vendor, limit: AbortSignal, signal: AbortSignal): Promise<Socket | undefined> {
  try {
    return await vendor.connections?.connect?.(new URL(vendor.baseUrl), limit)
  } catch (error) {
    signal.throwIfAborted()
    throw limit.aborted ? late(vendor) : broken(vendor, error)
  }
}

function opened(vendor: Vendor, socket: WebSocket, signal: AbortSignal, connectMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      act()
    }
    const timer = setTimeout(() => settle(() => reject(late(vendor))), connectMs)
    const onAbort = () => settle(() => reject(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('open', () => settle(resolve))
    socket.once('error', (error) => settle(() => reject(broken(vendor, error))))
    socket.once('unexpected-response', (request, answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.length < 8 && pieces.push(piece))
      answer.once('close', () => {
        request.destroy()
        settle(() => reject(refusal(vendor, answer.statusCode ?? 0, Buffer.concat(pieces).toString('utf8'))))
      })
    })
  })
}

/** 1008 is a refusal after the upgrade; 1011 and the others may be transient. */
function closedWith(vendor: Vendor, code: number, reason: string): VendorError {
  const cause = new Error(`${code} ${withoutKey(vendor, reason)}`)
  if (reason !== '') vendor.connections?.onRefusal?.(code, reason)
  if (vendor.isUnknownVoice?.(code, reason)) return new VendorError('voice_not_found', {}, { cause })
  const service = vendor.name
  return code === 1008
    ? new VendorError('service_connection_refused', { service }, { cause })
    : new VendorError('service_connection_broke', { service }, { cause, isPassing: true })
}
