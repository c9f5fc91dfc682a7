// Recordings on disk: sent whole or in part (RFC 9110, 14), removed with their call. Names come from our rows, never from a URL.
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../../base/errors.ts'

export function recordingFiles(dataDir: string) {
  const pathOf = (fileName: string) => join(dataDir, 'recordings', basename(fileName))
  return {
    pathOf,
    async send(req: FastifyRequest, reply: FastifyReply, callId: string, fileName: string): Promise<FastifyReply> {
      // Open before the first header, so that what fails is a proper answer, and held open should it be removed meanwhile.
      const file = await open(pathOf(fileName), constants.O_RDONLY | constants.O_NOFOLLOW).catch(missing)
      try {
        const stats = await file.stat()
        if (!stats.isFile()) throw notFound('Recording')
        // We give out no validator that an If-Range could hold: the client's part is then of another version.
        const range = req.headers['if-range'] === undefined ? readRange(req.headers.range, stats.size) : undefined
        const { start, end } = range ?? { start: 0, end: stats.size - 1 }
        if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${stats.size}`)
        return reply
          .type('audio/wav')
          .header('accept-ranges', 'bytes')
          .header('content-disposition', `attachment; filename="${callId}.wav"`)
          .header('content-length', end - start + 1)
          .send(file.createReadStream(range ?? {}))
      } catch (error) {
        await file.close()
        throw error
      }
    },
    async remove(fileNames: readonly string[]): Promise<void> {
      for (const name of fileNames) await rm(pathOf(name), { force: true })
    },
  }
}

/** Not there, or not a file of ours but a link to one. */
function missing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' || error.code === 'ELOOP' ? notFound('Recording') : error
}

/** One range is honoured; several, or none that we understand, mean the whole file. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [from, to] = [match[1] as string, match[2] as string]
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end || start >= size)
    throw new AppError('range', 'The range is not within the recording', {
      headers: { 'content-range': `bytes */${size}` },
    })
  return { start, end }
}
