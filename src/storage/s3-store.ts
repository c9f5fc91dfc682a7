// The object store over S3. An upload counts only once the store has proved that it holds exactly what was sent.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { S3mini, S3NetworkError, S3ServiceError } from 's3mini'

import { type ObjectStore, StoreError, type StoreProblem, type StoreSettings } from './object-store.ts'

/** S3 takes no smaller parts but the last. */
const PART_BYTES = 8 * 2 ** 20
const REQUEST_MS = 120_000
const CHECK_MS = 10_000
const PROBE = 'ramal-probe'
const FULL = new Set(['QuotaExceeded', 'EntityTooLarge', 'XMinioStorageFull', 'InsufficientStorage'])

export function s3Store({ endpoint, bucket, ...keys }: StoreSettings): ObjectStore {
  const address = `${endpoint.replace(/\/$/, '')}/${encodeURIComponent(bucket)}`
  /** The library takes no signal of its own: one client for each operation. */
  const client = (signal: AbortSignal, mostMs = REQUEST_MS) =>
    new S3mini({
      ...keys,
      endpoint: address,
      fetch: (input, init) =>
        fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(mostMs)]) }),
    })

  async function upload(s3: S3mini, key: string, file: FileHandle): Promise<Sent> {
    const { size } = await file.stat()
    const whole = createHash('sha256')
    const digests: Buffer[] = []
    const next = async (at: number) => {
      const bytes = await readPart(file, at, size)
      whole.update(bytes)
      digests.push(createHash('md5').update(bytes).digest())
      return bytes
    }
    const sent = (etag: string): Sent => ({
      size,
      sha256: whole.digest('hex'),
      isProved: etag === etagOf(digests, size),
    })
    if (size <= PART_BYTES) {
      const made = await s3.putObject(key, await next(0), 'audio/wav')
      return sent(s3.sanitizeETag(made.headers.get('etag') ?? ''))
    }
    const id = await s3.getMultipartUploadId(key, 'audio/wav')
    try {
      const parts = []
      for (let at = 0; at < size; at += PART_BYTES)
        parts.push(await s3.uploadPart(key, id, await next(at), parts.length + 1))
      const { etag } = await s3.completeMultipartUpload(key, id, parts)
      return sent(etag)
    } catch (error) {
      await s3.abortMultipartUpload(key, id).catch(() => {})
      throw error
    }
  }

  return {
    putFile: (key, path, signal) =>
      told(async () => {
        const s3 = client(signal)
        const file = await open(path)
        try {
          const sent = await upload(s3, key, file)
          // Encrypted buckets give ETags of another kind: then the object itself has to prove it.
          if (!sent.isProved && (await digestOf(s3, key)) !== sent.sha256) throw new StoreError('wrong_content')
          if ((await sizeOf(s3, key)) !== sent.size) throw new StoreError('wrong_content')
        } finally {
          await file.close()
        }
      }),
    sizeOf: (key, signal) => told(() => sizeOf(client(signal), key)),
    read: (key, { start, end }, signal) =>
      told(async () => {
        const made = await client(signal)
          .getObjectRaw(key, false, start, end + 1)
          .catch(absent)
        return made?.body ? Readable.fromWeb(made.body as ReadableStream) : null
      }),
    remove: (key, signal) => told(async () => void (await client(signal).deleteObject(key).catch(absent))),
    check: (signal) =>
      told(async () => {
        const s3 = client(signal, CHECK_MS)
        // Written, not only looked at: keys that may read are of no use.
        await s3.putObject(PROBE, 'Ramal writes this to test its access.', 'text/plain')
        await s3.deleteObject(PROBE)
      }),
  }
}

type Sent = { size: number; sha256: string; isProved: boolean }

async function readPart(file: FileHandle, at: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.min(PART_BYTES, size - at))
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, at + filled)
    if (bytesRead === 0) throw new Error('the file became shorter while it was uploaded')
    filled += bytesRead
  }
  return bytes
}

/** As S3 computes it: MD5 of the content, or of the parts' MD5s with their number. */
function etagOf(digests: readonly Buffer[], size: number): string {
  if (size <= PART_BYTES) return (digests[0] as Buffer).toString('hex')
  return `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}`
}

async function sizeOf(s3: S3mini, key: string): Promise<number | null> {
  return (await s3.objectExists(key)) === true ? await s3.getContentLength(key) : null
}

async function digestOf(s3: S3mini, key: string): Promise<string | null> {
  const made = await s3.getObjectRaw(key).catch(absent)
  if (!made?.body) return null
  const hash = createHash('sha256')
  for await (const chunk of Readable.fromWeb(made.body as ReadableStream)) hash.update(chunk)
  return hash.digest('hex')
}

const statusOf = (error: unknown) => (error instanceof S3ServiceError ? error.status : undefined)

function absent(error: unknown): null {
  if (statusOf(error) === 404) return null
  throw error
}

/** Errors in our words: what the store answers may quote the request. */
async function told<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError(problemOf(error), { cause: error })
  }
}

function problemOf(error: unknown): StoreProblem {
  const causes: unknown[] = [error, (error as Error).cause]
  const service = causes.find((one) => one instanceof S3ServiceError)
  if (service) {
    const { status, serviceCode = '' } = service as S3ServiceError
    if (status === 507 || status === 413 || FULL.has(serviceCode)) return 'full'
    if (status === 401 || status === 403) return 'denied'
    if (status === 404) return 'no_bucket'
    return 'failed'
  }
  const isNetwork = causes.some((one) => one instanceof S3NetworkError || one instanceof TypeError)
  const isLate = causes.some((one) => (one as Error | undefined)?.name === 'TimeoutError')
  return isNetwork || isLate ? 'unreachable' : 'failed'
}
