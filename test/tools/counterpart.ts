// The server that a tool calls: records every request, and counts effects like a server that supports idempotency keys.
import { atEnd } from '../app.ts'
import { openWebServer, type WebRequest } from '../web-server.ts'

export type Answered = { status?: number; body?: string; afterMs?: number }

/** `answer` returns null if the request is received but never answered. */
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
    /** Number of distinct effects: requests with the same key count once. */
    effects: () => new Set(server.asked.map(({ headers }, i) => headers['idempotency-key'] ?? i)).size,
  }
}

/** Lets a test's tools reach this server. */
export const onLoopback = { ALLOWED_NETWORKS: '127.0.0.0/8' }
