// What a client may still send after an early response is limited in bytes, time and connections.
// @run sqlite
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { type LingerLimits, lingeringClose } from './lingering-close.ts'

const KB = 1024
const HEAD = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${10_000 * KB}\r\n\r\n`

/** A server that answers every request at once, and a client that has read the response and the server's FIN. */
async function answering(t: { after(end: () => unknown): void }, limits: LingerLimits) {
  const lingering = lingeringClose(limits)
  const server = createServer((req, res) => {
    lingering.linger(req)
    res.writeHead(413, { connection: 'close' }).end('too large')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const clients: Socket[] = []
  t.after(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  return {
    lingering,
    async client(): Promise<Socket> {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      clients.push(client)
      client.on('error', () => {}).write(HEAD)
      let text = ''
      for await (const chunk of client.iterator({ destroyOnReturn: false })) text += chunk
      assert.match(text, /^HTTP\/1\.1 413 .*too large/s)
      return client
    },
  }
}

test('a client that goes on sending is cut off beyond a number of bytes', async (t) => {
  const { client, lingering } = await answering(t, { bytes: 1000 * KB, ms: 600_000, atOnce: 2 })
  const within = await client()
  within.write(Buffer.alloc(500 * KB))
  await until('it has been sent', () => within.writableLength === 0)
  assert.deepEqual([within.destroyed, lingering.size], [false, 1])
  within.write(Buffer.alloc(9000 * KB))
  await until('it is cut off', () => lingering.size === 0)
})

test('a client that sends no more is let go after a while, and at shutdown', async (t) => {
  const short = await answering(t, { bytes: KB, ms: 20, atOnce: 2 })
  await short.client()
  await until('its time is over', () => short.lingering.size === 0)
  const long = await answering(t, { bytes: KB, ms: 600_000, atOnce: 2 })
  await long.client()
  assert.equal(long.lingering.size, 1)
  long.lingering.end()
  await until('it is let go', () => long.lingering.size === 0)
})

test('beyond the number at once a connection closes with its answer', async (t) => {
  const { client, lingering } = await answering(t, { bytes: 1000 * KB, ms: 600_000, atOnce: 1 })
  const first = await client()
  const second = await client()
  second.write(Buffer.alloc(9000 * KB))
  await until('it is cut off', () => second.destroyed)
  assert.deepEqual([first.destroyed, lingering.size], [false, 1])
})
