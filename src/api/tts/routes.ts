// /api/tts. What speaks is behind the port `Speech`; these routes only check, ask and stream.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../base/errors.ts'
import type { Routes } from '../../http/server.ts'
import { type Provider, SpeakB, SpeakC, TtsToken, Voice } from './schema.ts'

export type SpeakRequest = { text: string; voiceId: string; speed?: number; modelId?: string; language?: string }

/** Synthesis as these routes need it. Each may throw an AppError before any audio is sent. */
export interface Speech {
  voices(provider: Provider): Promise<Voice[]>
  token(): Promise<TtsToken>
  speak(
    provider: Provider,
    request: SpeakRequest,
    signal: AbortSignal,
  ): Promise<{ type: string; audio: AsyncIterable<Uint8Array> }>
}

/** What stands there until a synthesiser is installed. */
export const noSpeech: Speech = {
  voices: () => Promise.reject(notYet()),
  token: () => Promise.reject(notYet()),
  speak: () => Promise.reject(notYet()),
}
const notYet = () => new AppError('unavailable', 'This server has no speech engine')

export const ttsRoutes =
  (speech: Speech): Routes =>
  (api) => {
    for (const provider of ['provider_a', 'provider_b', 'provider_c'] as const) {
      api.get(
        `/tts/${provider}/voices`,
        { schema: { summary: `The voices of ${provider}`, response: { 200: Type.Array(Voice) } } },
        () => speech.voices(provider),
      )
    }

    api.get(
      '/tts/provider_b/token',
      { schema: { summary: "A short-lived token for provider_b's stream", response: { 200: TtsToken } } },
      () => speech.token(),
    )

    const audio = (...types: string[]) => ({
      200: {
        description: 'Audio, as it is made',
        content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
      },
    })

    api.post(
      '/tts/provider_b/stream',
      { schema: { summary: 'Speaks with provider_b', body: SpeakB, response: audio('audio/mpeg', 'audio/wav') } },
      (req, reply) => send(reply, 'provider_b', given(req.body)),
    )

    api.post(
      '/tts/provider_c/stream',
      { schema: { summary: 'Speaks with provider_c', body: SpeakC, response: audio('audio/wav') } },
      (req, reply) => send(reply, 'provider_c', given(req.body)),
    )

    /** The listener's leaving stops the synthesis; a failure half-way breaks the connection, for no JSON fits after audio. */
    async function send(reply: FastifyReply, provider: Provider, request: SpeakRequest) {
      const leaving = new AbortController()
      // Of the answer, not of the request: that one closes as soon as its body has been read.
      reply.raw.once('close', () => reply.raw.writableFinished || leaving.abort())
      const { type, audio } = await speech.speak(provider, request, leaving.signal)
      const chunks = audio[Symbol.asyncIterator]()
      const first = await chunks.next() // what fails before this is still an answer of its own
      return reply.type(type).send(Readable.from(from(first, chunks), { objectMode: false }))
    }
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
