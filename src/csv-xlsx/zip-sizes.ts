// Sizes declared in a ZIP file, read before anything is unpacked. Unpacking is limited to these sizes.
import { appError } from '../base/errors/errors.ts'

const MAX_FILES = 1000
const END = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const MAX_COMMENT = 65_535

const broken = () => appError('sheet_xlsx_invalid')

/** Throws if the entries have more than this many bytes together. */
export function checkZip(bytes: Uint8Array, maxBytes: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const files = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (files === 0 || files > MAX_FILES) throw files === 0 ? broken() : tooMuch()
  let total = 0
  for (let i = 0; i < files; i++) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) throw broken()
    const [size, name, extra, comment] = [
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
    ]
    total += size // ZIP64 writes 0xffffffff here, which is also too much
    if (total > maxBytes) throw tooMuch()
    at += ENTRY_BYTES + name + extra + comment
  }
}

const tooMuch = () => appError('sheet_unpacked_too_large')

function endOf(view: DataView): number {
  for (let at = view.byteLength - END_BYTES; at >= Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT); at--)
    if (view.getUint32(at, true) === END) return at
  throw broken()
}
