import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openDnsServer, type Zone } from '../../../test/dns-server.ts'
import { freeSipPort } from '../../../test/phones/ports.ts'
import { selfSigned } from '../../../test/sip-ends.ts'
import { until } from '../../../test/until.ts'
import { openWebServer, sendJson, type WebHandler } from '../../../test/web-server.ts'
import type { DnsCache } from './dns-cache.ts'
import { type GuardOptions, guardedHttp } from './guarded-http.ts'
import { HttpError } from './http-error.ts'
import type { HttpRequest } from './http-port.ts'

const PUBLIC = '93.184.216.34'
const never = new AbortController().signal

function open(t: TestContext, options: GuardOptions = {}) {
  const http = guardedHttp(options)
  t.after(() => http.close())
  const ask = (url: string, more: Partial<HttpRequest> = {}) => http.request({ url, method: 'GET', ...more }, never)
  return { ...http, ask }
}

/** Uses a test name server; every connection is recorded and routed to the test server, whatever its address. */
async function openPublic(t: TestContext, zone: Zone, handle: WebHandler, tls?: { cert: string; key: string }) {
  const server = await openWebServer(t, handle, tls)
  const { resolver: names, questions } = await openDnsServer(t, zone)
  const dialed: string[][] = []
  let onDial = () => {}
  const http = open(t, {
    names,
    ...(tls ? { ca: tls.cert } : {}),
    dial: ({ addresses }) => {
      dialed.push([...addresses])
      onDial()
      return connect({ host: '127.0.0.1', port: server.port })
    },
  })
  return { ...http, server, dialed, questions, whenDialing: (act: () => void) => (onDial = act) }
}

const refused = (error: unknown) => error instanceof HttpError && error.kind === 'refused' && !error.wasSent

test('loopback is refused in every notation', async (t) => {
  const server = await openWebServer(t, (_asked, response) => response.end('secret'))
  const { ask, fetch: guarded } = open(t)
  const hosts = ['127.0.0.1', '2130706433', '0x7f000001', '017700000001', '0x7f.1', '127.1', '0177.0.0.1', '127.0.0.1.']
  hosts.push(
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::1]',
    '[::]',
    '0.0.0.0',
    '0',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  )
  hosts.push(
    'localhost',
    'localhost.',
    'LOCALHOST',
    'x.localhost',
    '１２７.0.0.1',
    '[2002:7f00:1::]',
    '127.255.255.254',
  )
  for (const host of hosts) {
    const url = `http://${host}:${server.port}/`
    await assert.rejects(ask(url), refused, host)
    await assert.rejects(guarded(url), refused, host)
  }
  assert.equal(server.connections(), 0)
})

test('no socket is opened to non-public addresses', async (t) => {
  const { ask, dialed } = await openPublic(t, {}, () => {})
  const hosts = ['169.254.169.254', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '192.0.0.1', '198.18.0.1']
  hosts.push('224.0.0.1', '255.255.255.255', '[fd00::1]', '[fe80::1]', '[ff02::1]', '[::ffff:169.254.169.254]')
  hosts.push('[64:ff9b::a9fe:a9fe]', '[2002:a00:1::1]', '2852039166', '0xa9fea9fe', '[fd00:ec2::254]')
  for (const host of hosts) await assert.rejects(ask(`http://${host}/latest/meta-data`), refused, host)
  assert.deepEqual(dialed, [])
})

test('other schemes, credentials in the URL and non-web ports are refused', async (t) => {
  const { ask, dialed } = await openPublic(t, { 'ok.test': [{ a: PUBLIC }] }, () => {})
  const urls = [
    'file:///etc/passwd',
    'gopher://ok.test/',
    'ftp://ok.test/',
    'data:text/plain,x',
    'javascript:1',
    'x',
    '',
  ]
  urls.push(
    'http://ok@127.0.0.1/',
    'http://u:p@ok.test/',
    'http://ok.test:22/',
    'http://ok.test:25/',
    'https://ok.test:6379/',
  )
  urls.push('http://[fe80::1%25eth0]/', 'unix:/var/run/docker.sock', 'http://ok.test:0/')
  for (const url of urls) await assert.rejects(ask(url), refused, url)
  assert.deepEqual(dialed, [])
})

