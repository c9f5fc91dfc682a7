import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'

test('a SIP port that another program has is named, and what to do about it', async (t) => {
  const other = createSocket('udp4').bind(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address()
  await assert.rejects(startTestApp({ SIP_PORT: String(port) }), {
    message: `The phone cannot listen on 127.0.0.1 port ${port}: another program does already. Set SIP_PORT to a free port, or to 0 to switch the phone off`,
  })
})
