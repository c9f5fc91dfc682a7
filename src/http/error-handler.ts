// Sends every error as exactly { statusCode, error, message }; only unexpected errors are logged with their cause.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { tooLarge } from './auth.ts'

export const errorBody = (statusCode: number, message: string) => ({
  statusCode,
  error: STATUS_CODES[statusCode] ?? 'Error',
  message,
})

/** `translate` maps a database error to an API error. */
export function errorHandler(log: Log, translate: (error: unknown) => AppError | undefined) {
  return (thrown: FastifyError | AppError, req: FastifyRequest, reply: FastifyReply) => {
    const error = thrown instanceof AppError ? thrown : (translate(thrown) ?? fromFastify(thrown, req))
    if (error === undefined || error.status >= 500) {
      const cause = error?.cause ?? thrown
      // The failing part logs an outage once; do not log it again for each refused request.
      const level = error?.kind === 'unavailable' ? 'debug' : 'error'
      log[level]({ reqId: req.id, route: req.routeOptions.url, err: cause }, 'request failed')
    }
    if (error === undefined) return reply.code(500).send(errorBody(500, 'Something went wrong on our side'))
    return reply.headers(error.headers).code(error.status).send(errorBody(error.status, error.message))
  }
}

/** Fastify's own errors, reworded: its messages may quote the request. */
function fromFastify(error: FastifyError, req: FastifyRequest): AppError | undefined {
  switch (error.statusCode) {
    case 413:
      return tooLarge(req)
    case 415:
      return new AppError('media_type', 'The body must be application/json')
    case 404:
      return new AppError('not_found', 'Not found')
    default:
      return error.statusCode && error.statusCode < 500
        ? new AppError('invalid', 'The request is not valid')
        : undefined
  }
}

const parserErrors: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Bytes that cannot be parsed as an HTTP request are answered on the raw socket, in the same shape. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = parserErrors[error.code ?? ''] ?? 400
  const message =
    status === 431
      ? 'The headers are too large'
      : status === 408
        ? 'The request took too long'
        : 'The request is not valid HTTP'
  const body = JSON.stringify(errorBody(status, message))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\n` +
      `x-request-id: ${newId('req')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
