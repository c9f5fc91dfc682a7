// What spreadsheet programs write before the first row of a CSV file: a byte order mark, and Excel's line `sep=;`. The
// dashboard reads the head of a list by the same rules.

const marks = [
  { charset: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { charset: 'utf-16le', bytes: [0xff, 0xfe] },
  { charset: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** The character set named by the byte order mark; null if there is none. */
export function markedCharset(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  return marks.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))?.charset ?? null
}

const SEPARATOR_LINE = /^\ufeff?sep=([,;|\t])(?:\r\n|\r|\n|$)/i

/** Excel's first line, which names the separator, and the text after it; null if the text starts with its first row. */
export function separatorLine(text: string): { separator: string; rest: string } | null {
  const [line, separator] = SEPARATOR_LINE.exec(text) ?? []
  return line === undefined || separator === undefined ? null : { separator, rest: text.slice(line.length) }
}
