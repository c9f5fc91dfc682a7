// Fixes the lengths in the header of a streamed WAV: without them browsers show a wrong duration or reject the file.
const tag = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** The same audio with correct lengths; other formats are returned unchanged. */
export function fixWavLengths(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.length < 44 || tag(bytes, 0) !== 'RIFF' || tag(bytes, 8) !== 'WAVE') return bytes
  const whole = bytes.slice()
  const view = new DataView(whole.buffer)
  for (let at = 12; at + 8 <= whole.length; at += 8 + view.getUint32(at + 4, true)) {
    if (tag(whole, at) !== 'data') continue
    view.setUint32(at + 4, whole.length - at - 8, true)
    view.setUint32(4, whole.length - 8, true)
    return whole
  }
  return bytes
}
