// Fake vendor clouds with OpenAI-compatible APIs: TTS, STT and LLM. They keep no state, because the soak test sends
// hundreds of thousands of requests, and they tolerate clients that disconnect.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { bytesOf, toneOf } from '../vendors/server.ts'

export type Clouds = { url: string; stop(): Promise<void> }

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of request) pieces.push(piece as Buffer)
  } catch {
    return null // the client has disconnected
  }
  return Buffer.concat(pieces).toString()
}

const json = (response: ServerResponse, value: unknown) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** The reply to the caller, or the post-call analysis. */
const wordsFor = (body: string) =>
  body.includes('one JSON object') ? JSON.stringify({ summary: 'Perguntou o horário.' }) : 'Às oito.'

function think(response: ServerResponse, body: string): void {
  const chunk = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }]
    return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'stand-in', choices })}\n\n`
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const said = chunk({ role: 'assistant', content: wordsFor(body) }, null)
  response.end(`${said}${chunk({}, 'stop')}data: [DONE]\n\n`)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  if (body === null) return
  if (request.url === '/v1/audio/voices') return json(response, { voices: ['alloy'] })
  if (request.url === '/v1/audio/transcriptions') return json(response, { text: 'Que horas abrem amanhã?' })
  if (request.url === '/v1/chat/completions') return think(response, body)
  if (request.url !== '/v1/audio/speech') return void response.writeHead(404).end()
  const { input } = JSON.parse(body) as { input: string }
  response.writeHead(200, { 'content-type': 'audio/pcm' }).end(bytesOf(toneOf(input)))
}

export async function openClouds(): Promise<Clouds> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => void answer(request, response))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
