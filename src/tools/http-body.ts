// The body of an answer: unpacked while it arrives, and counted as it is unpacked, so that a small one cannot become a huge one.
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HttpTrouble } from './ports.ts'

export const ACCEPT_ENCODING = 'gzip, deflate, br'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/** One layer of packing at most: who packs twice has no good reason. Ends with `too-large` beyond `maxBytes`. */
export function unpacked(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
  onPiece: () => void,
): Readable {
  const name = (encoding ?? '').trim().toLowerCase()
  const counter = counted(maxBytes, onPiece)
  const fail = (error: unknown) => void counter.destroy(error as Error)
  if (name === '' || name === 'identity') {
    pipeline(body, counter).catch(fail)
    return counter
  }
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!decoder) {
    body.on('error', () => {}).destroy()
    throw new HttpTrouble('protocol', 'the answer is packed in a way that was not asked for', true)
  }
  pipeline(body, decoder(), counter).catch(fail)
  return counter
}

function counted(maxBytes: number, onPiece: () => void): Transform {
  let size = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length
      onPiece()
      if (size <= maxBytes) return done(null, piece)
      done(new HttpTrouble('too-large', `the answer has more than ${maxBytes} bytes`, true))
    },
  })
}

export async function wholeOf(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
