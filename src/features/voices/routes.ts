// /api/tts. Synthesis is behind the port `Speech`; these routes validate, call it and stream.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Routes } from '../../http/server.ts'
import { PreviewQuery, type Provider, providers, SpeakB, SpeakC, TtsToken, Voice } from './schema.ts'

export type SpeakRequest = { text: string; voiceId: string; speed?: number; modelId?: string; language?: string }
export type Spoken = { type: string; audio: AsyncIterable<Uint8Array> }

/** Synthesis as these routes need it. Each method may throw an AppError before any audio is sent. */
export interface Speech {
  voices(provider: Provider): Promise<Voice[]>
  /** A short-lived token for provider_b's stream, issued to the holder of this API key. */
  token(keyId: string, userId: string): Promise<TtsToken>
  speak(provider: Provider, request: SpeakRequest, signal: AbortSignal, userId: string): Promise<Spoken>
  /** A preview of a voice; of the first one if none is named. */
  preview(provider: Provider, voiceId: string | undefined, signal: AbortSignal, userId: string): Promise<Spoken>
}

export const ttsRoutes =
  (speech: Speech): Routes =>
  (api) => {
    for (const provider of providers) {
      api.get(
        `/tts/${provider}/voices`,
        { schema: { summary: `List the voices of ${provider}`, response: { 200: Type.Array(Voice) } } },
        () => speech.voices(provider),
      )

      api.get(
        `/tts/${provider}/preview`,
        {
          schema: {
            summary: `Get an audio sample of a ${provider} voice`,
            querystring: PreviewQuery,
            response: audio('audio/wav'),
          },
        },
        (req, reply) => send(reply, (signal) => speech.preview(provider, req.query.voiceId, signal, req.userId)),
      )
    }

    api.get(
      '/tts/provider_b/token',
      { schema: { summary: 'Create a short-lived token for the provider_b stream', response: { 200: TtsToken } } },
      (req) => speech.token(req.grant?.id ?? '', req.userId),
    )

    api.post(
      '/tts/provider_b/stream',
      {
        config: { takesToken: true },
        schema: {
          summary: 'Synthesise speech with provider_b',
          body: SpeakB,
          response: audio('audio/mpeg', 'audio/wav'),
        },
      },
      (req, reply) => send(reply, (signal) => speech.speak('provider_b', given(req.body), signal, req.userId)),
    )

    api.post(
      '/tts/provider_c/stream',
      { schema: { summary: 'Synthesise speech with provider_c', body: SpeakC, response: audio('audio/wav') } },
      (req, reply) => send(reply, (signal) => speech.speak('provider_c', given(req.body), signal, req.userId)),
    )
  }

const audio = (...types: string[]) => ({
  200: {
    description: 'Audio, streamed during synthesis',
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  },
})

/**
 * Stops the synthesis if the listener disconnects. A failure halfway breaks the connection, because JSON cannot follow
 * audio.
 */
async function send(reply: FastifyReply, speak: (signal: AbortSignal) => Promise<Spoken>) {
  const leaving = new AbortController()
  // On the response, because the request closes as soon as its body has been read.
  reply.raw.once('close', () => reply.raw.writableFinished || leaving.abort())
  const { type, audio } = await speak(leaving.signal)
  const chunks = audio[Symbol.asyncIterator]()
  const first = await chunks.next() // an error before this is still a regular error response
  return reply.type(type).send(Readable.from(from(first, chunks), { objectMode: false }))
}

async function* from(first: IteratorResult<Uint8Array>, chunks: AsyncIterator<Uint8Array>) {
  try {
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value
  } finally {
    await chunks.return?.()
  }
}

/** Null and absent mean the same. */
const given = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as SpeakRequest
