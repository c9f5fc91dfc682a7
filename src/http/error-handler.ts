// Sends every error as exactly { statusCode, error, message }; only unexpected errors are logged with their cause.
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, appError } from '../base/errors/errors.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/process/log.ts'
import { tooLarge } from './auth.ts'
import { ERROR_CODE, errorCodeHeader } from './error-code-header.ts'
import type { LingeringClose } from './lingering-close.ts'

/** An import would read every export of node:http and thereby load Node's own fetch and WebSocket. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export const errorBody = (statusCode: number, message: string) => ({
  statusCode,
  error: STATUS_CODES[statusCode] ?? 'Error',
  message,
})

type ErrorParts = {
  log: Log
  /** Maps a database error to an API error. */
  translate: (error: unknown) => AppError | undefined
} & Pick<LingeringClose, 'linger'>

export function errorHandler({ log, translate, linger }: ErrorParts) {
  return (thrown: FastifyError | AppError, req: FastifyRequest, reply: FastifyReply) => {
    const error = thrown instanceof AppError ? thrown : (translate(thrown) ?? fromFastify(thrown, req))
    if (error === undefined || error.status >= 500) {
      const cause = error?.cause ?? thrown
      // The failing part logs an outage once; do not log it again for each rejected request.
      const level = error?.kind === 'unavailable' ? 'debug' : 'error'
      log[level]({ reqId: req.id, route: req.routeOptions.url, err: cause }, 'request failed')
    }
    const { status, headers, message, problems } = error ?? appError('internal_error')
    if (headers.connection === 'close') linger(req.raw)
    return reply
      .headers(headers)
      .header(ERROR_CODE, errorCodeHeader(problems))
      .code(status)
      .send(errorBody(status, message))
  }
}

/** For a fault that has already been logged. */
export function answerFault(reply: FastifyReply): void {
  const { status, message, problems } = appError('internal_error')
  reply.header(ERROR_CODE, errorCodeHeader(problems)).code(status).send(errorBody(status, message))
}

/** Fastify's own errors, reworded because its messages may quote the request. */
function fromFastify(error: FastifyError, req: FastifyRequest): AppError | undefined {
  switch (error.statusCode) {
    case 413:
      return tooLarge(req)
    case 415:
      return appError('body_media_type', { types: 'application/json' })
    case 404:
      return appError('path_not_found')
    default:
      return error.statusCode && error.statusCode < 500 ? appError('request_invalid') : undefined
  }
}

const parserErrors = { HPE_HEADER_OVERFLOW: 'headers_too_large', ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout' } as const

/** Bytes that are not a parseable HTTP request are answered on the raw socket, in the same shape. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code = parserErrors[error.code as keyof typeof parserErrors] ?? 'request_not_http'
  const { status, message, problems } = appError(code)
  const body = JSON.stringify(errorBody(status, message))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\n` +
      `${ERROR_CODE}: ${errorCodeHeader(problems)}\r\n` +
      `x-request-id: ${newId('req')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
