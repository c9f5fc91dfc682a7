// Renders text as a QR code: an image for a page, or blocks for a terminal.
import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'
import type * as QrCode from 'qrcode'

/** Loaded when the first code is drawn. */
let library: typeof QrCode | undefined
function qrcode(): typeof QrCode {
  library ??= createRequire(import.meta.url)('qrcode') as typeof QrCode
  return library
}

/** Scanners need a light border of four modules (ISO/IEC 18004). */
const MARGIN = 4
const looks = { errorCorrectionLevel: 'M', margin: MARGIN } as const
const PIXELS = 6

/** One bit per pixel: the package's own writer uses 32 and takes 10 ms, this one less than 1 ms. */
export function qrPng(text: string): Buffer {
  const { modules } = qrcode().create(text, looks)
  const { size, data } = modules
  const width = (size + 2 * MARGIN) * PIXELS
  const rowBytes = 1 + Math.ceil(width / 8) // the first byte is the filter type: none
  const light = Buffer.alloc(rowBytes, 0xff)
  light[0] = 0
  const rows: Buffer[] = Array.from({ length: MARGIN * PIXELS }, () => light)
  for (let y = 0; y < size; y++) {
    const row = Buffer.from(light)
    for (let x = 0; x < width; x++) {
      const module = Math.floor(x / PIXELS) - MARGIN
      const isDark = module >= 0 && module < size && data[y * size + module] === 1
      if (isDark) row[1 + (x >> 3)] = (row[1 + (x >> 3)] as number) & ~(0x80 >> (x & 7))
    }
    for (let i = 0; i < PIXELS; i++) rows.push(row)
  }
  for (let i = 0; i < MARGIN * PIXELS; i++) rows.push(light)
  const header = Buffer.alloc(13) // width, height, bit depth, greyscale, deflate, filter per row, not interlaced
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header[8] = 1
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

export const qrDataUrl = (text: string): string => `data:image/png;base64,${qrPng(text).toString('base64')}`
export const qrSvg = (text: string): Promise<string> => qrcode().toString(text, { ...looks, type: 'svg' })
/** Two modules per character. With colors it is dark on light in every terminal, as scanners require. */
export async function qrTerminal(text: string, hasColors: boolean): Promise<string> {
  const drawn = await qrcode().toString(text, { ...looks, type: 'utf8', margin: 2 })
  return hasColors ? drawn.replace(/^.*$/gm, '\x1b[30;107m$&\x1b[0m') : drawn
}
