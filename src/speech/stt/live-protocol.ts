// Streaming recognition over a WebSocket; a vendor's `LiveProtocol` says what to send and how to read the answers.

import { appError } from '../../base/errors/errors.ts'
import { limits } from '../../base/outside/limits.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { Audio, AudioFrame, Stt, SttOptions, Transcript } from '../../voice/ports.ts'
import { timeoutsOf, type Vendor, VendorError } from '../vendor-http.ts'
import { openSocket, type VendorSocket } from '../vendor-socket.ts'

export type Data = string | Uint8Array

/** One utterance as messages of the vendor's protocol. */
export type LiveUtterance = {
  path: string
  headers?: Record<string, string>
  /** Sent before the audio. */
  begin?: readonly Data[]
  audio(pcm: Int16Array): readonly Data[]
  /** No more audio follows. */
  end(): readonly Data[]
  /** The transcript in a message; null if there is none. Throws if the vendor reports a failure. */
  read(message: string): Transcript | null
}

export type LiveProtocol = {
  name: string
  vendor: Vendor
  utterance(rateHz: number, options: SttOptions): LiveUtterance
  /** Sent when there is no audio for a while. */
  keepAlive?: { everyMs: number; message: string }
  /** Audio that leaves faster than it is spoken: after `freeMs` of it, at most `factor` times as fast. */
  pace?: { freeMs: number; factor: number }
  /** Takes the place of the second try when the connection cannot be opened. */
  withoutSocket?(audio: Audio, options: SttOptions, signal: AbortSignal): Promise<Transcript>
}

/** Characters; many times what fits into the longest utterance. */
const MAX_TRANSCRIPT_LETTERS = 20_000
/** Larger pieces are split: a vendor may refuse long messages. */
const PIECE_MS = 100

export function liveStt(protocol: LiveProtocol): Stt {
  const { name, vendor } = protocol

  /** No audio has been sent yet, so a second try is safe. Undefined: `withoutSocket` takes its place. */
  async function open({ path, headers }: LiveUtterance, signal: AbortSignal): Promise<VendorSocket | undefined> {
    const options = { maxBytes: limits.transcript.bytes, headers }
    try {
      return await openSocket(vendor, path, signal, options)
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error
      return protocol.withoutSocket ? undefined : await openSocket(vendor, path, signal, options)
    }
  }

  async function* transcribe(audio: Audio, options: SttOptions, signal: AbortSignal): AsyncGenerator<Transcript> {
    const frames = audio[Symbol.asyncIterator]()
    const first = await frames.next()
    if (signal.aborted) return
    if (first.done) {
      yield { text: '', isFinal: true }
      return
    }
    const utterance = protocol.utterance(first.value.rateHz, options)
    const socket = await open(utterance, signal)
    if (!socket) {
      const transcript = await protocol.withoutSocket?.(from(first.value, frames), options, signal)
      if (transcript && !signal.aborted) yield transcript
      return
    }
    const over = new AbortController()
    const sending = send(protocol, { socket, utterance, audio: from(first.value, frames), over: over.signal })
    sending.catch(() => socket.close())
    try {
      const final = yield* heard(vendor, socket, utterance)
      if (signal.aborted) return
      await sending // a failure of the audio source is not mistaken for its end
      if (!final) throw new VendorError('service_broke_off', { service: vendor.name }, { isPassing: true })
      yield final
    } finally {
      over.abort()
      socket.close()
      frames.return?.()?.catch(() => {})
    }
  }

  return {
    name,
    isLive: true,
    async *transcribe(audio, options, signal) {
      try {
        yield* transcribe(audio, options, signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

const isTransient = (error: unknown) => error instanceof VendorError && error.isTransient

async function* heard(
  vendor: Vendor,
  socket: VendorSocket,
  utterance: LiveUtterance,
): AsyncGenerator<Transcript, Transcript | null> {
  for await (const message of socket.messages()) {
    const transcript = utterance.read(message)
    if ((transcript?.text.length ?? 0) > MAX_TRANSCRIPT_LETTERS)
      throw new VendorError('service_endless', { service: vendor.name })
    if (transcript?.isFinal) return transcript
    if (transcript && transcript.text !== '') yield transcript
  }
  return null
}

type Sending = {
  socket: VendorSocket
  utterance: LiveUtterance
  audio: Audio
  over: AbortSignal
}

/** The source may never yield another frame: timers end with `over`. */
async function send(protocol: LiveProtocol, { socket, utterance, audio, over }: Sending): Promise<void> {
  const { vendor, keepAlive, pace } = protocol
  let isQuiet = false
  const alive =
    keepAlive &&
    setInterval(() => {
      if (isQuiet) void socket.send(keepAlive.message)
      isQuiet = true
    }, keepAlive.everyMs)
  over.addEventListener('abort', () => clearInterval(alive))
  const wait = pace && paced(pace, over)
  try {
    for (const data of utterance.begin ?? []) await socket.send(data)
    for await (const { pcm, rateHz } of audio)
      for (const piece of piecesOf(pcm, rateHz)) {
        if (over.aborted) return
        isQuiet = false
        await wait?.((piece.length * 1000) / rateHz)
        for (const data of utterance.audio(piece)) await socket.send(data)
      }
  } finally {
    clearInterval(alive)
  }
  socket.expectWithin(timeoutsOf(vendor).idleMs)
  for (const data of utterance.end()) await socket.send(data)
}

/** With the first frame, which was read to know its rate. */
async function* from(first: AudioFrame, rest: AsyncIterator<AudioFrame>): Audio {
  for (let next: IteratorResult<AudioFrame> = { value: first }; !next.done; next = await rest.next()) {
    if (next.value.rateHz !== first.rateHz) throw appError('utterance_rate_changes')
    yield next.value
  }
}

function* piecesOf(pcm: Int16Array, rateHz: number): Generator<Int16Array> {
  const length = Math.max(1, Math.ceil((rateHz * PIECE_MS) / 1000))
  for (let at = 0; at < pcm.length; at += length) yield pcm.subarray(at, at + length)
}

/** Waits before a piece that would leave too early. */
function paced({ freeMs, factor }: { freeMs: number; factor: number }, over: AbortSignal) {
  let sentMs = 0
  let nextAt = 0
  return async (pieceMs: number): Promise<void> => {
    sentMs += pieceMs
    const now = monotonicMs()
    if (sentMs > freeMs && nextAt > now) await pause(nextAt - now, over)
    nextAt = Math.max(now, nextAt) + pieceMs / factor
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
