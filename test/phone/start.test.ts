// Start and stop of the platform: ports in use, failed starts, repeated close.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { startTestApp, testConfig } from '../app.ts'
import { freeSipPort } from '../phones/ports.ts'

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
  mkdirSync(join(config.dataDir, 'first-api-key')) // where the first key would be written
  await assert.rejects(buildApp(config, pino({ level: 'silent' })), { code: 'EISDIR' })

  const next = createSocket('udp4')
  t.after(() => next.close())
  next.bind(port, '127.0.0.1')
  await once(next, 'listening') // rejects with EADDRINUSE while the phone still holds it
})

test('closing a platform twice is harmless', async () => {
  const { app } = await startTestApp({ SIP_PORT: '0' })
  await app.close()
  await app.close() // closing twice is harmless
})
