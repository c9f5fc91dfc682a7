// Receives files on disk: a request holds only one chunk of its file in memory. The files are unlinked, so nothing is
// left of them when they are closed or the process dies.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type AppError, appError } from '../base/errors/errors.ts'
import { newId } from '../base/ids.ts'
import { tooLarge } from './auth.ts'
import { bodyLimitOf } from './body-limit.ts'
import { uploadBudget } from './upload-budget.ts'

const PIECE = 262_144
const isFull = new Set(['ENOSPC', 'EDQUOT'])

export type ReceivedFile = {
  size: number
  sha256: string
  /** Can be read, even repeatedly, until it is closed. */
  pieces: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export type ReceiveFile = (req: FastifyRequest, payload: Readable) => Promise<ReceivedFile>

export async function receivedFiles(folder: string): Promise<ReceiveFile> {
  const budget = uploadBudget()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Left by a process that died before unlinking them.
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })

  return async (req, payload) => {
    const share = budget.of(req.userId)
    const length = req.headers['content-length']
    if (length !== undefined) share.take(Number(length))
    let file: FileHandle | undefined
    const close = async () => {
      await file?.close()
      share.giveBack()
    }
    try {
      file = await nameless(folder)
      const limit = bodyLimitOf(req)
      const hash = createHash('sha256')
      let size = 0
      for await (const piece of arriving(payload)) {
        size += piece.length
        if (size > limit) throw tooLarge(req)
        if (length === undefined) share.take(piece.length)
        hash.update(piece)
        await written(file, piece)
        freed(piece)
      }
      return { size, sha256: hash.digest('hex'), pieces: piecesOf(file), close }
    } catch (error) {
      await close()
      throw error
    }
  }
}

async function nameless(folder: string): Promise<FileHandle> {
  const path = join(folder, newId('up'))
  const file = await open(path, 'wx+', 0o600).catch(refused)
  await rm(path, { force: true })
  return file
}

/** The request stays open when its body is rejected, because the client must be able to read the response. */
async function* arriving(payload: Readable): AsyncGenerator<Buffer> {
  try {
    yield* payload.iterator({ destroyOnReturn: false })
  } catch {
    throw appError('request_invalid') // the client is gone
  }
}

async function written(file: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at).catch(refused)).bytesWritten
}

/** Freed at once: chunks arriving at full speed would take tens of megabytes before they are garbage-collected. */
function freed({ buffer, byteLength }: Buffer): void {
  const isAlone = byteLength === buffer.byteLength
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

function refused(error: NodeJS.ErrnoException): never {
  throw isFull.has(error.code ?? '') ? diskFull(error) : error
}

const diskFull = (cause: Error): AppError =>
  appError('uploads_disk_full', {}, { cause, headers: { 'retry-after': '60', connection: 'close' } })

const piecesOf = (file: FileHandle): AsyncIterable<Uint8Array> => ({
  async *[Symbol.asyncIterator]() {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(PIECE), 0, PIECE, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  },
})
