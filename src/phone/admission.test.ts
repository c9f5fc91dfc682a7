import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { mediaMsPerSecond } from '../rtp/media-cost.ts'
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

test('the estimate stays below what a measured machine carries, and follows the speed of the media path', () => {
  const calls = callsCarried({ mediaMs: 0.38, cores: 2 })
  assert.ok(calls >= 150 && calls < 200, `${calls}`)
  assert.equal(callsCarried({ mediaMs: 0.19, cores: 2 }), 2 * calls)
  assert.equal(callsCarried({ mediaMs: 1000, cores: 1 }), 10)
})

test('the media path of a call is measured', () => {
  const ms = mediaMsPerSecond()
  assert.ok(ms > 0 && ms < 1000, `${ms} ms for a second`)
})
