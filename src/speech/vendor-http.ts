// HTTP client for speech vendors: one retry before the first audio, errors without secrets, PCM framing.

import type { Socket } from 'node:net'
import type { Dispatcher, FormData } from 'undici'
import type { ErrorCode } from '../base/errors/error-codes.ts'
import type { AppError } from '../base/errors/errors.ts'
import { textOf } from '../base/outside/body.ts'
import { parseOutside } from '../base/outside/json.ts'
import { type JsonBounds, limits } from '../base/outside/limits.ts'
import {
  asAppError,
  UpstreamError,
  type UpstreamErrors,
  type UpstreamTimeouts,
  upstreamHttp,
} from '../base/outside/upstream-http.ts'
import type { Audio } from '../voice/ports.ts'

export type VendorTimeouts = UpstreamTimeouts

/** How the server of an account is reached: shared, and checked where a member named the address. */
export type VendorConnections = {
  dispatcher: Dispatcher
  /** A connected socket for a WebSocket, with TLS where the URL asks for it; undefined: any address may be called. */
  connect?: (url: URL, signal: AbortSignal) => Promise<Socket>
  /** Gets the body of an error response. Only for tests of an account: the body may repeat what was said. */
  onRefusal?: (status: number, body: string) => void
}

/** What the client of a vendor is opened with. */
export type VendorSettings = {
  apiKey: string | null
  /** Replaces the vendor's own address; without a trailing slash. */
  baseUrl?: string
  /** Replaces the vendor's default model. */
  model?: string
  timeouts?: Partial<VendorTimeouts>
  /** Absent: its own. */
  connections?: VendorConnections
}

export type Vendor = VendorSettings & {
  /** The vendor's name in messages. */
  name: string
  baseUrl: string
  headers: (apiKey: string) => Record<string, string>
  /** Absent for a local server that requires no key. */
  isKeyOptional?: boolean
  /** How this vendor reports an unknown voice, apart from a 404. */
  isUnknownVoice?: (status: number, answer: string) => boolean
  /** The meaning of a 404; `not_found` (an unknown voice) by default. */
  notFound?: 'not_found' | 'upstream'
}

/** A request with a body is a POST. */
export type VendorCall = {
  path: string
  body?: string | FormData | Uint8Array
  /** Sent as the body. */
  json?: object
  headers?: Record<string, string>
}

/** The rate that every speech vendor is asked for. */
export const SPEECH_RATE_HZ = 24_000

/** A vendor failure. The message contains no key and nothing that a caller said. */
export class VendorError<C extends ErrorCode = ErrorCode> extends UpstreamError<C> {}

const defaultTimeouts: VendorTimeouts = { connectMs: 3_000, firstByteMs: 10_000, idleMs: 5_000 }

export const timeoutsOf = (vendor: Vendor): VendorTimeouts => ({ ...defaultTimeouts, ...vendor.timeouts })

export function headersOf(vendor: Vendor): Record<string, string> {
  if (vendor.apiKey) return vendor.headers(vendor.apiKey)
  if (vendor.isKeyOptional) return {}
  throw new VendorError('service_not_configured', { service: vendor.name })
}

export function vendorHttp(vendor: Vendor) {
  const http = upstreamHttp(timeoutsOf(vendor), troubleOf(vendor), vendor.connections?.dispatcher)

  function once({ path, json, headers, ...call }: VendorCall, signal: AbortSignal, check?: (type: string) => void) {
    const body = json ? JSON.stringify(json) : call.body
    return http.send(
      {
        url: vendor.baseUrl + path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headersOf(vendor), ...(json ? { 'content-type': 'application/json' } : {}), ...headers },
        ...(body === undefined ? {} : { body }),
      },
      async function* ({ type, pieces }) {
        check?.(type)
        yield* pieces
      },
      signal,
    )
  }

  return {
    /** Audio as it arrives. Ends without an error when the signal aborts. */
    audio: (call: VendorCall, signal: AbortSignal): AsyncGenerator<Uint8Array> =>
      retried(vendor, () => once(call, signal, (type) => checkAudio(vendor, type)), signal),

    /** The same as frames of 24 kHz PCM. */
    speech(call: VendorCall, signal: AbortSignal): Audio {
      return pcmFrames(vendor, this.audio(call, signal), SPEECH_RATE_HZ)
    },

    /** The whole response, up to one byte over the limit. */
    async text(call: VendorCall, bounds: { bytes: number }, signal: AbortSignal, attempts = 2): Promise<string> {
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted()
        try {
          return await textOf(once(call, signal), bounds.bytes)
        } catch (error) {
          signal.throwIfAborted()
          if (attempt >= attempts || !(error instanceof VendorError && error.isTransient)) throw error
        }
      }
    },

    async json(call: VendorCall, bounds: JsonBounds, signal: AbortSignal, attempts = 2): Promise<unknown> {
      return parsed(vendor, await this.text(call, bounds, signal, attempts), bounds)
    },

    close: () => http.close(),
  }
}

