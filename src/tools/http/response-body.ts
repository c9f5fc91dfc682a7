// Response bodies: decompressed while they arrive, with the limit on decompressed bytes.
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { jsonGuard } from '../../base/json-guard.ts'
import { HttpError } from '../ports.ts'

export const ACCEPT_ENCODING = 'gzip, deflate, br'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/** JSON beyond these limits is refused: legitimate responses are smaller, and parsing it is slow. */
export const jsonBounds = { depth: 200, keys: 10_000 }

/** `eventBytes`: maximum size of one event in a stream. `isJson`: enforces `jsonBounds`, in an event stream for each event. */
export type BodyBounds = { maxBytes: number; eventBytes?: number; isJson?: boolean }

/** At most one content encoding: nested compression has no legitimate use. Fails with `too-large` beyond the limits. */
export function unpacked(
  body: Readable,
  encoding: string | undefined,
  bounds: BodyBounds,
  onPiece: () => void,
): Readable {
  const name = (encoding ?? '').trim().toLowerCase()
  const counter = counted(bounds, onPiece)
  const fail = (error: unknown) => void counter.destroy(error as Error)
  if (name === '' || name === 'identity') {
    pipeline(body, counter).catch(fail)
    return counter
  }
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!decoder) {
    body.on('error', () => {}).destroy()
    throw new HttpError('protocol', 'the answer is packed in a way that was not asked for', true)
  }
  pipeline(body, decoder(), counter).catch(fail)
  return counter
}

function counted({ maxBytes, eventBytes, isJson }: BodyBounds, onPiece: () => void): Transform {
  let size = 0
  const guard = jsonGuard(jsonBounds)
  const sizeOfEvent = eventBytes === undefined ? () => 0 : eventCounter()
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length
      onPiece()
      if (size > maxBytes) return done(new HttpError('too-large', `the answer has more than ${maxBytes} bytes`, true))
      const sizeNow = sizeOfEvent(piece)
      if (sizeNow > (eventBytes ?? 0))
        return done(new HttpError('too-large', `an event has more than ${eventBytes} bytes`, true))
      if (isJson && guard.problemIn(piece))
        return done(new HttpError('too-large', 'the answer is nested too deeply, or has too many keys', true))
      if (eventBytes !== undefined && sizeNow === 0) guard.restart()
      done(null, piece)
    },
  })
}

const [LF, CR] = [10, 13]

/** Bytes since the last empty line, which ends an event; a reader buffers them until then. */
function eventCounter(): (piece: Buffer) => number {
  let size = 0
  let isLineEmpty = true
  let wasCr = false
  return (piece) => {
    for (const byte of piece) {
      size++
      const isEnd = byte === LF || byte === CR
      if (isEnd && !(byte === LF && wasCr)) {
        if (isLineEmpty) size = 0
        isLineEmpty = true
      } else if (!isEnd) isLineEmpty = false
      wasCr = byte === CR
    }
    return size
  }
}

export async function wholeOf(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
