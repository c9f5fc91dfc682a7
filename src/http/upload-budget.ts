// Bytes of files that are being received, of each user and in all: a file is held in memory until its request is answered.
import { Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { appError } from '../base/errors.ts'

const MB = 1_048_576
/** A single file may be larger than this; it then waits until no other is in flight. */
const MAX_OF_USER = 128 * MB
const MAX_IN_ALL = 512 * MB
const RETRY_SECONDS = 5

export type UploadBudget = ReturnType<typeof uploadBudget>

export function uploadBudget() {
  const ofUser = new Map<string, number>()
  let inAll = 0

  /** Throws where there is no room. `mine`: what this request holds already. */
  function take(userId: string, bytes: number, mine: number): void {
    const held = ofUser.get(userId) ?? 0
    // The connection is closed: the rest of the file is not worth receiving.
    const headers = { 'retry-after': String(RETRY_SECONDS), connection: 'close' }
    if (held > mine && held + bytes > MAX_OF_USER) throw appError('uploads_of_user', {}, { headers })
    if (inAll > mine && inAll + bytes > MAX_IN_ALL) throw appError('uploads_busy', {}, { headers })
    ofUser.set(userId, held + bytes)
    inAll += bytes
  }

  function giveBack(userId: string, bytes: number): void {
    const rest = (ofUser.get(userId) ?? 0) - bytes
    if (rest > 0) ofUser.set(userId, rest)
    else ofUser.delete(userId)
    inAll -= bytes
  }

  return {
    /** Counts the body by its Content-Length, before it is read; a body without one passes the stream. Throws where there is no room. */
    admit(req: FastifyRequest, reply: FastifyReply): Transform | null {
      const { userId } = req
      const length = Number(req.headers['content-length'] ?? Number.NaN)
      let mine = 0
      const more = (bytes: number) => {
        take(userId, bytes, mine)
        mine += bytes
      }
      if (length > 0) more(length)
      const end = () => {
        giveBack(userId, mine)
        mine = 0
      }
      reply.raw.once('finish', end).once('close', end)
      return Number.isNaN(length) ? counting(more) : null
    },
  }
}

/** A body without a length is counted as it arrives. */
const counting = (count: (bytes: number) => void): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      try {
        count(piece.length)
        done(null, piece)
      } catch (error) {
        done(error as Error)
      }
    },
  })
