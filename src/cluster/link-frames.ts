// Frames on the link between two nodes: length (4 bytes, of kind and payload) | kind (1) | payload.

export const FrameKind = {
  /** First frame of the connecting node: its request, as JSON. */
  open: 0,
  accepted: 1,
  /** An error, as JSON. */
  refused: 2,
  binary: 3,
  text: 4,
  /** The orderly end, as JSON. */
  end: 5,
  ping: 6,
} as const
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind]

const HEAD = 5
const kinds = Object.values(FrameKind).length
/** Fits the largest WebSocket message. */
export const MAX_FRAME = 262_400
/** The first frame of a connection. */
export const MAX_OPEN_FRAME = 32_768

class FrameError extends Error {}

export function encodeFrame(kind: FrameKind, payload: Uint8Array | string = ''): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (bytes.length > MAX_FRAME) throw new FrameError('frame too large')
  const frame = Buffer.allocUnsafe(HEAD + bytes.length)
  frame.writeUInt32BE(bytes.length + 1)
  frame[4] = kind
  frame.set(bytes, HEAD)
  return frame
}

/** Returns the complete frames of the bytes received so far. Throws a FrameError before it buffers an oversized frame. */
export function frameDecoder() {
  let chunks: Buffer[] = []
  let stored = 0
  let wanted = HEAD
  let limit = MAX_OPEN_FRAME
  const take = (): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    chunks = []
    return all
  }
  return {
    push(chunk: Buffer): { kind: FrameKind; payload: Buffer }[] {
      chunks.push(chunk)
      stored += chunk.length
      if (stored < wanted) return []
      const frames: { kind: FrameKind; payload: Buffer }[] = []
      const all = take()
      let at = 0
      wanted = HEAD
      while (all.length - at >= HEAD) {
        const size = all.readUInt32BE(at)
        const kind = all[at + 4] as number
        if (size < 1 || size - 1 > limit || kind >= kinds) throw new FrameError('not a frame')
        if (all.length - at < 4 + size) {
          wanted = 4 + size
          break
        }
        const payload = all.subarray(at + HEAD, at + 4 + size)
        frames.push({ kind: kind as FrameKind, payload })
        at += HEAD + payload.length
        limit = MAX_FRAME
      }
      stored = all.length - at
      if (stored > 0) chunks = [all.subarray(at)]
      return frames
    },
  }
}
