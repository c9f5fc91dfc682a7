// Start and stop of the platform: ports in use, failed starts, repeated close.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { startTestApp, testConfig } from '../app.ts'
import { freeSipPort } from '../phones/ports.ts'

/** pino's number for this level. */
const ERROR = 50

test('a SIP port in use is reported with its fix', async (t) => {
  const other = createSocket('udp4').bind(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address()
  await assert.rejects(startTestApp({ SIP_PORT: String(port) }), {
    message: `The phone cannot listen on 127.0.0.1 port ${port}: the port is in use. Set SIP_PORT to a free port, or to 0 to switch the phone off`,
  })
})

test('a start that fails after the phone is up frees its ports again', async (t) => {
  const port = await freeSipPort()
  const env = { SIP_PORT: String(port) }
  const config = await testConfig(env)
  mkdirSync(join(config.dataDir, 'first-api-key')) // the path where the first key would be written
  await assert.rejects(buildApp(config, pino({ level: 'silent' })), { code: 'EISDIR' })

  const next = createSocket('udp4')
  t.after(() => next.close())
  next.bind(port, '127.0.0.1')
  await once(next, 'listening') // rejects with EADDRINUSE if the phone service still holds it
})

test('a platform that is closed twice, also at once, frees its ports and its database, and reports no error', async (t) => {
  const port = await freeSipPort()
  const { app, database, logs } = await startTestApp({ SIP_PORT: String(port) })
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port: httpPort } = app.http.server.address() as AddressInfo
  await Promise.all([app.close(), app.close()])
  await app.close()

  await assert.rejects(database.db.selectFrom('users').select('id').execute(), 'the database is still open')
  const [sip, http] = [createSocket('udp4'), createServer()]
  t.after(() => Promise.all([sip.close(), http.close()]))
  sip.bind(port, '127.0.0.1')
  http.listen(httpPort, '127.0.0.1')
  await Promise.all([once(sip, 'listening'), once(http, 'listening')]) // rejects with EADDRINUSE if one is still held
  const entries = logs()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: number; msg: string })
  assert.ok(entries.length > 0, 'nothing was logged')
  assert.deepEqual(
    entries.filter(({ level }) => level >= ERROR),
    [],
  )
})
