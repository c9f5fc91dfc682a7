// Recordings on disk, sent whole or in part (RFC 9110, 14). Names come from our rows, never from a URL.
import { constants } from 'node:fs'
import { access, type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { appError, notFound } from '../../base/errors.ts'

export type Channel = 'both' | 'caller' | 'agent' | 'mixed'
/** One channel of a file that starts with these bytes; null when the file is not stereo. */
export type ChannelOf = (start: Buffer, fileBytes: number, choice: Exclude<Channel, 'both'>) => OneChannel | null
type OneChannel = { header: Buffer; bytes: number; dataAt: number; pick(stereo: Buffer): Buffer }

const START_BYTES = 4096
const CHUNK_BYTES = 131_072

/** A recording, the disk it is on and the node that recorded it; null where an older version did not store them. */
export type StoredRecording = { file: string; disk: string | null; nodeId: string | null }
/** The disk and node of this process: a recording on another disk is not missing, only unavailable here. */
export type Here = { disk: string; nodeId: string }
type Asked = { callId: string; recording: StoredRecording; channel?: Channel | undefined }

export const recordingPath = (dataDir: string) => (file: string) => join(dataDir, 'recordings', basename(file))

export function recordingFiles(dataDir: string, here: Here, channelOf: ChannelOf = () => null) {
  const pathOf = recordingPath(dataDir)
  return {
    pathOf,
    async send(
      req: FastifyRequest,
      reply: FastifyReply,
      { callId, recording, channel = 'both' }: Asked,
    ): Promise<FastifyReply> {
      // Opened before the first header, so that a failure is a regular error response; a file removed meanwhile stays readable.
      const file = await open(pathOf(recording.file), constants.O_RDONLY | constants.O_NOFOLLOW).catch((error) =>
        missing(error, recording, here),
      )
      try {
        const stats = await file.stat()
        if (!stats.isFile() || stats.size === 0) throw notFound('Recording')
        const one = channel === 'both' ? null : channelOf(await startOf(file), stats.size, channel)
        const size = one?.bytes ?? stats.size
        // We send no validator for If-Range: the client's part is of another version.
        const range = req.headers['if-range'] === undefined ? readRange(req.headers.range, size) : undefined
        const { start, end } = range ?? { start: 0, end: size - 1 }
        if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
        return reply
          .type('audio/wav')
          .header('accept-ranges', 'bytes')
          .header('content-disposition', `attachment; filename="${callId}.wav"`)
          .header('content-length', end - start + 1)
          .send(one ? partOf(file, one, start, end) : file.createReadStream(range ?? {}))
      } catch (error) {
        await file.close()
        throw error
      }
    },
    /** Its path; throws when it is not on this disk. */
    async locate(recording: StoredRecording): Promise<string> {
      const path = pathOf(recording.file)
      await access(path).catch((error) => missing(error, recording, here))
      return path
    },
  }
}

async function startOf(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** Closing the stream closes the file, also when it was never read. */
function partOf(file: FileHandle, one: OneChannel, start: number, end: number): Readable {
  const stream = Readable.from(bytesOf(file, one, start, end), { objectMode: false })
  return stream.once('close', () => void file.close())
}

/** A byte range of the single-channel file, produced as it is read. */
async function* bytesOf(file: FileHandle, one: OneChannel, start: number, end: number): AsyncGenerator<Buffer> {
  const { length } = one.header
  if (start < length) yield one.header.subarray(start, end + 1)
  // From the frame in which the range starts to the one in which it ends.
  const stop = one.dataAt + (Math.floor((end - length) / 2) + 1) * 4
  let skip = Math.max(0, start - length)
  let at = one.dataAt + Math.floor(skip / 2) * 4
  skip %= 2
  let left = end + 1 - Math.max(start, length)
  while (at < stop) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(CHUNK_BYTES, stop - at)), 0, null, at)
    const whole = bytesRead - (bytesRead % 4)
    if (whole === 0) return
    const samples = one.pick(buffer.subarray(0, whole)).subarray(skip)
    yield samples.subarray(0, left)
    left -= Math.min(left, samples.length)
    skip = 0
    at += whole
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

/** The file is missing, or is a symlink. */
function missing(error: NodeJS.ErrnoException, { disk, nodeId }: StoredRecording, here: Here): never {
  if (error.code !== 'ENOENT' && error.code !== 'ELOOP') throw error
  const isHere = disk === null ? nodeId === null || nodeId === here.nodeId : disk === here.disk
  throw isHere ? notFound('Recording') : onAnotherNode(nodeId ?? disk ?? '')
}

/** One range is honoured; several ranges, or an invalid one, return the whole file. */
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
