// @run own-process: signals, priorities, crashing threads.
import assert from 'node:assert/strict'
import { readFileSync, readlinkSync } from 'node:fs'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const code = `
  const { parentPort } = require('node:worker_threads')
  const { readFileSync, readlinkSync } = require('node:fs')
  import(process.argv[2]).then(({ setThreadNiceness }) => {
    const done = setThreadNiceness(7)
    const stat = readFileSync('/proc/' + readlinkSync('/proc/thread-self') + '/stat', 'utf8')
    parentPort.postMessage({ done, nice: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) })
  })
`

test('setting the niceness of a thread leaves other threads unchanged', async () => {
  const url = new URL('./thread-priority.ts', import.meta.url).href
  const worker = new Worker(code, { eval: true, argv: [url] })
  const told = await new Promise<{ done: boolean; nice: number }>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  assert.deepEqual(told, { done: true, nice: 7 })
  const stat = readFileSync(`/proc/${readlinkSync('/proc/thread-self')}/stat`, 'utf8')
  const own = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  assert.notEqual(own, 7)
})
