// Fetch for packages with their own protocol: limited in size and shape, whatever the server claims about its content.
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { loadUndici } from '../process/lazy-packages.ts'
import { type BodyBounds, beginningOf, unpacked } from './body.ts'
import { limits } from './limits.ts'

/** Converts a body to a web stream; reading only part of it closes the connection. */
export const webBody = (body: Readable) => Readable.toWeb(body) as BodyInit

const emptyStatuses = [101, 204, 205, 304]

/**
 * Accepts a URL and a text body. Content types are not trusted, because SDKs parse by what they requested. Error bodies
 * are truncated.
 */
export function boundedFetch(dispatcher: Dispatcher, bounds: BodyBounds): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers: given, body: sent = null, signal } = init
    const answer = await loadUndici().request(String(input), {
      method: method as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(new Headers(given)), 'accept-encoding': 'identity' },
      body: sent as string | null,
      dispatcher,
      signal,
    })
    const { statusCode: status } = answer
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      /^content-(encoding|length)$/.test(name) ? [] : [value ?? []].flat().map((one) => [name, one]),
    )
    const isOk = status >= 200 && status < 300
    // Redirects are errors, because they would carry the key to any host that the server names.
    const body = unpacked(answer.body, encodingOf(answer.headers), isOk ? bounds : { maxBytes: bounds.maxBytes })
    if (emptyStatuses.includes(status)) {
      body.on('error', () => {}).destroy()
      return new Response(null, { status, headers })
    }
    return new Response(webBody(isOk ? body : Readable.from(beginningOf(body, limits.errorBody.bytes))), {
      status,
      headers,
    })
  }
}

const encodingOf = (headers: Dispatcher.ResponseData['headers']): string | undefined =>
  [headers['content-encoding'] ?? []].flat().join(', ')
