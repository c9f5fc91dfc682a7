// One request with a short response, read completely up to a limit. Follows no redirects and decompresses nothing.
import type { Dispatcher } from 'undici'
import { loadUndici } from '../process/lazy-packages.ts'
import { textOf } from './body.ts'

export type OutsideRequest = {
  method: string
  headers?: Record<string, string>
  body?: string | null
  dispatcher: Dispatcher
  signal: AbortSignal
  /** Limit of the response; of a longer one, just one byte more is read. */
  maxBytes: number
}

export type OutsideResponse = { status: number; headers: Dispatcher.ResponseData['headers']; text: string }

export async function requestOutside(url: string, asked: OutsideRequest): Promise<OutsideResponse> {
  const { method, headers = {}, body = null, dispatcher, signal, maxBytes } = asked
  const answer = await loadUndici().request(url, {
    method: method as Dispatcher.HttpMethod,
    headers,
    body,
    dispatcher,
    signal,
  })
  const text = await textOf(answer.body, maxBytes)
  return { status: answer.statusCode, headers: answer.headers, text }
}
