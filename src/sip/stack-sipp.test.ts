import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { runSipp, startSipp } from '../../test/phones/sipp.ts'
import { call, callee } from '../../test/sip-calls.ts'
import { openEnd, settled } from '../../test/sip-ends.ts'

/** Scenarios built into sipp. */
const builtIn = (name: 'uac' | 'uas') => spawnSync('sipp', ['-sd', name], { encoding: 'utf8' }).stdout
const timers = { t1: 20, t2: 160, t4: 200 }

for (const transport of ['udp', 'tcp'] as const)
  test(`sipp calls us over ${transport === 'udp' ? 'UDP and loses 8 of 100' : 'TCP'}: no call fails`, async (t) => {
    const end = await openEnd(t, { listeners: [{ transport, host: '127.0.0.1', port: 0 }], timers, ...callee(timers) })
    const to = `127.0.0.1:${end.hop(transport).port}`
    const args = transport === 'udp' ? ['-lost', '8'] : []
    await runSipp({ scenario: builtIn('uac'), to, transport, calls: 80, rate: 100, args })
    await settled(end.stack)
    assert.deepEqual([end.faults, end.garbage], [[], []])
  })

test('we call sipp: every call is answered and ended', async (t) => {
  // A long T1 and no loss: as a callee, sipp treats a retransmitted INVITE as an error.
  const end = await openEnd(t, { timers: { t1: 20_000, t2: 20_000, t4: 20_000 } })
  const sipp = await startSipp({ scenario: builtIn('uas'), calls: 50 })
  t.after(() => sipp.stop())
  for (let i = 0; i < 5; i++)
    await Promise.all(Array.from({ length: 10 }, () => call(end, { ...end.hop(), port: sipp.port })))
  assert.equal(sipp.soFar().errors, '')
})
