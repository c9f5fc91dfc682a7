// The diagnostics report: order of checks, cause, warnings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildReport, checkNames, failed, passed, skipped, warning } from './report.ts'

const trunk = { id: 'trk_1', name: 'line' }

test('every check is reported in order, including those not run', () => {
  const { ok, cause, sentence, checks } = buildReport(trunk, [failed('set_up', 'not_set_up', 'no host', 'Cure.')], [])
  assert.deepEqual([ok, cause, sentence], [false, 'not_set_up', 'Cure.'])
  assert.deepEqual(
    checks.map(({ name }) => name),
    [...checkNames],
  )
  assert.ok(checks.slice(1).every(({ status }) => status === 'skipped'))
})

test('the first failed check is the cause', () => {
  const late = failed('audio', 'one_way_audio', 'x', 'Late.')
  const early = failed('registers', 'wrong_password', 'x', 'Early.')
  assert.equal(buildReport(trunk, [late, early], []).sentence, 'Early.')
})

test('a failure that a call disproves is only a warning', () => {
  const address = failed('public_address', 'private_address', 'another address', 'Cure.')
  assert.equal(buildReport(trunk, [address], []).cause, 'private_address')
  const { ok, sentence, checks } = buildReport(trunk, [address, passed('audio', 'heard')], [])
  assert.equal(ok, true)
  assert.equal(
    sentence,
    'The trunk line works: the peer answers and a call brought our own audio back, but another address.',
  )
  assert.equal(checks.find(({ name }) => name === 'public_address')?.status, 'warning')
  const refused = failed('authenticates', 'blocked_by_address', '403', 'Cure.')
  assert.equal(buildReport(trunk, [refused, passed('registers', '200')], []).ok, true)
})

test('a working trunk is reported with its first warning and what was not tried', () => {
  const reached = passed('reached', '200')
  assert.match(buildReport(trunk, [reached, skipped('call', 'none')], []).sentence, /answers; no call was placed/)
  assert.match(
    buildReport(trunk, [warning('digits', 'no digits')], []).sentence,
    /works: the peer answers, but no digits\./,
  )
})
