// Where the bytes of a recording come from: a file of this disk, or an object of the store.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { CANCELLED } from '../base/concurrency/abort.ts'
import { type ObjectStore, StoreError } from './object-store.ts'

const CHUNK_BYTES = 131_072

/** Both ends included. */
export type ByteRange = { start: number; end: number }

export type RecordingSource = {
  readonly bytes: number
  /** The stream leaves the source open. */
  read(range: ByteRange): Promise<Readable>
  /** May be called again. */
  close(): Promise<void>
}

/** Opened before headers are sent, so that a failure is a regular error response. A file removed later stays readable. */
export async function fileSource(path: string): Promise<RecordingSource> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stats = await file.stat()
    let closed: Promise<void> | undefined
    return {
      bytes: stats.isFile() ? stats.size : 0,
      read: async (range) => Readable.from(chunksOf(file, range), { objectMode: false }),
      close: () => {
        closed ??= file.close()
        return closed
      },
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function* chunksOf(file: FileHandle, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  for (let at = start; at <= end; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end + 1 - at)), 0, null, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Null when there is no such object. Closing it ends its requests. */
export async function objectSource(store: ObjectStore, key: string): Promise<RecordingSource | null> {
  const over = new AbortController()
  const bytes = await store.sizeOf(key, over.signal)
  if (bytes === null) return null
  return {
    bytes,
    async read(range) {
      const stream = await store.read(key, range, over.signal)
      if (!stream) throw new StoreError('failed') // removed meanwhile
      return stream
    },
    close: async () => over.abort(CANCELLED),
  }
}

export async function readWhole({ read, bytes }: RecordingSource): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0)
  return Buffer.concat(await (await read({ start: 0, end: bytes - 1 })).toArray())
}
