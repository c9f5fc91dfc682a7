// The error that reaches API clients. Its message is public; private details go in `cause`, which is only logged.

const statusOf = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  conflict: 409,
  too_large: 413,
  media_type: 415,
  range: 416,
  mismatch: 422,
  too_many_requests: 429,
  upstream: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const

export type ErrorKind = keyof typeof statusOf

export class AppError extends Error {
  readonly kind: ErrorKind
  readonly status: number
  /** Headers of the error response, such as Allow or Retry-After. */
  readonly headers: Record<string, string>

  constructor(kind: ErrorKind, message: string, more: { cause?: unknown; headers?: Record<string, string> } = {}) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = statusOf[kind]
    this.headers = more.headers ?? {}
  }
}

export const notFound = (what: string) => new AppError('not_found', `${what} not found`)

/** The row, or the 404 that a missing row and another user's row share. */
export function found<T>(what: string, row: T | undefined): T {
  if (row === undefined) throw notFound(what)
  return row
}
