// The object store over S3. An upload counts only once the store has proved that it holds exactly what was sent.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable, Transform } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import type { ObjectStoreConfig } from '../config/config.ts'
import { type ObjectStore, StoreError } from './object-store.ts'
import { absent, limitedFetch, withStoreErrors } from './s3-requests.ts'

/** S3 requires parts of at least 5 MiB, except the last one. */
const PART_BYTES = 5 * 2 ** 20
/** Hashed in one step on the main thread: takes about a millisecond, so that calls are not delayed. */
const STEP_BYTES = 2 ** 18
/** A part takes longer only below 18 KB/s. */
const REQUEST_MS = 300_000
const CHECK_MS = 10_000
const CLEAN_UP_MS = 3000
const PROBE = 'ramal-probe'

export function s3Store({ endpoint, bucket, ...keys }: ObjectStoreConfig): ObjectStore {
  const address = `${endpoint.replace(/\/$/, '')}/${encodeURIComponent(bucket)}`
  /** One client per operation: the library does not accept a signal. */
  const client = (signal: AbortSignal, limitMs = REQUEST_MS) =>
    new S3mini({ ...keys, endpoint: address, fetch: limitedFetch(signal, limitMs) })

  return {
    async putFile(key, path, signal) {
      const file = await open(path) // an error of the disk is not one of the store
      try {
        await withStoreErrors(async () => {
          const s3 = client(signal)
          const sent = await upload({ s3, cleaner: client(new AbortController().signal, CLEAN_UP_MS), key, file })
          // The ETag of an encrypted bucket is not an MD5: the object itself is then read back.
          if (!sent.isProved && (await digestOf(s3, key)) !== sent.sha256) throw new StoreError('wrong_content')
          if ((await sizeOf(s3, key)) !== sent.size) throw new StoreError('wrong_content')
        })
      } finally {
        await file.close()
      }
    },
    sizeOf: (key, signal) => withStoreErrors(() => sizeOf(client(signal, CHECK_MS), key)),
    read: (key, { start, end }, signal) =>
      withStoreErrors(async () => {
        const response = await client(signal, CHECK_MS)
          .getObjectRaw(key, false, start, end + 1)
          .catch(absent)
        return response && exactly(response, end - start + 1)
      }),
    remove: (key, signal) =>
      withStoreErrors(async () => void (await client(signal, CHECK_MS).deleteObject(key).catch(absent))),
    check: (signal) =>
      withStoreErrors(async () => {
        const s3 = client(signal, CHECK_MS)
        // A write test: read-only keys are of no use.
        await s3.putObject(PROBE, 'Ramal writes this to test its access.', 'text/plain')
        await s3.deleteObject(PROBE).catch(absent) // another node may have tested at the same time
      }),
  }
}

/** `cleaner`: a client that still works after the upload was canceled. */
type Upload = { s3: S3mini; cleaner: S3mini; key: string; file: FileHandle }
type Sent = { size: number; sha256: string; isProved: boolean }

async function upload({ s3, cleaner, key, file }: Upload): Promise<Sent> {
  const { size } = await file.stat()
  const whole = createHash('sha256')
  const digests: Buffer[] = []
  const next = async (at: number) => {
    const part = createHash('md5')
    const bytes = await readPart(file, { at, size }, (step) => {
      whole.update(step)
      part.update(step)
    })
    digests.push(part.digest())
    return bytes
  }
  const sent = (etag: string): Sent => ({ size, sha256: whole.digest('hex'), isProved: etag === etagOf(digests, size) })
  if (size <= PART_BYTES) {
    const { headers } = await s3.putObject(key, await next(0), 'audio/wav')
    return sent(s3.sanitizeETag(headers.get('etag') ?? ''))
  }
  const id = await s3.getMultipartUploadId(key, 'audio/wav')
  try {
    const parts = []
    for (let at = 0; at < size; at += PART_BYTES)
      parts.push(await s3.uploadPart(key, id, await next(at), parts.length + 1))
    const { etag } = await s3.completeMultipartUpload(key, id, parts)
    if (!etag) throw new StoreError('failed') // S3 may answer 200 with an error inside
    return sent(etag)
  } catch (error) {
    await cleaner.abortMultipartUpload(key, id).catch(() => {})
    throw error
  }
}

type Place = { at: number; size: number }

async function readPart(file: FileHandle, { at, size }: Place, onStep: (bytes: Buffer) => void): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.min(PART_BYTES, size - at))
  let filled = 0
  while (filled < bytes.length) {
    const length = Math.min(STEP_BYTES, bytes.length - filled)
    const { bytesRead } = await file.read(bytes, filled, length, at + filled)
    if (bytesRead === 0) break
    onStep(bytes.subarray(filled, filled + bytesRead))
    filled += bytesRead
  }
  if (filled < bytes.length) throw new Error('the file became shorter while it was uploaded')
  return bytes
}

/** As S3 computes it: MD5 of the content, or of the parts' MD5s with their number. */
function etagOf(digests: readonly Buffer[], size: number): string {
  if (size <= PART_BYTES) return (digests[0] as Buffer).toString('hex')
  return `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}`
}

async function sizeOf(s3: S3mini, key: string): Promise<number | null> {
  const size = await s3.getContentLength(key).catch(absent)
  // The response to a HEAD does not say whether the object or its bucket is missing.
  if (size === null) await (await s3.getObjectRaw(key, false, 0, 1).catch(absent))?.body?.cancel()
  return size
}

async function digestOf(s3: S3mini, key: string): Promise<string | null> {
  const response = await s3.getObjectRaw(key).catch(absent)
  if (!response?.body) return null
  const hash = createHash('sha256')
  for await (const chunk of Readable.fromWeb(response.body as ReadableStream)) hash.update(chunk)
  return hash.digest('hex')
}

/** The body of a response, which fails unless it has this length: a store may ignore ranges or stop early. */
function exactly({ body, headers }: Response, length: number): Readable {
  const announced = headers.get('content-length')
  if (!body || (announced !== null && Number(announced) !== length)) {
    body?.cancel().catch(() => {})
    throw new StoreError('wrong_content')
  }
  let left = length
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new StoreError('wrong_content'))
      else done(null, chunk)
    },
    flush: (done) => done(left === 0 ? null : new StoreError('wrong_content')),
  })
  return pipeline(Readable.fromWeb(body as ReadableStream), counter, () => {}) as Transform
}
