// The dashboard at /: its built files, and its single page for every client-side path.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { appError } from '../base/errors/errors.ts'
import { ERROR_CODE, errorCodeHeader } from './error-code-header.ts'
import { type PageFile, readPageFiles, sendFile } from './page-files.ts'
import { newNonce, pageHeaders, previewHeaders } from './page-policy.ts'

export type Page = {
  addFiles(app: FastifyInstance): void
  /** Sends the page and returns true if the request asks for it. */
  answer(req: FastifyRequest, reply: FastifyReply): boolean
  /** The path of a built file, whose name contains a hash. */
  find(path: RegExp): string | undefined
}

/** Vite writes this wherever a nonce belongs (html.cspNonce). */
const NONCE = '__CSP_NONCE__'

/** First path segments that never serve the page, even if the route does not exist. */
const notPages = new Set(
  'api,auth,docs,guides,openapi.json,healthz,readyz,metrics,provision,hooks,web-calls,widget,widget-preview,client,assets'.split(
    ',',
  ),
)
const firstWord = (url: string) => url.split(/[/?]/, 2)[1] ?? ''

export function openPage(folder: string, isTls: boolean): Page {
  const files = readPageFiles(folder)
  const html = files.find(({ path }) => path === '/index.html')?.bytes.toString('utf8')
  const isServed = ({ path }: PageFile) =>
    !path.endsWith('.html') && (/^\/(assets|client)\//.test(path) || !notPages.has(firstWord(path)))

  return {
    find: (path) => files.find((file) => path.test(file.path))?.path,

    addFiles(app) {
      for (const file of files.filter(isServed))
        app.get(file.path, { schema: { hide: true } }, (req, reply) => sendFile(file, req, reply))
      app.get('/widget-preview', { schema: { hide: true } }, (req, reply) =>
        reply.headers(previewHeaders(isTls, req.host)).send(preview),
      )
    },

    answer(req, reply) {
      const isRead = req.method === 'GET' || req.method === 'HEAD'
      if (!isRead || notPages.has(firstWord(req.url)) || !/\btext\/html\b/i.test(req.headers.accept ?? '')) return false
      const nonce = newNonce()
      reply
        .code(html === undefined ? 503 : 200)
        .headers(pageHeaders(nonce, isTls, req.host))
        .headers(html === undefined ? { [ERROR_CODE]: errorCodeHeader(appError('page_not_built').problems) } : {})
        .send((html ?? notBuilt).replaceAll(NONCE, nonce))
      return true
    },
  }
}

/** A blank site for the dashboard's widget preview; its script gets the settings from the embedding page. */
const preview = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Preview</title><script src="/client/widget-preview.js" defer></script></head>
<body><main>${'<i></i>'.repeat(6)}</main></body></html>
`

const notBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Ramal</title><style nonce="${NONCE}">:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style></head>
<body><h1>The dashboard is not built yet</h1><p>The platform runs, but its page is missing. On the machine where it runs:</p>
<pre><code>npm ci
npm run build</code></pre><p>Then start it again. The API needs no page: see its <a href="/docs">reference</a>.</p></body></html>
`
