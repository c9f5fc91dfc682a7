// The sipp helper itself: calls, failures, tone and DTMF.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../until.ts'
import { startBaresip } from './baresip.ts'
import { runSipp, startSipp } from './sipp.ts'
import { callee, caller } from './sipp-scenarios.ts'
import { heardMs, listen } from './spectrum.ts'

test('sipp calls sipp over UDP and over TCP, and either side hangs up', async (t) => {
  for (const [transport, hangsUp] of [
    ['udp', true],
    ['tcp', false],
  ] as const) {
    const there = await startSipp({ scenario: callee(hangsUp ? {} : { hangsUpAfterMs: 100 }), calls: 3, transport })
    t.after(there.stop)
    const to = `127.0.0.1:${there.port}`
    const { statistics } = await runSipp({ scenario: caller({ talkMs: 100, hangsUp }), to, calls: 3, transport })
    assert.equal(statistics.get('SuccessfulCall(C)'), '3')
    assert.equal((await there.succeeded()).code, 0)
  }
})

test('a scenario that goes wrong fails with what came instead', async (t) => {
  const busy = await startSipp({ scenario: callee({ refuse: '486 Busy Here' }) })
  t.after(busy.stop)
  const run = runSipp({ scenario: caller(), to: `127.0.0.1:${busy.port}` })
  await assert.rejects(run, /FailedCall\(C\) 1.*486 Busy Here/s)
})

test('sipp plays its tone and, with raw sockets, sends DTMF', async (t) => {
  const bob = await startBaresip({ user: 'bob' })
  t.after(bob.stop)
  const keys = process.getuid?.() === 0 ? '5#' : ''
  const run = runSipp({ scenario: caller({ keys }), to: `127.0.0.1:${bob.port}`, service: 'bob', hz: 800 })
  await until('baresip hears sipp', () => heardMs(listen(bob.heard()), 800) > 500)
  await run
  assert.equal(bob.digits(), keys)
})
