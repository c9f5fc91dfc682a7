// Recordings on disk: sent whole or in part (RFC 9110, 14), removed with their call. Names come from our rows, never from a URL.
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../../base/errors.ts'

export function recordingFiles(dataDir: string) {
  const pathOf = (fileName: string) => join(dataDir, 'recordings', basename(fileName))
  return {
    async send(req: FastifyRequest, reply: FastifyReply, callId: string, fileName: string): Promise<FastifyReply> {
      const path = pathOf(fileName)
      const file = await stat(path).catch(() => undefined)
      if (!file?.isFile()) throw notFound('Recording')
      reply
        .type('audio/wav')
        .header('accept-ranges', 'bytes')
        .header('content-disposition', `attachment; filename="${callId}.wav"`)
      const range = readRange(req.headers.range, file.size)
      if (!range) return reply.header('content-length', file.size).send(createReadStream(path))
      const { start, end } = range
      return reply
        .code(206)
        .header('content-range', `bytes ${start}-${end}/${file.size}`)
        .header('content-length', end - start + 1)
        .send(createReadStream(path, { start, end }))
    },
    async remove(fileNames: readonly string[]): Promise<void> {
      for (const name of fileNames) await rm(pathOf(name), { force: true })
    },
  }
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
