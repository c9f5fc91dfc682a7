// Typed client of the Ramal API: openapi-fetch with the API key preset, throwing errors instead of returning them.
import createClient, { type Client, type FetchOptions, type ParseAs, type ParseAsResponse } from 'openapi-fetch'
import type { ErrorBody, paths } from './paths.ts'

export type * from './paths.ts'

export type ClientOptions = {
  /** Base URL of Ramal, such as https://voice.example.com. Omit it on a page that Ramal itself serves. */
  baseUrl?: string
  /** Omit it when a session cookie authenticates the request. */
  apiKey?: string
  fetch?: (request: Request) => Promise<Response>
}

/** A non-2xx response, with the server's message. */
export class RamalError extends Error {
  override name = 'RamalError'
  readonly statusCode: number
  /** The error's name, such as "Not Found". */
  readonly error: string
  /** The request ID under which the server logged this request. */
  readonly requestId: string | null

  constructor({ statusCode, error, message }: ErrorBody, requestId: string | null = null) {
    super(message)
    this.statusCode = statusCode
    this.error = error
    this.requestId = requestId
  }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Success = 200 | 201 | 202 | 204 | 206
/** The JSON body if the operation has one; callers select any other type with `parseAs`. */
type Held<Answer> = Answer extends { content: { 'application/json': infer Json } }
  ? Json
  : Answer extends { content: infer Other }
    ? Other[keyof Other]
    : undefined
type AnswerOfOperation<Operation> = Operation extends { responses: infer All } ? Held<All[keyof All & Success]> : never

/** The paths that support a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never
}[keyof paths]
/** The response body of an operation: `AnswerOf<'/api/agents', 'get'>` is `Agent[]`. */
export type AnswerOf<P extends keyof paths, M extends Method> = AnswerOfOperation<paths[P][M & keyof paths[P]]>
/** The JSON request body of an operation. */
export type BodyOf<P extends keyof paths, M extends Method> = paths[P][M & keyof paths[P]] extends {
  requestBody?: { content: { 'application/json': infer Json } }
}
  ? Json
  : never

type Options<P extends keyof paths, M extends Method> = FetchOptions<paths[P][M & keyof paths[P]]>
/** Options are optional when no field of them is required. */
type Rest<O> = Record<never, never> extends O ? [options?: O] : [options: O]

type Send<M extends Method> = <P extends PathOf<M>, A extends ParseAs = 'json'>(
  path: P,
  ...rest: Rest<Options<P, M> & { parseAs?: A }>
) => Promise<{ data: ParseAsResponse<AnswerOf<P, M>, { parseAs: A }>; response: Response }>

/** Like openapi-fetch's client, but `data` is always set: a non-2xx response throws a RamalError. */
export type RamalClient = Record<never, never> & {
  GET: Send<'get'>
  POST: Send<'post'>
  PUT: Send<'put'>
  PATCH: Send<'patch'>
  DELETE: Send<'delete'>
  use: Client<paths>['use']
  eject: Client<paths>['eject']
}

export function createRamalClient(options: ClientOptions = {}): RamalClient {
  return createFetchClient(options) as unknown as RamalClient
}

/** Same client with openapi-fetch's own types, for libraries built on them (openapi-react-query). It throws as well. */
export function createFetchClient({ baseUrl, apiKey, fetch }: ClientOptions = {}): Client<paths> {
  const client = createClient<paths>({
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(fetch ? { fetch } : {}),
    ...(apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } }),
    bodySerializer: (body) => (isFile(body) ? body : JSON.stringify(body)),
  })
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await errorIn(response)
    },
  })
  return client
}

/** The `cursor` of the next page of a list requested with `limit`; undefined after the last page. */
export function nextCursor(response: Response): string | undefined {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return next === undefined ? undefined : (new URL(next, 'http://ramal').searchParams.get('cursor') ?? undefined)
}

/** Sent as is, without JSON encoding; the caller sets its Content-Type header. */
const isFile = (body: unknown): body is Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string =>
  body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body) || typeof body === 'string'

async function errorIn(response: Response): Promise<RamalError> {
  const { status, statusText, headers } = response
  const body: unknown = await response.json().catch(() => undefined)
  const isOurs = typeof body === 'object' && body !== null && 'statusCode' in body && 'message' in body
  // A proxy in between responds with a body of its own.
  const told = isOurs ? (body as ErrorBody) : { statusCode: status, error: statusText, message: `HTTP ${status}` }
  return new RamalError(told, headers.get('x-request-id'))
}
