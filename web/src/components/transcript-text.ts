// A transcript as plain text, to save or paste elsewhere. Pure, except for the download.
import type { Entry, Line } from './transcript-lines.ts'

export type TranscriptNames = Readonly<Record<Line['who'] | 'tool' | 'byOperator', string>>

/** Lines such as `[0:04] Caller: Good morning`, under a heading. */
export function transcriptText(heading: readonly string[], entries: readonly Entry[], names: TranscriptNames): string {
  const startMs = Date.parse(entries[0]?.at ?? '')
  const lines = entries.map((entry) => {
    const fromMs = entry.kind === 'line' && entry.fromMs !== null ? entry.fromMs : Date.parse(entry.at) - startMs
    const time = clock(fromMs)
    if (entry.kind === 'tool') return `[${time}] ${names.tool}: ${entry.call.name} (${entry.call.status})`
    if (entry.kind === 'note') return `[${time}] ${entry.text}`
    const name = entry.isOperator ? `${names.agent} (${names.byOperator})` : names[entry.who]
    return `[${time}] ${name}: ${entry.text.replaceAll(/\s*\n\s*/g, '\n  ')}`
  })
  return `${[...heading, '', ...lines].join('\n')}\n`
}

function clock(ms: number): string {
  const seconds = Number.isFinite(ms) ? Math.max(0, Math.floor(ms / 1000)) : 0
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** Keeps letters and digits only, so that every system accepts the file name. */
export const fileName = (...parts: readonly string[]): string =>
  `${parts
    .join('-')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80)
    .toLowerCase()}.txt`

export function downloadText(name: string, text: string): void {
  // The byte order mark lets old programs detect UTF-8.
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/plain;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
