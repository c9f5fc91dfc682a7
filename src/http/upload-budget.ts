// Bytes of files being received or read, per user and in total.
import { appError } from '../base/errors/errors.ts'

const MB = 1_048_576
/** A single file may exceed this; it then waits until no other is in flight. */
const MAX_OF_USER = 128 * MB
const MAX_IN_ALL = 512 * MB
const RETRY_SECONDS = 5

export function uploadBudget() {
  const ofUser = new Map<string, number>()
  let inAll = 0

  return {
    /** The bytes of a single file from this user. */
    of(userId: string) {
      let mine = 0
      return {
        /** Throws if there is no room. */
        take(bytes: number): void {
          const held = ofUser.get(userId) ?? 0
          // Closes the connection, because the rest of the file is not worth receiving.
          const headers = { 'retry-after': String(RETRY_SECONDS), connection: 'close' }
          if (held > mine && held + bytes > MAX_OF_USER) throw appError('uploads_of_user', {}, { headers })
          if (inAll > mine && inAll + bytes > MAX_IN_ALL) throw appError('uploads_busy', {}, { headers })
          ofUser.set(userId, held + bytes)
          inAll += bytes
          mine += bytes
        },
        giveBack(): void {
          const rest = (ofUser.get(userId) ?? 0) - mine
          if (rest > 0) ofUser.set(userId, rest)
          else ofUser.delete(userId)
          inAll -= mine
          mine = 0
        },
      }
    },
  }
}
