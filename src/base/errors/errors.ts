// The error that reaches API clients. Its message is public; private details go in `cause`, which is only logged.
// `appError('agent_inactive')` takes kind and message from the catalog in error-codes.ts.
import { type ErrorCode, errorCodes, errorText, type ParamsOf } from './error-codes.ts'

const statusOf = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  media_type: 415,
  range: 416,
  mismatch: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  upstream: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const

export type ErrorKind = keyof typeof statusOf

export type ErrorParams = Readonly<Record<string, string | number>>
/** One problem of a request, as clients read it in the X-Error-Code header. */
export type Problem = { code: ErrorCode; params: ErrorParams; message: string }

type More = { cause?: unknown; headers?: Record<string, string> }

export class AppError extends Error {
  readonly kind: ErrorKind
  readonly status: number
  /** Headers of the error response, such as Allow or Retry-After. */
  readonly headers: Record<string, string>
  readonly code: ErrorCode
  readonly params: ErrorParams
  /** All problems if there are several; the first one equals `code` and `params`. */
  readonly problems: readonly Omit<Problem, 'message'>[]

  /** Prefer `appError`, which cannot disagree with the catalog. */
  constructor(
    kind: ErrorKind,
    message: string,
    more: More & { code?: ErrorCode; params?: ErrorParams; problems?: readonly Omit<Problem, 'message'>[] } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = statusOf[kind]
    this.headers = more.headers ?? {}
    this.code = more.code ?? more.problems?.[0]?.code ?? codeOfKind[kind]
    this.params = more.params ?? more.problems?.[0]?.params ?? {}
    this.problems = more.problems ?? [{ code: this.code, params: this.params }]
  }
}

/** For an error without its own code. */
export const codeOfKind: Readonly<Record<ErrorKind, ErrorCode>> = {
  invalid: 'invalid',
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
  not_found: 'path_not_found',
  not_allowed: 'method_not_allowed',
  request_timeout: 'request_timeout',
  conflict: 'conflict',
  stale: 'stale',
  too_large: 'too_large',
  media_type: 'media_type_not_supported',
  range: 'range_not_satisfiable',
  mismatch: 'mismatch',
  too_many_requests: 'too_many_requests',
  headers_too_large: 'headers_too_large',
  internal: 'internal_error',
  upstream: 'upstream_failed',
  unavailable: 'unavailable',
  upstream_timeout: 'upstream_timeout',
}

type Rest<C extends ErrorCode> = keyof ParamsOf<C> extends never
  ? [params?: ParamsOf<C>, more?: More]
  : [params: ParamsOf<C>, more?: More]

/** The error of a code: `throw appError('body_too_large', { limit: 1024 })`. */
export function appError<C extends ErrorCode>(code: C, ...[params, more]: Rest<C>): AppError {
  const { message, ...problem } = problemOf(code, params ?? ({} as ParamsOf<C>))
  return new AppError(errorCodes[code][0], message, { ...more, ...problem })
}

export const problemOf = <C extends ErrorCode>(code: C, params: ParamsOf<C>): Problem => ({
  code,
  params,
  message: errorText(code, params),
})

/** `what` as named in the message, such as "API key"; clients get it in snake case. */
export const notFound = (what: string) =>
  new AppError('not_found', errorText('not_found', { what }), {
    code: 'not_found',
    params: { what: what.toLowerCase().replaceAll(' ', '_') },
  })

/** The row; throws the same 404 for a missing row and for another user's. */
export function found<T>(what: string, row: T | undefined): T {
  if (row === undefined) throw notFound(what)
  return row
}

/** The public part of an error, as sent from one node to another. */
export type RemoteError = { code: string; params: ErrorParams; message: string; headers: Record<string, string> }

export function toRemoteError(error: unknown): RemoteError {
  const { code, params, message, headers } = error instanceof AppError ? error : appError('internal_error')
  return { code, params, message, headers }
}

/** A node of another release may have different codes. */
export function fromRemoteError({ code, params, message, headers }: RemoteError): AppError {
  if (!Object.hasOwn(errorCodes, code)) return appError('unavailable')
  const known = code as ErrorCode
  return new AppError(errorCodes[known][0], message, { code: known, params, headers })
}
