// Runs in its own process, because in this one the test runner handles uncaught errors.
// @run own-process: signals, priorities, crashing threads.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const script = `
  import { EventEmitter } from 'node:events'
  import { createSocket } from 'node:dgram'
  import { createServer, connect } from 'node:net'
  import * as containment from ${JSON.stringify(new URL('./error-containment.ts', import.meta.url).href)}
  const { containFaults, currentOwner, ownedListener, runOwned, runUnowned } = containment
  containFaults((error) => {
    console.log('ends: ' + error.message)
    process.exit(1)
  })
  const fail = (text) => { throw new Error(text) }
  const log = { error: ({ err, owner, id }, text) => console.log([text, owner, id, err.message].join(' | ')) }
  const ended = []
  const own = (id, run) => new Promise((resolve) => {
    runOwned({ kind: 'call', id, log, end: () => { ended.push(id); setTimeout(resolve, 5) } }, run)
  })
`
const run = (body: string) => {
  const text = `${script}\n${body}`
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { timeout: 20_000 })
  return { lines: stdout.toString().trim().split('\n'), status }
}

test('whatever an owner starts ends that owner when it fails, once; a fault of nobody ends the process', () => {
  const { lines, status } = run(`
    const bus = new EventEmitter()
    await own('timer', () => { setTimeout(() => fail('a')); setTimeout(() => fail('again')) })
    await own('promise', () => void (async () => { await null; fail('b') })())
    await own('tick', () => process.nextTick(() => fail('c')))
    await own('datagram', () => {
      const socket = createSocket('udp4', (bytes) => { socket.close(); fail(String(bytes)) })
      socket.bind(0, '127.0.0.1', () => socket.send('d', socket.address().port, '127.0.0.1'))
    })
    const listening = own('listener', () => bus.on('said', ownedListener((text) => fail(text))))
    bus.emit('said', 'e')
    await listening
    console.log('ended ' + ended.join(' '))
    setTimeout(() => fail('nobody'))
  `)
  assert.deepEqual(lines, [
    'fault contained | call | timer | a',
    'fault contained | call | promise | b',
    'fault contained | call | tick | c',
    'fault contained | call | datagram | d',
    'fault contained | call | listener | e',
    'ended timer promise tick datagram listener',
    'ends: nobody',
  ])
  assert.equal(status, 1)
})

test('what an owner starts without it, and what fails while it is ended, ends the process', () => {
  const left = run(`own('call', () => runUnowned(() => setTimeout(() => fail('shared'))))`)
  assert.deepEqual(left, { lines: ['ends: shared'], status: 1 })
  const ending = run(`
    runOwned({ kind: 'job', id: 'one', log, end: () => void setTimeout(() => fail('the end')) }, () => setTimeout(() => fail('x')))
  `)
  assert.deepEqual(ending, { lines: ['fault contained | job | one | x', 'ends: the end'], status: 1 })
})

test('after a fault nothing else belongs to its owner', () => {
  const { lines } = run(`
    const server = createServer((socket) => socket.on('data', () => {
      console.log(currentOwner() ? 'owned' : 'of nobody')
      process.exit()
    }))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { spawn } = await import('node:child_process')
    await own('tick', () => process.nextTick(() => fail('c')))
    spawn(process.execPath, ['-e', 'require("net").connect(' + server.address().port + ', "127.0.0.1").write("x")'])
  `)
  assert.equal(lines.at(-1), 'of nobody')
})
