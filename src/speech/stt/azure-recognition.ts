// Azure speech recognition over the WebSocket protocol of its Speech SDK; over REST where no WebSocket can be opened.
import { randomUUID } from 'node:crypto'
import { joinPcm } from '../../audio/pcm.ts'
import { pcmBytes, wavFile, wavHeader } from '../../audio/wav.ts'
import { limits } from '../../base/outside/limits.ts'
import { now } from '../../base/time/clock.ts'
import type { Audio, Stt, SttOptions, Transcript } from '../../voice/ports.ts'
import { parsed, type Vendor, VendorError, type VendorSettings, vendorHttp } from '../vendor-http.ts'
import { liveStt } from './live-protocol.ts'

/** `model`: the id of a custom model's endpoint; Azure's own models have no names. */
type AzureRecognitionSettings = VendorSettings & {
  /** For example brazilsouth. */
  region?: string | null
}

type Best = { Display?: string; Confidence?: number }
type Phrase = { RecognitionStatus?: string; DisplayText?: string; NBest?: Best[] }

const PATH = '/speech/recognition/conversation/cognitiveservices/v1'
const MAX_PHRASES = 100
/** REST takes no longer audio. */
const MAX_REST_MS = 60_000
/** As Azure's own client: audio of the first five seconds at once, then twice as fast as it is spoken. */
const PACE = { freeMs: 5_000, factor: 2 }

export function azureRecognition(settings: AzureRecognitionSettings): Stt & { close(): Promise<void> } {
  const vendor: Vendor = {
    ...settings,
    name: 'Azure Speech',
    apiKey: settings.region || settings.baseUrl ? settings.apiKey : null, // a key is useless without an address
    baseUrl: settings.baseUrl ?? `https://${settings.region ?? ''}.stt.speech.microsoft.com`,
    headers: (apiKey) => ({ 'ocp-apim-subscription-key': apiKey }),
    notFound: 'upstream',
  }
  // A resource of its own has all services under one name.
  const isResource = settings.baseUrl && new URL(settings.baseUrl).hostname.endsWith('.cognitiveservices.azure.com')
  const prefix = isResource ? '/stt' : ''
  const http = vendorHttp(vendor)

  function pathOf({ language }: SttOptions): string {
    const query = new URLSearchParams({ language, format: 'detailed', profanity: 'raw' })
    if (settings.model) query.set('cid', settings.model)
    return `${prefix}${PATH}?${query}`
  }

  async function withoutSocket(audio: Audio, options: SttOptions, signal: AbortSignal): Promise<Transcript> {
    const parts: Int16Array[] = []
    let rateHz = 0
    let samples = 0
    for await (const { pcm, rateHz: rate } of audio) {
      rateHz = rate
      samples += pcm.length
      if (samples <= (MAX_REST_MS / 1000) * rate) parts.push(pcm)
    }
    const call = {
      path: pathOf(options),
      headers: { 'content-type': `audio/wav; codecs=audio/pcm; samplerate=${rateHz}`, accept: 'application/json' },
      body: wavFile(joinPcm(parts), rateHz),
    }
    const read = phrases(vendor)
    read.add((await http.json(call, limits.transcript, signal, 1)) as Phrase)
    return read.final()
  }

  const stt = liveStt({
    name: 'azure',
    vendor,
    pace: PACE,
    withoutSocket,
    utterance(rateHz, options) {
      const requestId = withoutDashes(randomUUID())
      const message = (path: string, body: unknown) =>
        `${headOf(path, requestId, 'application/json')}\r\n${JSON.stringify(body)}`
      return {
        path: pathOf(options),
        headers: { 'x-connectionid': withoutDashes(randomUUID()) },
        begin: [
          message('speech.config', { context: { system: { name: 'ramal', version: '1', build: '', lang: '' } } }),
          message('speech.context', contextOf([...(options.hints ?? []), ...(options.names ?? [])])),
          audioMessage(requestId, wavHeader(rateHz, 0), 'audio/x-wav'),
        ],
        audio: (pcm) => [audioMessage(requestId, pcmBytes(pcm))],
        end: () => [audioMessage(requestId, new Uint8Array(0))],
        read: reader(vendor),
      }
    },
  })
  return { ...stt, close: () => http.close() }
}

const withoutDashes = (id: string) => id.replaceAll('-', '')

const headOf = (path: string, requestId: string, type?: string) =>
  `Path: ${path}\r\nX-RequestId: ${requestId}\r\nX-Timestamp: ${now()}\r\n${type ? `Content-Type: ${type}\r\n` : ''}`

/** A binary message: the length of its head in two bytes, the head, and the audio. */
function audioMessage(requestId: string, bytes: Uint8Array, type?: string): Uint8Array {
  const head = Buffer.from(headOf('audio', requestId, type), 'latin1')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(head.length)
  return Buffer.concat([length, head, bytes])
}

const contextOf = (hints: readonly string[]) =>
  hints.length === 0
    ? {}
    : { dgi: { Groups: [{ Type: 'Generic', Items: hints.slice(0, MAX_PHRASES).map((Text) => ({ Text })) }] } }

/** Phrases that are final: the service makes one of each part between pauses. */
function phrases(vendor: Vendor) {
  const service = vendor.name
  const texts: string[] = []
  let confidence = 1
  return {
    texts,
    add(phrase: Phrase | null): void {
      const status = phrase?.RecognitionStatus
      if (status === undefined) throw new VendorError('service_protocol', { service })
      if (status === 'Error') throw new VendorError('service_failed_half_way', { service }, { isPassing: true })
      if (status === 'TooManyRequests') throw new VendorError('service_rate_limited', { service })
      if (status === 'Forbidden') throw new VendorError('service_key_refused', { service })
      if (status === 'BadRequest') throw new VendorError('service_refused', { service })
      // NoMatch, InitialSilenceTimeout, BabbleTimeout, EndOfDictation: no words.
      if (status !== 'Success') return
      const best = phrase?.NBest?.[0]
      const text = (best?.Display ?? phrase?.DisplayText ?? '').trim()
      if (text === '') return
      texts.push(text)
      confidence = Math.min(confidence, best?.Confidence ?? 1)
    },
    final: (): Transcript => ({
      text: texts.join(' '),
      isFinal: true,
      ...(texts.length === 0 ? {} : { confidence }),
    }),
  }
}

function reader(vendor: Vendor): (message: string) => Transcript | null {
  const known = phrases(vendor)
  return (message) => {
    const split = message.indexOf('\r\n\r\n')
    const path = split < 0 ? undefined : pathIn(message.slice(0, split))
    if (path === undefined) throw new VendorError('service_protocol', { service: vendor.name })
    const body = message.slice(split + 4)
    if (path === 'speech.hypothesis' || path === 'speech.fragment') {
      const { Text = '' } = (parsed(vendor, body, limits.transcript) ?? {}) as { Text?: string }
      return { text: [...known.texts, Text].join(' ').trim(), isFinal: false }
    }
    if (path === 'speech.phrase') {
      known.add(parsed(vendor, body, limits.transcript) as Phrase)
      return { text: known.texts.join(' '), isFinal: false }
    }
    return path === 'turn.end' ? known.final() : null
  }
}

function pathIn(head: string): string | undefined {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    if (line.slice(0, colon).trim().toLowerCase() === 'path')
      return line
        .slice(colon + 1)
        .trim()
        .toLowerCase()
  }
  return undefined
}
