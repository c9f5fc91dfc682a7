// The HTTP requests of the S3 client: time limits, bounded responses, and errors in our words.
import { S3NetworkError, S3ServiceError } from 's3mini'
import { StoreError, type StoreProblem } from './object-store.ts'

/** The library parses responses as XML in superlinear time; those of S3 are smaller. */
const MAX_RESPONSE_BYTES = 4096
const ERROR_CODE = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/
const FULL = new Set(['QuotaExceeded', 'EntityTooLarge', 'XMinioStorageFull', 'InsufficientStorage'])

/** `fetch` for one operation. The time limit covers the headers of a download, and the whole response otherwise. */
export function limitedFetch(signal: AbortSignal, limitMs: number): typeof fetch {
  return async (input, init) => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new DOMException('too slow', 'TimeoutError')), limitMs)
    try {
      const response = await fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, late.signal]),
      })
      if (response.ok && init?.method === 'GET') return response
      return await bounded(response)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The response with its body read. An error keeps only its code, in the header that the library reads first. */
async function bounded({ body, status, ok, headers }: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) break // which cancels the rest
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  if (ok) return new Response(text === '' ? null : text, { status, headers })
  const code = ERROR_CODE.exec(text)?.[1]
  return new Response('', { status: httpError(status), headers: code ? { 'x-amz-error-code': code } : {} })
}

/** A redirect is an error: the signature is valid for one host. `Response` accepts no status below 200. */
const httpError = (status: number) => (status >= 300 && status <= 599 && status !== 304 ? status : 502)

/** Null if the error means that there is no such object. A missing bucket says nothing about the object. */
export function absent(error: unknown): null {
  const { status, serviceCode } = serviceError(error) ?? {}
  if (status === 404 && serviceCode !== 'NoSuchBucket') return null
  throw error
}

export async function withStoreErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StoreError) throw error
    const service = serviceError(error)
    const code = service?.serviceCode === 'Unknown' ? '' : ` ${service?.serviceCode}`
    throw new StoreError(problemOf(error), { detail: service && `${service.status}${code}`, cause: error })
  }
}

const serviceError = (error: unknown): S3ServiceError | undefined =>
  [error, (error as Error).cause].find((one) => one instanceof S3ServiceError) as S3ServiceError | undefined

function problemOf(error: unknown): StoreProblem {
  const service = serviceError(error)
  if (service) {
    const { status, serviceCode = '' } = service
    if (status === 507 || status === 413 || FULL.has(serviceCode)) return 'full'
    if (status === 401 || status === 403) return 'denied'
    if (status === 404) return 'no_bucket'
    return 'failed'
  }
  const causes = [error, (error as Error).cause]
  const isNetwork = causes.some((one) => one instanceof S3NetworkError || one instanceof TypeError)
  const isLate = causes.some((one) => (one as Error | undefined)?.name === 'TimeoutError')
  return isNetwork || isLate ? 'unreachable' : 'failed'
}
