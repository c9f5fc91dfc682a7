// Decodes text files; rejects binary content whatever the file name says.
import { isUtf8 } from 'node:buffer'
import { appError } from '../../base/errors/errors.ts'

export const MAX_LETTERS = 2_000_000

const charsets = new Set(['utf-8', 'utf8', 'us-ascii', 'iso-8859-1', 'latin1', 'windows-1252', 'utf-16', 'utf-16le'])
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what we look for
const control = /[\x00-\x08\x0e-\x1f\x7f]/g

/** Without a charset: UTF-8, else windows-1252 if the result is plausible. */
export function textOf(bytes: Uint8Array, charset: string | null): string {
  const named = charset?.toLowerCase()
  if (named && !charsets.has(named)) throw appError('document_charset')
  const isOld = !named && !isUtf8(bytes)
  if ((named === 'utf-8' || named === 'utf8') && !isUtf8(bytes)) throw appError('document_not_utf8')
  if (isOld && !looksLikeText(bytes)) throw appError('document_no_text_file')
  return cleanText(new TextDecoder(isOld ? 'windows-1252' : (named ?? 'utf-8')).decode(bytes))
}

/** Letters, symbols and line ends; any other byte means that it is not text. */
export function cleanText(text: string): string {
  if (text.includes('\0')) throw appError('document_nul')
  checkLength(text.length)
  return text
    .replace(/\r\n?/g, '\n')
    .replace(control, ' ')
    .replace(/\ufeff/g, '')
    .toWellFormed()
}

export function checkLength(letters: number): void {
  if (letters > MAX_LETTERS) throw appError('document_letters', { limit: MAX_LETTERS })
}

/** Undefined in windows-1252. */
const unassigned = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** In windows-1252 text most bytes are ASCII letters, and none is a control character. */
function looksLikeText(bytes: Uint8Array): boolean {
  let high = 0
  for (const byte of bytes) {
    if (unassigned.has(byte)) return false
    if (byte >= 0x80) high++
    else if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c) return false
  }
  return high < bytes.length * 0.5
}
