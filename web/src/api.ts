// The public API client, typed from the OpenAPI document (client/paths.ts); the page uses no other server interface.
import createFetch from 'openapi-fetch'
import createQueries from 'openapi-react-query'
import type { paths } from '../../client/paths.ts'
import { messageInWords, problemsInWords } from './i18n/error-words.ts'
import { firstLanguage, localeOf } from './i18n/language.ts'
import type { ErrorProblem } from './i18n/parse-error-codes.ts'
import { organizationHeader, useMay } from './organization.ts'
import { permissionOfQuery } from './page-permissions.ts'
import { withRecordVersion } from './record-version.ts'
import { ApiError, type AskedFor, apiError, csrfHeader, ERROR_CODE, fetchSession } from './session.tsx'
import { RepeatableRequest } from './session-fetch.ts'
import { sessionFetch } from './sign-in-again.ts'

export const api = createFetch<paths>({ baseUrl: '/', fetch: sessionFetch, Request: RepeatableRequest })
api.use({
  onRequest({ request }) {
    const headers = { ...(request.method === 'GET' ? {} : csrfHeader()), ...organizationHeader() }
    for (const [name, value] of Object.entries(headers))
      if (!request.headers.has(name)) request.headers.set(name, value)
    return request
  },
  // The request got no response: records which one, so the page can name it.
  onError: ({ error, request, schemaPath }) =>
    error instanceof TypeError
      ? Object.assign(error, { asked: { method: request.method, path: schemaPath } })
      : undefined,
  onResponse: ({ request, response, schemaPath }) =>
    response.ok ? withRecordVersion(response) : withCodes(response, { method: request.method, path: schemaPath }),
})

const allQueries = createQueries(api)

/** `queries.useQuery('get', '/api/agents')`; a query that the member may not send stays idle. */
export const queries = {
  ...allQueries,
  useQuery: new Proxy(allQueries.useQuery, {
    apply(useQuery, self, [method, path, init, options, client]) {
      // biome-ignore lint/correctness/useHookAtTopLevel: this proxy is the hook useQuery, called as one
      const isAllowed = useMay(permissionOfQuery(path))
      return Reflect.apply(useQuery, self, [
        method,
        path,
        init,
        isAllowed ? options : { ...options, enabled: false },
        client,
      ])
    },
  }),
}

/** Copies the error headers into the body, because a query throws nothing but the body. */
async function withCodes(response: Response, asked: AskedFor): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (typeof body !== 'object' || body === null) return response
  const codes = response.headers.get(ERROR_CODE)
  const message = String((body as { message?: unknown }).message ?? response.statusText)
  const retryAfter = response.headers.get('retry-after')
  const { problems, retryAfterSeconds } = await apiError({ statusCode: response.status, message }, codes, {
    retryAfter,
  })
  // The role was changed, or the person was removed from the organization.
  if (problems.some(isOfMembership)) await fetchSession().catch(() => {})
  const { status, statusText, headers } = response
  return new Response(JSON.stringify({ ...body, problems, retryAfterSeconds, asked }), { status, statusText, headers })
}

const isOfMembership = ({ code, params }: ErrorProblem) =>
  code === 'role_missing' || code === 'organization_none' || (code === 'not_found' && params.what === 'organization')

/** Returns the data of a response, or throws an ApiError if the request failed. */
export async function unwrap<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request
  if (response.ok) return data as T
  const { message, ...more } = (error ?? {}) as Partial<ApiError>
  throw new ApiError(response.status, message ?? response.statusText, more)
}

/** The error message in the page's language; the server's English if the code has no translation. */
export function errorMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  const { message, problems = [], retryAfterSeconds, statusCode } = error as Partial<ApiError>
  const language = firstLanguage()
  const words = problemsInWords(problems, language) ?? messageInWords(String(message), language)
  if (statusCode !== 429 || !retryAfterSeconds) return words
  return `${words} ${retryTexts[language]} ${inTime(retryAfterSeconds)}.`
}

const retryTexts = { pt: 'Tente de novo', en: 'Try again', es: 'Inténtelo de nuevo' } as const

function inTime(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(localeOf[firstLanguage()])
  if (seconds <= 90) return format.format(seconds, 'second')
  return seconds <= 5400
    ? format.format(Math.ceil(seconds / 60), 'minute')
    : format.format(Math.ceil(seconds / 3600), 'hour')
}
