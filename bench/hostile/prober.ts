// Polls /healthz from its own thread and records the longest latency, which is what every other user would see.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 5
const GIVE_UP_MS = 30_000

const { url } = workerData as { url: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longestMs = 0
let asked = 0
let failed = 0

const ask = () =>
  new Promise<void>((done) => {
    const request = get(`${url}/healthz`, { agent, timeout: GIVE_UP_MS }, (answer) => {
      if (answer.statusCode !== 200) failed++
      answer.resume().once('end', done)
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => {
      failed++
      done()
    })
  })

/** The request in flight belongs to the attack that just ended: the report waits for it. */
let isReportDue = false
parentPort?.on('message', () => {
  isReportDue = true
})

function report(): void {
  parentPort?.postMessage({ longestMs, asked, failed })
  isReportDue = false
  longestMs = 0
  asked = 0
  failed = 0
}

for (;;) {
  const begun = performance.now()
  await ask()
  longestMs = Math.max(longestMs, performance.now() - begun)
  asked++
  if (isReportDue) report()
  await sleep(EVERY_MS)
}
