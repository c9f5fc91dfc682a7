// Trunk form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trunk } from '../../../../client/paths.ts'
import { newPair } from '../../components/name-value-pairs.ts'
import { changesOf, emptyTrunk, formOf, newTrunkBody, presets, problemsOf, wrongTabs } from './trunk-form.ts'

const stored = {
  id: 'trk_1',
  name: 'Carrier',
  host: 'sip.example.com',
  hasPassword: true,
  directions: ['inbound', 'outbound'],
  provider: null,
  port: null,
  transport: 'udp',
  authMode: 'register',
  username: 'u',
  realm: null,
  fromUser: null,
  fromDomain: null,
  outboundProxy: null,
  registerExpires: 300,
  allowedAddresses: [],
  allowedNumbers: [],
  numbers: ['+551130000000'],
  callerId: null,
  codecs: ['PCMA', 'PCMU'],
  mediaEncryption: 'allowed',
  dtmfMode: 'auto',
  numberFormat: { leadingPlus: true, prefix: null, stripPrefix: null },
  sessionTimers: true,
  optionsPing: true,
  priority: 0,
  weight: 1,
  maxConcurrentCalls: null,
  headerVariables: [],
  outboundHeaders: [],
  headers: { 'X-A': '1' },
  status: 'registered',
  statusDetail: null,
  lastSeenAt: null,
  isActive: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
} satisfies Trunk as Trunk

test('an unchanged trunk sends nothing', () => {
  assert.deepEqual(changesOf(formOf(stored), formOf(stored)), {})
})

test('sends only changes; an emptied field is null, an empty password is left out', () => {
  const form = formOf(stored)
  assert.deepEqual(changesOf(form, { ...form, name: ' B ', port: 5080, username: '' }), {
    name: 'B',
    port: 5080,
    username: null,
  })
  assert.deepEqual(changesOf(formOf({ ...stored, port: 5080 }), { ...form, port: '' }), { port: null })
  assert.deepEqual(changesOf(form, { ...form, password: 'new' }), { password: 'new' })
})

test('the number format is sent whole, headers as a record', () => {
  const form = formOf(stored)
  assert.deepEqual(changesOf(form, { ...form, leadingPlus: false, prefix: '0' }), {
    numberFormat: { leadingPlus: false, prefix: '0', stripPrefix: null },
  })
  assert.deepEqual(changesOf(form, { ...form, headers: [...form.headers, newPair('X-B', '2'), newPair()] }), {
    headers: { 'X-A': '1', 'X-B': '2' },
  })
})

test('a new trunk sends its authentication mode', () => {
  const typed = { ...emptyTrunk, name: 'A', host: 'sip.example.com', username: 'u', password: 'p' }
  assert.deepEqual(newTrunkBody(typed), {
    name: 'A',
    host: 'sip.example.com',
    authMode: 'register',
    username: 'u',
    password: 'p',
  })
  const byAddress = newTrunkBody({ ...emptyTrunk, ...presets.carrier, name: 'A', host: '198.51.100.7' })
  assert.deepEqual(byAddress, { name: 'A', host: '198.51.100.7' })
  const pbx = newTrunkBody({ ...typed, ...presets.pbx })
  assert.deepEqual(
    [pbx.authMode, pbx.mediaEncryption, pbx.numberFormat],
    ['register', 'disabled', { leadingPlus: false, prefix: null, stripPrefix: null }],
  )
})

test('missing values are reported by field', () => {
  assert.deepEqual(problemsOf(emptyTrunk, false), ['name', 'host', 'username', 'password'])
  assert.deepEqual(problemsOf({ ...emptyTrunk, authMode: 'ip', name: 'a', host: 'sip.example.com' }, false), [])
  const form = formOf(stored)
  assert.deepEqual(problemsOf(form, true), [])
  assert.deepEqual(problemsOf(form, false), ['password'])
  assert.deepEqual(problemsOf({ ...form, host: 'sip:a@b', port: 70_000, codecs: [], directions: [] }, true), [
    'host',
    'port',
    'directions',
    'codecs',
  ])
})

test('invalid advanced fields mark their tabs', () => {
  const wrong = { ...emptyTrunk, port: 0, codecs: [], registerExpires: 1 }
  assert.deepEqual(wrongTabs(problemsOf(wrong, false)), ['network', 'sound'])
  assert.deepEqual(wrongTabs(problemsOf({ ...emptyTrunk, directions: [] }, false)), ['calls'])
  assert.deepEqual(wrongTabs(problemsOf(emptyTrunk, false)), [])
})
