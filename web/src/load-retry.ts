// Loads a part of the page, and tries again when its file cannot be fetched: the server may be restarting.

/** The server serves another build: the file does not exist any more. */
export class UpdatedError extends Error {
  constructor(cause: unknown) {
    super('The server was updated', { cause })
  }
}
/** The file could not be fetched. */
export class LoadError extends Error {
  constructor(cause: unknown) {
    super('A part of the page could not be loaded', { cause })
  }
}

export type RetryParts = {
  isOtherBuildServed(): Promise<boolean>
  wait(ms: number): Promise<unknown>
  /** Fetches a file by its URL, under a new URL where a failed one is remembered. */
  fetchAgain(url: string, attempt: number): Promise<unknown>
}

const DELAYS_MS = [300, 1000, 2500] as const

/** The file that an import or a style sheet failed at, as the browsers and Vite report it. */
export const failedUrl = (error: unknown): string | undefined =>
  error instanceof Error ? /(?:https?:\/\/[^\s'"]+|\/assets\/[^\s'"]+)/.exec(error.message)?.[0] : undefined

export async function loadWithRetries<T extends object>(
  load: () => Promise<T>,
  { isOtherBuildServed, wait, fetchAgain }: RetryParts,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      const delayMs = DELAYS_MS[attempt]
      const url = failedUrl(error)
      // Safari names no URL. Another error is a fault of the file itself.
      if (url === undefined && !(error instanceof TypeError)) throw error
      if (await isOtherBuildServed()) throw new UpdatedError(error)
      if (delayMs === undefined) throw new LoadError(error)
      await wait(delayMs)
      // Some browsers remember a failed import: only another URL makes them ask again.
      const file = url === undefined ? undefined : await fetchAgain(url, attempt + 1).catch(() => undefined)
      if (file && Object.keys(file).length > 0) return file as T
    }
  }
}

/** In the browser: a style sheet is added again, a script imported under a new URL. */
export async function fetchAgain(url: string, attempt: number): Promise<unknown> {
  const again = new URL(url, location.href)
  if (again.origin !== location.origin) throw new Error('not a file of this page')
  again.searchParams.set('again', String(attempt))
  if (!again.pathname.endsWith('.css')) return import(/* @vite-ignore */ again.href)
  const link = document.createElement('link')
  Object.assign(link, { rel: 'stylesheet', href: again.href, crossOrigin: '' })
  const isLoaded = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${url}`)))
  })
  document.head.append(link)
  await isLoaded
  return undefined
}
