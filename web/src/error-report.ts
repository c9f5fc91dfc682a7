// Crash details for a bug report: limited in length, and free of personal data and credentials.

const MAX_LETTERS = 4000

/** Removes query strings, e-mail addresses, phone numbers and anything long enough to be a key. */
export const redact = (text: string): string =>
  text
    .replace(/\?[^\s)'"]*/g, '')
    .replace(/[^\s@<>()'"]{1,64}@[\w.-]{1,255}/g, '…')
    .replace(/\+?\d[\d ()-]{7,20}\d/g, '…')
    .replace(/[\w-]{20,}/g, '…')

export type Crash = { error: unknown; componentStack?: string | null; path: string; build: string; at: string }

export function errorReport({ error, componentStack, path, build, at }: Crash): string {
  const own = error instanceof Error ? error : new Error(String(error))
  const cause = own.cause instanceof Error ? `Cause: ${own.cause.name}: ${own.cause.message}` : ''
  const stack = own.stack?.split('\n').slice(0, 12).join('\n') ?? ''
  const drawn = componentStack?.trim().split('\n').slice(0, 12).join('\n') ?? ''
  const facts = [`${own.name}: ${own.message}`, cause, stack, drawn].filter((part) => part !== '').map(redact)
  // The build and the time identify nobody, so they are not redacted.
  return [`Ramal ${build} · ${redact(path)} · ${at}`, ...facts].join('\n\n').slice(0, MAX_LETTERS)
}