test('a network that the operator allows is reached by address and by name', async (t) => {
  const server = await openWebServer(t, (_asked, response) => response.end('hello'))
  const { ask } = open(t, { allowedNetworks: ['127.0.0.0/8'] })
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '127.1']) {
    const answer = await ask(`http://${host}:${server.port}/a?b=c`)
    assert.equal(`${answer.status} ${answer.body}`, '200 hello')
  }
  assert.ok(server.asked.every(({ url }) => url === '/a?b=c'))
  await assert.rejects(ask(`http://10.0.0.1:${server.port}/`), refused)
})

test('DNS rebinding: a name is resolved once, a change before the connection has no effect, and a later one is refused', async (t) => {
  const zone: Zone = { 'rebind.test': [{ a: PUBLIC, ttl: 0 }] }
  const { ask, server, dialed, questions, whenDialing } = await openPublic(t, zone, (_a, response) => response.end('x'))
  whenDialing(() => {
    zone['rebind.test'] = [{ a: '127.0.0.1', ttl: 0 }]
  })
  await ask('http://rebind.test/')
  assert.deepEqual(dialed, [[PUBLIC]])
  assert.deepEqual(questions.toSorted(), ['A rebind.test', 'AAAA rebind.test'])
  await assert.rejects(ask('http://rebind.test/'), refused)
  assert.deepEqual(dialed, [[PUBLIC]])
  assert.equal(server.asked.length, 1)
})

test('one forbidden address among several refuses the request', async (t) => {
  const zone: Zone = {
    'mixed.test': [{ a: PUBLIC }, { a: '127.0.0.1' }],
    'six.test': [{ a: PUBLIC }, { a: '::1' }],
    'private.test': [{ a: '10.0.0.7' }],
    'mapped.test': [{ a: '0:0:0:0:0:ffff:7f00:1' }],
    'both.test': [{ a: PUBLIC }, { a: '2606:4700::1111' }],
  }
  const { ask, dialed } = await openPublic(t, zone, (_asked, response) => response.end('x'))
  for (const name of ['mixed.test', 'six.test', 'private.test', 'mapped.test', 'MIXED.test', 'mixed.test.'])
    await assert.rejects(ask(`http://${name}/`), refused, name)
  assert.deepEqual(dialed, [])
  await ask('http://both.test/')
  assert.deepEqual(dialed, [[PUBLIC, '2606:4700::1111']])
  await assert.rejects(ask('http://nobody.test/'), { kind: 'unreachable', wasSent: false })
})

test('Host header and SNI are those of the requested URL', async (t) => {
  const tls = selfSigned(t, 'DNS:api.test')
  const zone: Zone = { 'api.test': [{ a: PUBLIC }], 'other.test': [{ a: PUBLIC }] }
  const { ask, server } = await openPublic(t, zone, (_asked, response) => response.end('x'), tls)
  await ask('https://api.test/')
  await ask('https://api.test.:8443/')
  assert.deepEqual(
    server.asked.map(({ headers, serverName }) => [headers.host, serverName]),
    [
      ['api.test', 'api.test'],
      ['api.test.:8443', 'api.test'],
    ],
  )
  await assert.rejects(ask('https://other.test/'), { kind: 'unreachable', wasSent: false, message: /certificate/ })
  assert.equal(server.asked.length, 2)
})

test('a redirect to a forbidden address is refused without a connection', async (t) => {
  const targets = [
    'http://127.0.0.1:80/',
    'http://169.254.169.254/',
    'http://u@ok.test/',
    'file:///etc/passwd',
    'http://ok.test:25/',
  ]
  const {
    ask,
    server,
    fetch: guarded,
  } = await openPublic(t, { 'ok.test': [{ a: PUBLIC }] }, ({ url }, response) =>
    response.writeHead(302, { location: targets[Number(url.slice(1))] ?? '' }).end(),
  )
  for (const i of targets.keys()) {
    await assert.rejects(ask(`http://ok.test/${i}`), { kind: 'refused', wasSent: true })
    await assert.rejects(guarded(`http://ok.test/${i}`), { kind: 'refused', wasSent: true })
  }
  assert.equal(server.asked.length, targets.length * 2)
})

