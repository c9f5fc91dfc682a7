// Which outages the banners show.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentsOf, incidentsOfChain } from './incidents.ts'
import { type Health, sinceWords } from './provider-health.ts'

const health = (state: Health['state']): Health => ({
  state,
  reason: state === 'down' ? 'timeout' : null,
  since: state === 'down' ? '2026-01-02T03:04:05.000Z' : null,
  firstMs: null,
})
const link = (id: string, state: Health['state'] | null) => ({
  id,
  kind: 'tts' as const,
  name: id.toUpperCase(),
  health: state && health(state),
})

test('an account that calls skip is an incident; one that fails now and then is not', () => {
  const found = incidentsOf([link('a', 'ok'), link('b', 'down'), link('c', 'failing'), link('d', null)])
  const since = '2026-01-02T03:04:05.000Z'
  assert.deepEqual(found, [{ id: `tts/b/${since}`, kind: 'tts', name: 'B', since, reason: 'timeout', instead: null }])
})

test('of a chain, only what is down before the link that serves', () => {
  const told = (states: readonly (Health['state'] | null)[]) =>
    incidentsOfChain(states.map((state, at) => link(String.fromCharCode(97 + at), state))).map(
      ({ name, instead }) => `${name} → ${instead}`,
    )
  assert.deepEqual(told(['ok', 'down', null]), [])
  assert.deepEqual(told(['down', 'down', 'unused', null]), ['A → C', 'B → C'])
  assert.deepEqual(told(['down', null]), ['A → B'])
  assert.deepEqual(told(['failing', null]), [])
})

test('a time of today has no date', () => {
  const now = new Date(2026, 0, 2, 15, 0)
  const today = sinceWords(new Date(2026, 0, 2, 14, 5).toISOString(), 'en-GB', now)
  assert.equal(today, '14:05')
  assert.match(sinceWords(new Date(2026, 0, 1, 14, 5).toISOString(), 'en-GB', now), /01\/01\/2026.*14:05/)
})
