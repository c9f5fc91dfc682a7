// Recordings on this disk and in the object store, sent whole or in part (RFC 9110, 14). File names come from our rows,
// never from a URL.
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { appError, notFound } from '../../base/errors/errors.ts'
import { type ObjectStore, StoreError } from '../../object-storage/object-store.ts'
import {
  type ByteRange,
  fileSource,
  objectSource,
  type RecordingSource,
} from '../../object-storage/recording-source.ts'

export type Channel = 'both' | 'caller' | 'agent' | 'mixed'
/** Extracts one channel of a file that starts with these bytes; null if the file is not stereo. */
export type ChannelOf = (start: Buffer, fileBytes: number, choice: Exclude<Channel, 'both'>) => OneChannel | null
type OneChannel = { header: Buffer; bytes: number; dataAt: number; pick(stereo: Buffer): Buffer }

const START_BYTES = 4096

/** A recording, the disk it is on and the node that recorded it; null if an older version did not store them. */
export type StoredRecording = {
  file: string
  disk: string | null
  nodeId: string | null
  /** Its process has not closed the file yet, or died first, so the header does not contain its length. */
  isUnfinished?: boolean
}
/**
 * The disk, node and object store of this process: a recording on another disk is not missing, only unavailable here.
 */
export type Here = { disk: string; nodeId: string; store?: ObjectStore | null }
/** Replaces the disk id in the row of an uploaded recording. */
export const OBJECT_STORE = 's3'
type Asked = { callId: string; recording: StoredRecording; channel?: Channel | undefined }

export const recordingPath = (dataDir: string) => (file: string) => join(dataDir, 'recordings', basename(file))

/** A file that no longer exists counts as removed. */
export const fileRemover =
  (dataDir: string) =>
  (file: string): Promise<void> =>
    rm(recordingPath(dataDir)(file), { force: true })

export function recordingFiles(dataDir: string, here: Here, channelOf: ChannelOf = () => null) {
  const pathOf = recordingPath(dataDir)

  async function open(recording: StoredRecording): Promise<RecordingSource> {
    if (recording.disk === OBJECT_STORE) {
      if (!here.store) throw storeUnavailable()
      const found = await objectSource(here.store, recording.file).catch(inStore)
      if (!found) throw notFound('Recording')
      return found
    }
    return fileSource(pathOf(recording.file)).catch(async (error) => {
      // It may have been uploaded after its row was read.
      const store = recording.disk === here.disk ? here.store : null
      return (store && (await objectSource(store, recording.file).catch(inStore))) ?? missing(error, recording, here)
    })
  }

  return {
    pathOf,
    /** Throws if it is not available on this node. */
    open,
    async send(
      req: FastifyRequest,
      reply: FastifyReply,
      { callId, recording, channel = 'both' }: Asked,
    ): Promise<FastifyReply> {
      const source = await open(recording)
      try {
        if (recording.isUnfinished) throw unfinished()
        if (source.bytes === 0) throw notFound('Recording')
        const one = channel === 'both' ? null : channelOf(await startOf(source), source.bytes, channel)
        const size = one?.bytes ?? source.bytes
        // We send no validator for If-Range, so the client's part must be from another version.
        const range = req.headers['if-range'] === undefined ? readRange(req.headers.range, size) : undefined
        const { start, end } = range ?? { start: 0, end: size - 1 }
        if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
        const body = one
          ? Readable.from(bytesOf(source, one, { start, end }), { objectMode: false })
          : await source.read({ start, end })
        // Also closes if the file was never read, or if the client disconnects while the store hangs.
        const close = () => void source.close()
        body.once('close', close)
        reply.raw.once('close', close)
        return reply
          .type('audio/wav')
          .header('accept-ranges', 'bytes')
          .header('content-disposition', `attachment; filename="${callId}.wav"`)
          .header('content-length', end - start + 1)
          .send(body)
      } catch (error) {
        await source.close()
        return inStore(error)
      }
    },
  }
}

async function startOf(source: RecordingSource): Promise<Buffer> {
  const stream = await source.read({ start: 0, end: Math.min(START_BYTES, source.bytes) - 1 })
  return Buffer.concat(await stream.toArray())
}

/** A byte range of the single-channel file, produced on the fly. */
async function* bytesOf(source: RecordingSource, one: OneChannel, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const { length } = one.header
  if (start < length) yield one.header.subarray(start, end + 1)
  if (end < length) return
  // From the frame where the range starts to the one where it ends.
  const skipped = Math.max(0, start - length)
  const from = one.dataAt + Math.floor(skipped / 2) * 4
  const to = one.dataAt + (Math.floor((end - length) / 2) + 1) * 4
  let skip = skipped % 2
  let left = end + 1 - Math.max(start, length)
  for await (const stereo of wholeFrames(await source.read({ start: from, end: to - 1 }))) {
    const samples = one.pick(stereo).subarray(skip)
    yield samples.subarray(0, left)
    left -= Math.min(left, samples.length)
    skip = 0
  }
}

/** Chunks of whole stereo frames, of four bytes each. */
async function* wholeFrames(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = all.length - (all.length % 4)
    rest = all.subarray(whole)
    if (whole > 0) yield all.subarray(0, whole)
  }
}

const onAnotherNode = (nodeId: string) =>
  appError(
    'recording_other_node',
    { node: nodeId },
    {
      headers: { 'retry-after': '60' },
    },
  )

const unfinished = () => appError('recording_unfinished', {}, { headers: { 'retry-after': '5' } })

const storeUnavailable = (cause?: unknown) =>
  appError('recording_store_unavailable', {}, { cause, headers: { 'retry-after': '30' } })

/** The store's own response is only logged. */
function inStore(error: unknown): never {
  throw error instanceof StoreError ? storeUnavailable(error) : error
}

/** The file is missing, or is a symlink. */
function missing(error: NodeJS.ErrnoException, { disk, nodeId }: StoredRecording, here: Here): never {
  if (error.code !== 'ENOENT' && error.code !== 'ELOOP') throw error
  const isHere = disk === null ? nodeId === null || nodeId === here.nodeId : disk === here.disk
  throw isHere ? notFound('Recording') : onAnotherNode(nodeId ?? disk ?? '')
}

/** One range is honored; several ranges, or an invalid one, return the whole file. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [from, to] = [match[1] as string, match[2] as string]
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end || start >= size)
    throw appError(
      'recording_range',
      {},
      {
        headers: { 'content-range': `bytes */${size}` },
      },
    )
  return { start, end }
}
