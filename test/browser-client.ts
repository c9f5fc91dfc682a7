// A browser as the server sees it: keeps cookies, sends its page's origin and the CSRF token.
import assert from 'node:assert/strict'
import type { InjectOptions } from 'fastify'
import type { Answer } from './answers.ts'
import type { TestApp } from './app.ts'

export type BrowserClient = {
  /** Cookies by name. */
  cookies: Record<string, string>
  /** The session cookie. */
  cookie: string | undefined
  csrfToken: string | null
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(url: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends the request unchanged except for the cookie. */
  send(options: InjectOptions): Promise<Answer>
}

/** `origin`: the origin of its page, which is also the target; `address`: the client's IP address. */
export function browserOf({ anonymous }: TestApp, origin = 'http://localhost', address = '127.0.0.1'): BrowserClient {
  const browser: BrowserClient = {
    cookies: {},
    get cookie() {
      return browser.cookies['__Host-ramal_session'] ?? browser.cookies.ramal_session
    },
    set cookie(value) {
      delete browser.cookies['__Host-ramal_session']
      delete browser.cookies.ramal_session
      if (value !== undefined) browser.cookies.ramal_session = value
    },
    csrfToken: null,
    async send(options) {
      const kept = Object.entries(browser.cookies).map(([name, value]) => `; ${name}=${value}`)
      const cookie = kept.length === 0 ? {} : { cookie: `other=1${kept.join('')}` }
      const headers = { host: new URL(origin).host, ...cookie, ...options.headers }
      const answer = await anonymous({ remoteAddress: address, ...options, headers })
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(line)) ?? []
        if (value === '') delete browser.cookies[name]
        else browser.cookies[name] = value
      }
      const told =
        answer.status === 200 && String(options.url).startsWith('/auth/') ? answer.json?.csrfToken : undefined
      if (told !== undefined) browser.csrfToken = told
      return answer
    },
    get: (url, headers) =>
      browser.send({ method: 'GET', url, headers: { 'sec-fetch-site': 'same-origin', ...headers } }),
    delete: (url, headers) => browser.send({ method: 'DELETE', url, headers: { ...ours(), ...headers } }),
    post: (url, body, headers) =>
      browser.send({
        method: 'POST',
        url,
        headers: { ...ours(), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      }),
  }
  const ours = () => ({
    origin,
    'sec-fetch-site': 'same-origin',
    ...(browser.csrfToken === null ? {} : { 'x-csrf-token': browser.csrfToken }),
  })
  return browser
}

/** Signs in with an API key, which is fast. */
export async function signedIn(base: TestApp, apiKey: string): Promise<BrowserClient & { cookie: string }> {
  const browser = browserOf(base)
  const answer = await browser.post('/auth/login', { apiKey })
  assert.equal(answer.status, 200, answer.text)
  assert.ok(browser.cookie && browser.csrfToken)
  return browser as BrowserClient & { cookie: string }
}
