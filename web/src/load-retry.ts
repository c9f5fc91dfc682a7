// Loads a part of the page, and retries if its file cannot be fetched: the server may be restarting.

/** The server now serves another build, so the file no longer exists. */
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
  /** Fetches a file again, under a new URL if browsers cache the failure. */
  fetchAgain(url: string, attempt: number): Promise<unknown>
}

const DELAYS_MS = [300, 1000, 2500] as const

/** The URL of the import or stylesheet that failed to load, from the error messages of browsers and Vite. */
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
      // Safari's error has no URL. Any error other than a TypeError is a bug in the file itself.
      if (url === undefined && !(error instanceof TypeError)) throw error
      if (await isOtherBuildServed()) throw new UpdatedError(error)
      if (delayMs === undefined) throw new LoadError(error)
      await wait(delayMs)
      // Some browsers cache a failed import: only a different URL triggers a new request.
      const file = url === undefined ? undefined : await fetchAgain(url, attempt + 1).catch(() => undefined)
      if (file && Object.keys(file).length > 0) return file as T
    }
  }
}

/** The browser implementation: adds the stylesheet again, or imports the script under a new URL. */
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