test('at most three redirects are followed, only for GET and HEAD, without secrets to another origin', async (t) => {
  const zone: Zone = { 'a.test': [{ a: PUBLIC }], 'b.test': [{ a: PUBLIC }] }
  const { ask, server } = await openPublic(t, zone, ({ url }, response) => {
    const to = { '/1': '/2', '/2': 'http://b.test/3', '/3': 'http://a.test/end', '/loop': '/loop' }[url]
    if (to) response.writeHead(307, { location: to })
    response.end(url)
  })
  const headers = { authorization: 'Bearer x', 'x-key': 'y', cookie: 'z', accept: 'text/plain' }
  const answer = await ask('http://a.test/1', { headers })
  assert.equal(String(answer.body), '/end')
  const sent = server.asked.map(({ headers: h }) => [h.host, h.authorization, h['x-key'], h.cookie, h.accept])
  const bare = [undefined, undefined, undefined, 'text/plain']
  const full = ['Bearer x', 'y', 'z', 'text/plain']
  assert.deepEqual(sent, [
    ['a.test', ...full],
    ['a.test', ...full],
    ['b.test', ...bare],
    ['a.test', ...bare],
  ])
  await assert.rejects(ask('http://a.test/loop'), { kind: 'protocol', message: /redirects too often/ })
  server.asked.length = 0
  assert.equal((await ask('http://a.test/1', { method: 'POST', body: 'x' })).status, 307)
  assert.equal(server.asked.length, 1)
})

test('header injection and connection headers are refused', async (t) => {
  const { ask, server } = await openPublic(t, { 'ok.test': [{ a: PUBLIC }] }, (_asked, response) => response.end())
  const wrong = [{ 'x-a': 'a\r\nx-b: b' }, { 'x-a': 'a\nb' }, { 'x-a': 'a\0' }, { 'x-a': '😀' }, { 'x a': 'b' }]
  const reserved = [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Proxy-Authorization',
    'expect',
    'upgrade',
  ]
  for (const headers of [...wrong, ...reserved.map((name) => ({ [name]: 'x' }))] as Record<string, string>[])
    await assert.rejects(ask('http://ok.test/', { headers }), refused, JSON.stringify(headers))
  assert.equal(server.asked.length, 0)
  await ask('http://ok.test/', { headers: { 'x-a': 'José' } })
  assert.equal(Buffer.from(String(server.asked[0]?.headers['x-a']), 'latin1').toString('latin1'), 'José')
})

test('wasSent says whether anything reached the server', async (t) => {
  const loopback = { allowedNetworks: ['127.0.0.0/8'] }
  const port = await freeSipPort()
  const { ask, request } = open(t, loopback)
  await assert.rejects(ask(`http://127.0.0.1:${port}/`), { kind: 'unreachable', wasSent: false })

  const server = await openWebServer(t, ({ url }, response) => url === '/break' && response.destroy())
  await assert.rejects(ask(`${server.url}/break`, { method: 'POST', body: 'x' }), {
    kind: 'unreachable',
    wasSent: true,
  })
  await assert.rejects(ask(`${server.url}/silent`, { timeoutMs: 1500 }), { kind: 'timeout', wasSent: true })
  const leave = new AbortController()
  const asking = request({ url: `${server.url}/silent`, method: 'POST', body: 'x' }, leave.signal)
  await until('it arrived', () => server.asked.length === 3)
  leave.abort()
  await assert.rejects(asking, { kind: 'timeout', wasSent: true })
  await until('all connections closed', () => server.open() === 0)
  await assert.rejects(request({ url: server.url, method: 'POST' }, leave.signal), { kind: 'timeout', wasSent: false })
  assert.equal(server.asked.length, 3)

  // A server that accepts the connection and never completes the TLS handshake.
  const mute = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  t.after(() => mute.close())
  await until('a port', () => mute.listening)
  const muteUrl = `https://127.0.0.1:${(mute.address() as { port: number }).port}/`
  const hasty = open(t, { ...loopback, connectMs: 150 })
  await assert.rejects(hasty.ask(muteUrl), { kind: 'unreachable', wasSent: false })
  await assert.rejects(ask(muteUrl, { timeoutMs: 50 }), { kind: 'timeout', wasSent: false })
})