/**
 * Retries once after a transient failure, as long as nothing was yielded. Ends without an error when the signal aborts.
 */
export async function* retried<T>(
  vendor: Vendor,
  once: () => AsyncGenerator<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    let isPassedOn = false
    try {
      for await (const piece of once()) {
        if (signal.aborted) return
        isPassedOn = true
        yield piece
      }
      if (isPassedOn || signal.aborted) return
      throw new VendorError('service_no_audio', { service: vendor.name }, { isPassing: true })
    } catch (error) {
      if (signal.aborted) return
      const isPassing = error instanceof VendorError && error.isTransient
      if (isPassedOn || attempt === 2 || !isPassing) throw error
    }
  }
}

export function parsed(vendor: Vendor, text: string, bounds: JsonBounds): unknown {
  try {
    return parseOutside(text, bounds)
  } catch (cause) {
    throw new VendorError('service_not_json', { service: vendor.name }, { cause })
  }
}

/** A response other than 200, or a WebSocket upgrade refused with one. */
export function refusal(vendor: Vendor, status: number, answer: string): VendorError {
  vendor.connections?.onRefusal?.(status, answer)
  const isUnknownVoice = vendor.isUnknownVoice?.(status, answer) || (status === 404 && vendor.notFound !== 'upstream')
  if (isUnknownVoice) return new VendorError('voice_not_found', {})
  // A vendor's message about a key may repeat the key.
  if (status === 401 || status === 403) return new VendorError('service_key_refused', { service: vendor.name })
  const cause = new Error(`${status} ${withoutKey(vendor, answer)}`)
  if (status === 429) return new VendorError('service_rate_limited', { service: vendor.name }, { cause })
  return new VendorError(
    'service_status',
    { service: vendor.name, status },
    {
      cause,
      isPassing: status >= 500,
    },
  )
}

export const late = (vendor: Vendor) => new VendorError('service_timeout', { service: vendor.name })

const troubleOf = (vendor: Vendor): UpstreamErrors => ({
  refused: async (status, _headers, body) =>
    refusal(vendor, status, await textOf(body, limits.errorBody.bytes).catch(() => '')),
  late: () => late(vendor),
  broken(error) {
    const cause = new Error(withoutKey(vendor, error instanceof Error ? error.message : String(error)))
    return new VendorError('service_connection_broke', { service: vendor.name }, { cause, isPassing: true })
  },
})

export const broken = (vendor: Vendor, error: unknown): AppError => asAppError(error, troubleOf(vendor))

export const withoutKey = (vendor: Vendor, text: string) =>
  (vendor.apiKey ? text.replaceAll(vendor.apiKey, '[key]') : text).slice(0, 500)

const compressed = /^audio\/(mpeg|mp3|mp4|aac|ogg|opus|webm|flac)/

function checkAudio(vendor: Vendor, type: string): void {
  const isAudio = type === '' || type.startsWith('audio/') || type.startsWith('application/octet-stream')
  if (!isAudio || compressed.test(type)) throw wrongContent(vendor, type)
}

const wrongContent = (vendor: Vendor, what: string) =>
  new VendorError('service_not_pcm', { service: vendor.name }, { cause: new Error(what.slice(0, 100)) })

const containers = ['RIFF', 'OggS', 'fLaC', 'ID3']

const TEXT_BYTES = 32

/** A page of a proxy: as samples, nothing but loud positive ones. */
const isText = (bytes: Uint8Array) =>
  bytes.length >= TEXT_BYTES &&
  bytes.subarray(0, TEXT_BYTES).every((byte) => (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13))

/** Little-endian 16-bit samples from chunks split anywhere, even within a sample. */
export async function* pcmFrames(vendor: Vendor, pieces: AsyncIterable<Uint8Array>, rateHz: number): Audio {
  let half: Uint8Array = new Uint8Array(0)
  let isFirst = true
  for await (const piece of pieces) {
    const bytes = half.length === 0 ? piece : Buffer.concat([half, piece])
    const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.length)).toString('latin1')
    if (isFirst && (containers.some((mark) => start.startsWith(mark)) || isText(bytes)))
      throw wrongContent(vendor, start)
    isFirst = false
    const even = bytes.length - (bytes.length % 2)
    half = bytes.slice(even)
    if (even > 0) yield { pcm: samplesOf(bytes.subarray(0, even)), rateHz }
  }
}

/** A copy: the bytes may start at an odd offset, and the socket reuses their buffer. */
export function samplesOf(bytes: Uint8Array): Int16Array {
  const pcm = new Int16Array(bytes.length >> 1)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let i = 0; i < pcm.length; i++) pcm[i] = view.getInt16(2 * i, true)
  return pcm
}
