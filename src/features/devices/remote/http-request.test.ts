import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWebServer, sendJson, type WebHandler } from '../../../../test/web-server.ts'
import { RemoteFault, remoteHttp } from './http-request.ts'

async function open(t: TestContext, handle: WebHandler, answerMs = 60_000) {
  const server = await openWebServer(t, handle)
  const http = remoteHttp(server.url, { connectMs: 10_000, answerMs })
  t.after(http.close)
  const { signal } = new AbortController()
  return { server, get: () => http.ask({ method: 'GET', path: '/x', token: 's3cret' }, signal) }
}

async function fault(what: Promise<unknown>): Promise<RemoteFault> {
  const error = await what.catch((reason) => reason)
  assert.ok(error instanceof RemoteFault, String(error))
  assert.ok(!error.message.includes('s3cret'))
  return error
}

test('an answer that is too large is not read to its end', async (t) => {
  let sent = 0
  const { get } = await open(t, async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const piece = Buffer.alloc(65_536, ' ')
    while (!response.destroyed && sent < 64 * 1_048_576) {
      sent += piece.length
      if (!response.write(piece)) await new Promise((go) => response.once('drain', go).once('close', go))
    }
  })
  const { kind, message } = await fault(get())
  assert.deepEqual([kind, message], ['protocol', 'The gateway service gave an answer that is too large'])
  assert.ok(sent < 32 * 1_048_576, `${sent} bytes were sent`)
})

test('an answer that drips in is late as a whole', async (t) => {
  const { get } = await open(
    t,
    async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      while (!response.destroyed) {
        response.write(' ')
        await sleep(20)
      }
    },
    300,
  )
  const { kind, mayBeTaken } = await fault(get())
  assert.deepEqual([kind, mayBeTaken], ['timeout', true])
})

test('nobody is led elsewhere with a session', async (t) => {
  const elsewhere = await openWebServer(t, (_asked, response) => sendJson(response, {}))
  const { get } = await open(t, (_asked, response) => response.writeHead(307, { location: `${elsewhere.url}/x` }).end())
  const { kind, status, isTransient } = await fault(get())
  assert.deepEqual([kind, status, isTransient], ['protocol', 307, false])
  assert.equal(elsewhere.asked.length, 0)
})

test('how long to wait is told in seconds or by a date', async (t) => {
  let retryAfter: string | undefined
  const { get } = await open(t, (_asked, response) =>
    sendJson(response, {}, 429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  )
  const waitOf = async (given: string | undefined) => {
    retryAfter = given
    return (await fault(get())).retryAfterMs
  }
  assert.equal(await waitOf('7'), 7000)
  assert.equal(await waitOf(undefined), null)
  assert.equal(await waitOf('soon'), null)
  assert.equal(await waitOf('Thu, 01 Jan 2026 00:00:00 GMT'), 0)
  const inAMinute = (await waitOf(new Date(Date.now() + 60_000).toUTCString())) ?? 0
  assert.ok(inAMinute > 30_000 && inAMinute <= 60_000)
})

test('an error may be of any form; only a code that is a plain word is believed', async (t) => {
  let json: unknown
  const { get } = await open(t, (_asked, response) => sendJson(response, json, 409))
  const codeOf = async (given: unknown) => {
    json = given
    return (await fault(get())).code
  }
  assert.equal(await codeOf({ error: { code: 'not_connected', message: 's3cret' } }), 'not_connected')
  for (const given of [{ error: { code: 's3cret <b>' } }, { error: 'x' }, [], null, 'x', { error: { code: 5 } }])
    assert.equal(await codeOf(given), null)
})
