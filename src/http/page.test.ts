// Serving the dashboard: its files, its page with a content security policy, and nothing for other requests.
// @run sqlite
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assertError, atEnd, startTestApp, type TestApp } from '../../test/app.ts'
import { pageHeaders } from './page-policy.ts'

const script = `export const words = ${JSON.stringify(Array.from({ length: 500 }, (_, i) => `word ${i}`))}\n`
const index =
  '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__" src="/assets/a-1.js"></script>'

function builtFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-page-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['assets/fonts', 'client', 'api', 'dist']) mkdirSync(join(folder, name), { recursive: true })
  const files: Record<string, string> = {
    'dist/index.html': index,
    'dist/assets/a-1.js': script,
    'dist/assets/a-1.css': 'a{}',
    'dist/assets/fonts/b-2.woff2': 'x'.repeat(3000),
    'dist/client/web-call.js': script,
    'dist/favicon.svg': '<svg/>',
    'dist/assets/c-3.js': script,
    'dist/assets/c-3.js.br': 'packed when it was built',
    'dist/healthz': 'not me',
    'dist/api/agents': 'not me',
    'dist/odd name.js': 'not me',
    'secret.txt': 'canary',
  }
  for (const name of ['assets/fonts', 'client', 'api']) mkdirSync(join(folder, 'dist', name), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'dist', 'assets', 'link.txt'))
  return join(folder, 'dist')
}

let started: Promise<TestApp> | undefined
const served = () => {
  started ??= startTestApp({}, { webFolder: builtFolder() })
  return started
}
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('every dashboard path serves the page, with a new nonce each time and a strict policy', async () => {
  const { anonymous } = await served()
  const nonces = new Set<string>()
  for (const url of ['/', '/agents', '/agents/agt_1?tab=voice', '/calls/', '/a/b/c', '/index.html', '/apis', '/%zz']) {
    const answer = await anonymous({ method: 'GET', url, headers: html })
    assert.equal(answer.status, 200, url)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'no-cache')
    const policy = String(answer.headers['content-security-policy'])
    const nonce = /style-src 'self' 'nonce-([\w+/=]+)';/.exec(policy)?.[1] ?? assert.fail(policy)
    assert.equal(answer.text, index.replaceAll('__CSP_NONCE__', nonce))
    nonces.add(nonce)
    const directives = new Map(policy.split('; ').map((part) => [part.split(' ', 1)[0] ?? '', part]))
    assert.equal(directives.get('default-src'), "default-src 'none'")
    assert.equal(directives.get('script-src'), "script-src 'self'")
    assert.equal(directives.get('connect-src'), "connect-src 'self'")
    assert.equal(directives.get('frame-ancestors'), "frame-ancestors 'none'")
    assert.equal(directives.get('base-uri'), "base-uri 'none'")
    assert.ok(!directives.get('style-src')?.includes('unsafe'))
    assert.equal(answer.headers['referrer-policy'], 'no-referrer')
    assert.equal(answer.headers['cross-origin-opener-policy'], 'same-origin')
    assert.match(String(answer.headers['permissions-policy']), /microphone=\(self\)/)
    assert.equal(answer.headers['strict-transport-security'], undefined)
    assert.equal(answer.headers.etag, undefined)
  }
  assert.equal(nonces.size, 8)
  const head = await anonymous({ method: 'HEAD', url: '/agents', headers: html })
  assert.equal(head.status, 200)
})

test('HSTS is sent where the server itself speaks TLS, and never for localhost', () => {
  const pinned = (isTls: boolean, host: string) => pageHeaders('x', isTls, host)['strict-transport-security']
  assert.equal(pinned(true, 'voice.example.com'), 'max-age=31536000')
  for (const host of ['localhost', 'localhost:3000', 'LocalHost']) assert.equal(pinned(true, host), undefined)
  assert.equal(pinned(false, 'voice.example.com'), undefined)
})

test('1, 10 requests that do not accept HTML, or are outside the dashboard, are answered as before', async () => {
  const { anonymous, ana } = await served()
  for (const url of ['/', '/agents', '/nothing'])
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
      assertError(await anonymous({ method: 'GET', url, headers }), 404, 'Route not found')
  for (const method of ['POST', 'PUT', 'DELETE'] as const)
    assertError(await anonymous({ method, url: '/agents', headers: html }), 404)
  const beside = [
    '/assets/none.js',
    '/assets',
    '/client/none.js',
    '/auth/nothing',
    '/hooks',
    '/web-calls',
    '/provision/x',
  ]
  for (const url of beside) assertError(await anonymous({ method: 'GET', url, headers: html }), 404)
  assertError(await anonymous({ method: 'GET', url: '/api/nothing', headers: html }), 401)
  assertError(await ana.get('/api/nothing', html), 404)
  assert.deepEqual((await anonymous({ method: 'GET', url: '/healthz', headers: html })).json, { status: 'ok' })
  assert.equal((await anonymous({ method: 'GET', url: '/openapi.json', headers: html })).status, 200)
  assert.match((await anonymous({ method: 'GET', url: '/docs', headers: html })).text, /<h1>Ramal API/)
})

