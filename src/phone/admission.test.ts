import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { callsCarried, createAdmission, estimateMaxCalls } from './admission.ts'

const idle = { lateMs: 0, busy: 0, freePorts: 10 }

test('calls are refused while the media clock is late or its threads are overloaded, and accepted again afterwards', (t) => {
  let load = idle
  const admission = createAdmission(() => load)
  t.after(admission.close)
  assert.equal(admission.refusal(50), undefined)
  load = { ...idle, lateMs: 50, busy: 0.1 }
  assert.match(admission.refusal(50) ?? '', /late/)
  assert.equal(admission.refusal(2), undefined, 'two calls are not what loads it')
  load = { ...idle, lateMs: 1, busy: 0.9 }
  assert.match(admission.refusal(50) ?? '', /overloaded/)
  load = { ...idle, freePorts: 0 }
  assert.match(admission.refusal(2) ?? '', /RTP ports/)
  load = idle
  assert.equal(admission.refusal(50), undefined)
})

test('calls are refused while the event loop is blocked', async (t) => {
  const admission = createAdmission(() => idle)
  t.after(admission.close)
  const holding = setInterval(() => {
    const end = performance.now() + 250
    while (performance.now() < end);
  }, 1)
  t.after(() => clearInterval(holding))
  await until('a call would be refused', () => admission.refusal(50)?.includes('server is overloaded'), 30_000)
  clearInterval(holding)
  await until('calls are taken again', () => admission.refusal(50) === undefined, 30_000)
})

test('the call capacity of the machine is estimated', () => {
  const calls = estimateMaxCalls()
  assert.ok(Number.isSafeInteger(calls) && calls >= 10, `${calls}`)
})

test('the estimate stays below what a measured machine carries', () => {
  // The earlier scale, 150 calls, gave 264 calls where 250 were too many: this is its probe.
  const probeMs = (1.6 * 150 * 2) / 264
  const calls = callsCarried({ probeMs, cores: 2 })
  assert.ok(calls >= 150 && calls <= 200, `${calls}`)
  assert.ok(callsCarried({ probeMs: probeMs / 2, cores: 2 }) > calls, 'a faster machine carries more')
  assert.equal(callsCarried({ probeMs: 1000, cores: 1 }), 10)
})
