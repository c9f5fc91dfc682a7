import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Campaign } from '../../../../client/paths.ts'
import { bodyOf, emptyForm, formOf, isoTime, localTime, patchOf, problemsOf, stepOf } from './wizard-form.ts'

const campaign: Campaign = {
  id: 'cmp_1',
  statusReason: null,
  statusDetail: null,
  status: 'running',
  columns: [],
  phoneColumn: null,
  contacts: { total: 0, waiting: 0, calling: 0, in_doubt: 0, completed: 0, exhausted: 0, suppressed: 0, canceled: 0 },
  createdAt: '2026-11-16T12:00:00.000Z',
  updatedAt: '2026-11-16T12:00:00.000Z',
  startedAt: null,
  endedAt: null,
  ...bodyOf({ ...emptyForm('BR'), name: 'Consultas', agentId: 'agt_1' }),
}

test('an unchanged form changes nothing, a changed field only itself', () => {
  const form = formOf(campaign)
  assert.deepEqual(patchOf(form, campaign), {})
  const faster = { ...form, pacing: { ...form.pacing, callsPerSecond: 2 } }
  assert.deepEqual(Object.keys(patchOf(faster, campaign)), ['pacing'])
  assert.deepEqual(patchOf({ ...form, route: 'trunk', trunkId: 'trk_1' }, campaign), { trunkId: 'trk_1' })
})

test('a device calls with its own number', () => {
  const form = { ...emptyForm('BR'), route: 'device' as const, deviceId: 'dev_1', callerId: '+551130000000' }
  assert.equal(bodyOf(form).callerId, null)
  assert.equal(bodyOf(form).trunkId, null)
})

test('each step names what it lacks', () => {
  const form = emptyForm('BR')
  assert.deepEqual(problemsOf(form, 'list'), ['name'])
  assert.deepEqual(problemsOf({ ...form, route: 'trunk', callerId: '3000' }, 'agent'), [
    'agentId',
    'trunkId',
    'callerId',
  ])
  assert.deepEqual(problemsOf(form, 'rules'), [])
  const windows = [{ days: [1], from: '18:00', to: '09:00' }]
  const times = { startAt: '2026-12-02T12:00:00.000Z', endAt: '2026-12-01T12:00:00.000Z' }
  assert.deepEqual(problemsOf({ ...form, windows, ...times, predialUrl: 'crm' }, 'rules'), [
    'windows',
    'endAt',
    'predialUrl',
  ])
})

test('a problem of the preview leads to its step', () => {
  assert.equal(stepOf('agentId'), 'agent')
  assert.equal(stepOf('schedule.endAt'), 'rules')
  assert.equal(stepOf('contacts'), 'list')
})

test('times of the form are local', () => {
  assert.equal(isoTime(localTime('2026-12-01T12:30:00.000Z')), '2026-12-01T12:30:00.000Z')
  assert.equal(localTime(''), '')
  assert.equal(isoTime('nonsense'), '')
})
