// The protobuf wire format: reads fields without copying, writes them with one copy at the end.

export type Wire = 0 | 1 | 2 | 5
/** One field. `payload` is a view: the varint itself, the fixed 4 or 8 bytes, or the content without its length. */
export type Field = { id: number; wire: Wire; payload: Buffer; whole: Buffer }
/** A list of views and small buffers that are consecutive in the file. */
export type Bytes = { parts: Buffer[]; length: number }

const asBuffer = (data: Uint8Array): Buffer =>
  Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength)

function varintEnd(bytes: Buffer, start: number): number {
  for (let at = start; at < start + 10 && at < bytes.length; at++) if ((bytes[at] as number) < 128) return at + 1
  throw new Error('protobuf: a varint does not end')
}

/** Exact up to 2^53, which is more than any length or tag. */
function unsignedAt(bytes: Buffer, start: number, end: number): number {
  let value = 0
  for (let at = end - 1; at >= start; at--) value = value * 128 + ((bytes[at] as number) & 127)
  return value
}

/** int64 as a number: exact within ±2^53, the limits of int64 survive a round trip, the rest is rounded. */
function signedAt(bytes: Buffer, start: number, end: number): number {
  if (end - start < 8) return unsignedAt(bytes, start, end)
  let value = 0n
  for (let at = end - 1; at >= start; at--) value = (value << 7n) | BigInt((bytes[at] as number) & 127)
  return Number(BigInt.asIntN(64, value))
}

export function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0
  while (at < bytes.length) {
    const start = at
    at = varintEnd(bytes, start)
    const tag = unsignedAt(bytes, start, at)
    const wire = (tag % 8) as Wire
    let from = at
    if (wire === 0) at = varintEnd(bytes, at)
    else if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else if (wire === 2) {
      from = varintEnd(bytes, at)
      at = from + unsignedAt(bytes, at, from)
    } else throw new Error(`protobuf: wire type ${wire} is not known`)
    if (at > bytes.length) throw new Error('protobuf: a field is longer than its message')
    yield {
      id: Math.floor(tag / 8),
      wire,
      payload: bytes.subarray(from, at),
      whole: bytes.subarray(start, at),
    }
  }
}

export const textOf = (field: Field): string => field.payload.toString('utf8')
export const intOf = (field: Field): number => signedAt(field.payload, 0, field.payload.length)

/** Numbers of a repeated int field, packed or single: call it for each occurrence. */
export function pushInts(field: Field, into: number[]): void {
  if (field.wire === 0) {
    into.push(intOf(field))
    return
  }
  const { payload } = field
  for (let at = 0; at < payload.length; ) {
    const end = varintEnd(payload, at)
    into.push(signedAt(payload, at, end))
    at = end
  }
}

export function pushFloats(field: Field, into: number[]): void {
  for (let at = 0; at + 4 <= field.payload.length; at += 4) into.push(field.payload.readFloatLE(at))
}

export const concat = (items: readonly Bytes[]): Bytes => ({
  parts: items.flatMap((item) => item.parts),
  length: items.reduce((sum, item) => sum + item.length, 0),
})
export const rawBytes = (data: Uint8Array): Bytes => ({ parts: [asBuffer(data)], length: data.byteLength })

function varint(value: number): number[] {
  const out: number[] = []
  if (value < 0 || value > Number.MAX_SAFE_INTEGER) {
    // Number(2^63 - 1) is 2^63: it is written as the greatest int64, not as the least.
    let left = value >= 2 ** 63 ? 2n ** 63n - 1n : BigInt.asUintN(64, BigInt(value))
    for (; left > 127n; left >>= 7n) out.push(Number(left & 127n) + 128)
    out.push(Number(left))
    return out
  }
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) out.push((left % 128) + 128)
  out.push(left)
  return out
}

export const intField = (id: number, value: number): Bytes =>
  rawBytes(Buffer.from([...varint(id * 8), ...varint(value)]))

export function floatField(id: number, value: number): Bytes {
  const out = Buffer.alloc(4)
  out.writeFloatLE(value)
  return rawBytes(Buffer.from([...varint(id * 8 + 5), ...out]))
}

export function bytesField(id: number, content: Bytes | Uint8Array | string): Bytes {
  const inner =
    typeof content === 'string'
      ? rawBytes(Buffer.from(content))
      : content instanceof Uint8Array
        ? rawBytes(content)
        : content
  const head = Buffer.from([...varint(id * 8 + 2), ...varint(inner.length)])
  return { parts: [head, ...inner.parts], length: head.length + inner.length }
}

/**
 * The same bytes with runs of small parts joined, so that a file is written in few calls and large parts are not
 * copied.
 */
export function joined(bytes: Bytes, largeFrom = 65536): Buffer[] {
  const out: Buffer[] = []
  let small: Buffer[] = []
  const flush = () => {
    if (small.length > 0) out.push(Buffer.concat(small))
    small = []
  }
  for (const part of bytes.parts) {
    if (part.length < largeFrom) small.push(part)
    else {
      flush()
      out.push(part)
    }
  }
  flush()
  return out
}