test('a connection is reused, and each concurrent request gets its own response', async (t) => {
  const server = await openWebServer(t, ({ url }, response) => response.end(url))
  const { ask } = open(t, { allowedNetworks: ['127.0.0.1/32'] })
  for (let i = 0; i < 5; i++) await ask(`${server.url}/${i}`)
  assert.ok(server.connections() <= 2, `${server.connections()} connections`) // a pool may open a second one early
  const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => ask(`${server.url}/${i}`)))
  assert.deepEqual(
    answers.map(({ body }) => String(body)),
    answers.map((_, i) => `/${i}`),
  )
  assert.ok(server.connections() <= 128, `${server.connections()} connections`)
})

test('fetch supports methods, bodies and manual redirects, and returns a standard Response', async (t) => {
  const server = await openWebServer(t, ({ url, method, headers, body }, response) => {
    if (url === '/moved') return response.writeHead(301, { location: '/there' }).end()
    if (url === '/none') return response.writeHead(204).end()
    sendJson(response, { url, method, type: headers['content-type'], body })
  })
  const { fetch: guarded } = open(t, { allowedNetworks: ['127.0.0.0/8'] })
  const found = await guarded(`${server.url}/dav`, { method: 'PROPFIND', headers: { depth: '1' }, body: '<x/>' })
  assert.ok(found instanceof Response)
  assert.deepEqual(await found.json(), {
    url: '/dav',
    method: 'PROPFIND',
    type: 'text/plain;charset=UTF-8',
    body: '<x/>',
  })
  const form = await guarded(new URL(server.url), { method: 'POST', body: new URLSearchParams({ a: 'b c' }) })
  assert.equal(((await form.json()) as { body: string }).body, 'a=b+c')
  const followed = await guarded(`${server.url}/moved`)
  assert.deepEqual([followed.url, followed.redirected], [`${server.url}/there`, true])
  await followed.body?.cancel()
  assert.equal((await guarded(`${server.url}/moved`, { redirect: 'manual' })).headers.get('location'), '/there')
  assert.equal((await guarded(`${server.url}/none`)).body, null)
  const left = AbortSignal.abort(new Error('left'))
  await assert.rejects(guarded(server.url, { signal: left }), /left/)
})

test('fetch streams events as they arrive, and cancelling closes the connection', async (t) => {
  const server = await openWebServer(t, async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: one\n\n')
    await until('the next one is due', () => server.asked.length > 0 && isRead)
    response.write('data: two\n\n')
  })
  let isRead = false
  const { fetch: guarded } = open(t, { allowedNetworks: ['127.0.0.0/8'], idleMs: 20 })
  const leave = new AbortController()
  const response = await guarded(server.url, { signal: leave.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.equal((await reader?.read())?.value, 'data: one\n\n')
  isRead = true
  assert.equal((await reader?.read())?.value, 'data: two\n\n')
  leave.abort()
  await assert.rejects(async () => reader?.read())
  await until('the connection ended', () => server.open() === 0)
})

test('close waits for short requests and aborts long ones', async (t) => {
  let answer = () => {}
  const server = await openWebServer(t, ({ url }, response) => {
    if (url === '/endless') return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n')
    answer = () => response.end('done')
  })
  const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'], closeMs: 1500 })
  const stream = await http.fetch(`${server.url}/endless`)
  const asking = http.request({ url: server.url, method: 'POST' }, never)
  await until('it arrived', () => server.asked.length === 2)
  const closing = http.close()
  answer()
  assert.equal(String((await asking).body), 'done')
  await closing
  await assert.rejects(stream.text())
  await until('no connection is left', () => server.open() === 0)
})

test('an unresponsive name server costs only its own timeout, and names in the hosts file are found', async (t) => {
  const { resolver } = await openDnsServer(t, {}, (question) => question.includes('silent'))
  const looked: string[] = []
  const names: DnsCache = {
    resolve4: (name, options) => resolver.resolve4(name, options),
    resolve6: (name, options) => resolver.resolve6(name, options),
    lookup: async (name) => {
      looked.push(name)
      return [{ address: '10.0.0.1' }]
    },
  }
  const { ask } = open(t, { names })
  await assert.rejects(ask('http://silent.test/'), { kind: 'unreachable' })
  for (const host of ['intranet', 'hosts.test']) await assert.rejects(ask(`http://${host}/`), refused)
  assert.deepEqual(looked, ['intranet', 'hosts.test'])
})
