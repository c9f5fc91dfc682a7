// Response bodies, decompressed while they arrive, with limits on the decompressed bytes.
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HttpError } from './http-error.ts'
import { type JsonGuard, jsonGuard } from './json-guard.ts'
import type { JsonBounds } from './limits.ts'

export const ACCEPT_ENCODING = 'gzip, deflate, br'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/** `json`: limits for the whole body or, with `isEvents`, for each event; absent for neither. */
export type BodyBounds = { maxBytes: number; json?: JsonBounds | undefined; isEvents?: boolean }

/**
 * Accepts at most one content encoding: nested compression has no legitimate use. Fails with `too-large` beyond the
 * limits.
 */
export function unpacked(
  body: Readable,
  encoding: string | undefined,
  bounds: BodyBounds,
  onPiece: () => void = () => {},
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

function counted({ maxBytes, json, isEvents = false }: BodyBounds, onPiece: () => void): Transform {
  const guard: JsonGuard | null = json ? jsonGuard(json, { isEvents }) : null
  let size = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length
      onPiece()
      if (size > maxBytes) return done(new HttpError('too-large', `the answer has more than ${maxBytes} bytes`, true))
      const problem = guard?.problemIn(piece)
      if (problem === 'bytes')
        return done(new HttpError('too-large', `an event has more than ${json?.bytes} bytes`, true))
      if (problem)
        return done(new HttpError('too-large', 'the answer is nested too deeply, or has too many entries', true))
      done(null, piece)
    },
  })
}

export async function wholeOf(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** The first bytes of a body; the rest is not read. */
export async function* beginningOf(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const piece of pieces) {
    yield piece.subarray(0, left)
    left -= piece.length
    if (left <= 0) return
  }
}

/** The text of a body, up to one byte more than `bytes`, which tells the caller that it was longer. */
export async function textOf(pieces: AsyncIterable<Uint8Array>, bytes: number): Promise<string> {
  const kept: Uint8Array[] = []
  for await (const piece of beginningOf(pieces, bytes + 1)) kept.push(piece)
  return Buffer.concat(kept).toString('utf8')
}
