// The peer of a tool: notes every request, and counts effects as a server does that knows idempotency keys.
import { atEnd } from '../app.ts'
import { openWebServer, type WebRequest } from '../web-server.ts'

export type Answered = { status?: number; body?: string; afterMs?: number }

/** `answer` gives null where the request was received and is never answered. */
export async function startCounterpart(
  answer: (received: WebRequest) => Answered | null | Promise<Answered> = () => ({}),
) {
  const server = await openWebServer({ after: atEnd }, async (received, response) => {
    const answered = await answer(received)
    if (!answered) return
    const { status = 200, body = '{"result":"booked"}', afterMs = 0 } = answered
    const type = { 'content-type': 'application/json' }
    setTimeout(() => response.writeHead(status, type).end(body), afterMs)
  })
  return {
    url: server.url,
    received: server.asked,
    /** How many different things were done, where the same key is the same thing. */
    effects: () => new Set(server.asked.map(({ headers }, i) => headers['idempotency-key'] ?? i)).size,
  }
}

/** What lets tools of a test reach it. */
export const onLoopback = { ALLOWED_NETWORKS: '127.0.0.0/8' }