test('files under /assets are cached for ever, others are revalidated; each has its type and an ETag', async () => {
  const { anonymous } = await served()
  const get = (url: string, headers = {}) => anonymous({ method: 'GET', url, headers })
  const types: Record<string, string> = {
    '/assets/a-1.js': 'text/javascript; charset=utf-8',
    '/assets/a-1.css': 'text/css; charset=utf-8',
    '/assets/fonts/b-2.woff2': 'font/woff2',
    '/client/web-call.js': 'text/javascript; charset=utf-8',
    '/favicon.svg': 'image/svg+xml; charset=utf-8',
  }
  for (const [url, type] of Object.entries(types)) {
    const answer = await get(url, html)
    assert.equal(answer.status, 200, url)
    assert.equal(answer.headers['content-type'], type)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    const isForEver = url.startsWith('/assets/')
    assert.equal(answer.headers['cache-control'], isForEver ? 'public, max-age=31536000, immutable' : 'no-cache')
    const isForOthers = url.startsWith('/client/')
    assert.equal(answer.headers['access-control-allow-origin'], isForOthers ? '*' : undefined)
    const etag = String(answer.headers.etag)
    assert.match(etag, /^W\/"[\w-]{22}"$/)
    const again = await get(url, { 'if-none-match': `"other", ${etag}` })
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
    assert.equal((await get(url, { 'if-none-match': '"other"' })).status, 200)
  }
  assertError(await anonymous({ method: 'POST', url: '/assets/a-1.js' }), 405)
  assert.equal((await anonymous({ method: 'HEAD', url: '/assets/a-1.js' })).status, 200)
})

test('compressible files are sent in an encoding that the browser accepts', async () => {
  const { app } = await served()
  const get = (url: string, encodings: string) =>
    app.http.inject({ method: 'GET', url, headers: { 'accept-encoding': encodings } })
  const url = '/assets/a-1.js'
  const packed = await get(url, 'gzip, deflate, br, zstd')
  assert.equal(packed.headers['content-encoding'], 'br')
  assert.equal(packed.headers.vary, 'accept-encoding')
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), script)
  const zipped = await get(url, 'gzip, br;q=0')
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(zipped.rawPayload).toString(), script)
  for (const [path, encodings] of [
    [url, ''],
    [url, 'identity'],
    ['/assets/a-1.css', 'br'],
    ['/assets/fonts/b-2.woff2', 'br'],
  ] as const)
    assert.equal((await get(path, encodings)).headers['content-encoding'], undefined)
})

test('files compressed at build time are sent as they are, and have no URL of their own', async () => {
  const { app, anonymous } = await served()
  const get = (encodings: string) =>
    app.http.inject({ method: 'GET', url: '/assets/c-3.js', headers: { 'accept-encoding': encodings } })
  const packed = await get('br')
  assert.equal(packed.headers['content-encoding'], 'br')
  assert.equal(packed.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(packed.payload, 'packed when it was built')
  assert.equal(gunzipSync((await get('gzip')).rawPayload).toString(), script)
  assert.equal((await get('identity')).payload, script)
  assertError(await anonymous({ method: 'GET', url: '/assets/c-3.js.br' }), 404)
})

test('only files present at start are served: no path traversal, no symbolic links, no reserved names', async () => {
  const { app, anonymous } = await served()
  const port = Number(new URL(await app.listen()).port)
  const raw = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
        .on('error', reject)
        .end()
    })
  for (const path of [
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets//../../secret.txt',
    '/assets/..\\..\\secret.txt',
    '/../../../../etc/passwd',
    '/assets/link.txt',
    '/assets/',
    '/odd%20name.js',
    '/assets/a-1.js%00',
  ]) {
    const { status, text } = await raw(path)
    assert.equal(status, 404, path)
    assert.ok(!text.includes('canary') && !text.includes('root:'), path)
  }
  assert.deepEqual((await anonymous({ method: 'GET', url: '/healthz' })).json, { status: 'ok' })
})

test('if the dashboard is not built, a page says how to build it; if it is switched off, there is none', async () => {
  const missing = await startTestApp({}, { webFolder: join(tmpdir(), 'ramal-no-such-folder') })
  const page = await missing.anonymous({ method: 'GET', url: '/', headers: html })
  assert.equal(page.status, 503)
  assert.match(page.text, /npm run build/)
  const nonce = /nonce="([^"]+)"/.exec(page.text)?.[1] ?? assert.fail()
  assert.ok(String(page.headers['content-security-policy']).includes(`'nonce-${nonce}'`))
  const off = await startTestApp({ WEB: 'off' }, { webFolder: builtFolder() })
  for (const url of ['/', '/assets/a-1.js'])
    assertError(await off.anonymous({ method: 'GET', url, headers: html }), 404, 'Route not found')
  assert.equal((await off.ana.get('/api/agents')).status, 200)
})
