// Accepted files by extension: browsers do not report Markdown, and report CSV inconsistently. Pure.
const byEnding = {
  pdf: 'application/pdf',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  text: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  csv: 'text/csv',
  tsv: 'text/csv',
} as const
export type UploadType = (typeof byEnding)[keyof typeof byEnding]

export const MAX_BYTES = 10 * 1024 * 1024
export const accepted = Object.keys(byEnding)
  .map((ending) => `.${ending}`)
  .join(',')

export function uploadTypeOf(fileName: string): UploadType | undefined {
  const ending = fileName.toLowerCase().split('.').at(-1) ?? ''
  return Object.hasOwn(byEnding, ending) ? byEnding[ending as keyof typeof byEnding] : undefined
}

/** "guia.2026.pdf" becomes "guia.2026". */
export const documentName = (fileName: string): string => (fileName.replace(/\.[^.]+$/, '') || fileName).slice(0, 255)
