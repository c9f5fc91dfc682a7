// Deepgram speech recognition: streaming audio, interim transcripts, one final transcript.
import type { Audio, AudioFrame, Stt, Transcript } from '../../voice/ports.ts'
import { parsed, timeoutsOf, type Vendor, VendorError, type VendorTimeouts } from '../vendor-http.ts'
import { openSocket, type VendorSocket } from '../vendor-socket.ts'

export type DeepgramSettings = {
  apiKey: string | null
  baseUrl?: string
  model?: string
  /** Deepgram disconnects after 10 s without audio or a keep-alive. */
  keepAliveMs?: number
  timeouts?: Partial<VendorTimeouts>
}

type Message = {
  type: string
  is_final?: boolean
  from_finalize?: boolean
  channel?: { alternatives?: { transcript?: string; confidence?: number }[] }
  description?: string
}

type Part = { text: string; confidence: number }
const whole = (parts: readonly Part[]) => parts.map((part) => part.text).join(' ')

export function deepgram(settings: DeepgramSettings): Stt {
  const vendor: Vendor = {
    name: 'Deepgram',
    apiKey: settings.apiKey,
    baseUrl: settings.baseUrl ?? 'https://api.deepgram.com',
    headers: (apiKey) => ({ authorization: `Token ${apiKey}` }),
    notFound: 'upstream',
    timeouts: settings.timeouts,
  }
  const model = settings.model ?? 'nova-3'
  const keepAliveMs = settings.keepAliveMs ?? 4_000

  function pathOf(rateHz: number, language: string, hints: readonly string[]): string {
    const query = new URLSearchParams({
      model,
      language,
      encoding: 'linear16',
      sample_rate: String(rateHz),
      channels: '1',
      interim_results: 'true',
      smart_format: 'true',
      endpointing: 'false', // endpointing is ours
    })
    // The third generation takes key terms, earlier ones keywords.
    for (const hint of hints) query.append(model.startsWith('nova-3') ? 'keyterm' : 'keywords', hint)
    return `/v1/listen?${query}`
  }

  /** No audio has been sent yet, so a retry is safe. */
  async function open(path: string, signal: AbortSignal): Promise<VendorSocket> {
    try {
      return await openSocket(vendor, path, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof VendorError && error.isTransient)) throw error
      return await openSocket(vendor, path, signal)
    }
  }

  async function* transcribe(
    audio: Audio,
    options: { language: string; hints?: readonly string[] },
    signal: AbortSignal,
  ): AsyncGenerator<Transcript> {
    const frames = audio[Symbol.asyncIterator]()
    const first = await frames.next()
    if (signal.aborted) return
    if (first.done) {
      yield { text: '', isFinal: true }
      return
    }
    const socket = await open(pathOf(first.value.rateHz, options.language, options.hints ?? []), signal)
    const over = new AbortController()
    const sending = send(socket, first.value, frames, over.signal)
    sending.catch(() => socket.close())
    const parts: Part[] = []
    try {
      yield* partials(socket, parts)
      if (signal.aborted) return
      await sending // a failure of the audio source is not mistaken for its end
      const confidence = Math.min(1, ...parts.map((part) => part.confidence))
      yield { text: whole(parts), isFinal: true, ...(parts.length === 0 ? {} : { confidence }) }
    } finally {
      over.abort()
      socket.close()
      frames.return?.()?.catch(() => {})
    }
  }

  /** The source may never yield its next frame: what waits beside it ends with `over`. */
  async function send(socket: VendorSocket, first: AudioFrame, rest: AsyncIterator<AudioFrame>, over: AbortSignal) {
    let isQuiet = false
    const alive = setInterval(() => {
      if (isQuiet) void socket.send('{"type":"KeepAlive"}')
      isQuiet = true
    }, keepAliveMs)
    over.addEventListener('abort', () => clearInterval(alive))
    try {
      for (let next: IteratorResult<AudioFrame> = { value: first }; !next.done; next = await rest.next()) {
        if (over.aborted) return
        isQuiet = false
        const { pcm } = next.value
        await socket.send(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength))
      }
    } finally {
      clearInterval(alive)
    }
    socket.expectWithin(timeoutsOf(vendor).idleMs)
    await socket.send('{"type":"Finalize"}')
    await socket.send('{"type":"CloseStream"}')
  }

  async function* partials(socket: VendorSocket, parts: Part[]): AsyncGenerator<Transcript> {
    for await (const data of socket.messages()) {
      const message = parsed(vendor, data) as Message
      if (message.type === 'Error') throw new VendorError('upstream', 'Deepgram could not recognise the audio')
      if (message.type === 'Metadata') return // sent last, after CloseStream
      if (message.type !== 'Results') continue
      const best = message.channel?.alternatives?.[0]
      const part = { text: best?.transcript?.trim() ?? '', confidence: best?.confidence ?? 1 }
      if (message.is_final && part.text !== '') parts.push(part)
      if (message.from_finalize) return
      if (part.text !== '') yield { text: whole(message.is_final ? parts : [...parts, part]), isFinal: false }
    }
  }

  return {
    name: 'deepgram',
    async *transcribe(audio, options, signal) {
      try {
        yield* transcribe(audio, options, signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}
