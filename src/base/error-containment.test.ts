// Runs in its own process: in this one the test runner handles uncaught errors.
// @run own-process: signals, priorities, crashing threads.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const script = `
  import { createSocket } from 'node:dgram'
  import { runContained, reportToOwner } from ${JSON.stringify(new URL('./error-containment.ts', import.meta.url).href)}
  process.on('uncaughtException', (error) => {
    if (reportToOwner(error)) return
    console.log('ends: ' + error.message)
    process.exit(1)
  })
  const fail = (text) => { throw new Error(text) }
  let told = 0
  runContained((error) => {
    console.log('told: ' + error.message)
    if (++told === 3) setTimeout(() => fail('of nobody'))
  }, () => {
    const socket = createSocket('udp4', (bytes) => fail(String(bytes)))
    socket.bind(0, '127.0.0.1', () => {
      socket.send('a datagram', socket.address().port, '127.0.0.1')
    })
    setTimeout(() => fail('a timer'))
    void (async () => { await null; fail('a promise') })()
  })
`

test('errors that contained code throws from sockets, timers and promises go to its owner; other errors end the process', () => {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 })
  const lines = stdout.toString().trim().split('\n')
  assert.deepEqual(lines.slice(0, 3).sort(), ['told: a datagram', 'told: a promise', 'told: a timer'])
  assert.deepEqual([lines[3], status], ['ends: of nobody', 1])
})
