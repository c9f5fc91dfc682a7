import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../base/time/clock.ts'
import { exists, isoIn, minutesOf, readMoment, spoken, type Zone, zoneOf } from './local-time.ts'

const zone = (name: string): Zone => {
  const found = zoneOf(name)
  assert.ok(found, name)
  return found
}
const at = (text: string, name: string): string => {
  const moment = readMoment(text, zone(name))
  return typeof moment === 'string' ? moment : new Date(moment.ms).toISOString()
}
const local = (text: string) => Date.parse(`${text}Z`)

test('a time without an offset is in the zone, and an explicit offset is used', () => {
  assert.equal(at('2026-03-10T14:30', 'America/Sao_Paulo'), '2026-03-10T17:30:00.000Z')
  assert.equal(at(' 2026-03-10 14:30 ', 'America/Sao_Paulo'), '2026-03-10T17:30:00.000Z')
  assert.equal(at('2026-03-10T14:30:00', 'Europe/Madrid'), '2026-03-10T13:30:00.000Z')
  assert.equal(at('2026-07-10T14:30:00.000', 'Europe/Madrid'), '2026-07-10T12:30:00.000Z')
  assert.equal(at('2026-03-10T14:30:00Z', 'America/Sao_Paulo'), '2026-03-10T14:30:00.000Z')
  assert.equal(at('2026-03-10T14:30+05:30', 'America/Sao_Paulo'), '2026-03-10T09:00:00.000Z')
  assert.equal(at('2026-03-10T14:30-0300', 'Europe/Madrid'), '2026-03-10T17:30:00.000Z')
  assert.equal(at('2026-03-10T14:30-03:00[America/Sao_Paulo]', 'Europe/Madrid'), '2026-03-10T17:30:00.000Z')
  assert.equal(at('2026-03-10', 'America/New_York'), '2026-03-10T04:00:00.000Z')
})

test('a skipped hour does not exist; a repeated hour means the first', () => {
  // New York: 8 March and 1 November 2026. Madrid: 29 March and 25 October.
  assert.match(at('2026-03-08T02:30', 'America/New_York'), /does not exist in America\/New_York/)
  assert.equal(at('2026-03-08T01:59', 'America/New_York'), '2026-03-08T06:59:00.000Z')
  assert.equal(at('2026-03-08T03:00', 'America/New_York'), '2026-03-08T07:00:00.000Z')
  assert.equal(at('2026-11-01T01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z')
  assert.equal(at('2026-11-01T01:30-05:00', 'America/New_York'), '2026-11-01T06:30:00.000Z')
  assert.equal(at('2026-11-01T02:00', 'America/New_York'), '2026-11-01T07:00:00.000Z')
  assert.match(at('2026-03-29T02:15', 'Europe/Madrid'), /does not exist/)
  assert.equal(at('2026-03-29T03:00', 'Europe/Madrid'), '2026-03-29T01:00:00.000Z')
  assert.equal(at('2026-10-25T02:30', 'Europe/Madrid'), '2026-10-25T00:30:00.000Z')
  assert.equal(at('2026-10-25T03:00', 'Europe/Madrid'), '2026-10-25T02:00:00.000Z')
  // São Paulo has had no daylight saving time since 2019; before, midnight itself was skipped.
  assert.equal(at('2026-11-01T00:30', 'America/Sao_Paulo'), '2026-11-01T03:30:00.000Z')
  assert.match(at('2018-11-04T00:30', 'America/Sao_Paulo'), /does not exist/)
  assert.equal(at('2018-11-04T12:00', 'America/Sao_Paulo'), '2018-11-04T14:00:00.000Z')
})

test('a time in the gap uses the offset before the change', () => {
  const newYork = zone('America/New_York')
  assert.equal(newYork.instantOf(local('2026-03-08T02:30:00')), local('2026-03-08T07:30:00'))
  assert.equal(exists(newYork, local('2026-03-08T02:30:00')), false)
  const [day, next] = [local('2026-03-08T00:00:00'), local('2026-03-09T00:00:00')]
  assert.equal(newYork.instantOf(next) - newYork.instantOf(day), DAY_MS - 3_600_000)
})

test('every hour of a year converts both ways in zones of all kinds', () => {
  for (const name of [
    'America/New_York',
    'Europe/Madrid',
    'America/Sao_Paulo',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
  ]) {
    const one = zone(name)
    let twice = 0
    for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 1_800_000) {
      const back = one.instantOf(one.localOf(ms))
      if (back !== ms) twice++
      assert.equal(one.localOf(back), one.localOf(ms), `${name} ${new Date(ms).toISOString()}`)
    }
    assert.ok(twice <= 2, `${name}: ${twice}`)
  }
})

test('times are written with weekday and offset', () => {
  const ms = Date.parse('2026-03-10T17:00:00Z')
  assert.equal(spoken(zone('America/Sao_Paulo'), ms), 'Tuesday 2026-03-10T14:00-03:00')
  assert.equal(isoIn(zone('Asia/Kolkata'), ms), '2026-03-10T22:30+05:30')
  assert.equal(spoken(zone('UTC'), Date.UTC(1969, 11, 31)), 'Wednesday 1969-12-31T00:00+00:00')
})

test('invalid times are refused', () => {
  const wrong = [
    '',
    'tomorrow',
    '2026-02-30',
    '2026-13-01T10:00',
    '2026-03-10T25:00',
    '2026-03-10T10:60',
    '10/03/2026',
    '0001-01-01',
    '9999-01-01',
    `2026-03-10T10:00${'0'.repeat(9999)}`,
  ]
  for (const text of wrong) assert.equal(typeof readMoment(text, zone('UTC')), 'string', text)
  assert.equal(zoneOf('Mars/Olympus'), null)
  assert.equal(zoneOf(''), null)
  assert.deepEqual(['08:30', '24:00', '24:01', '8', '10:75', 'x'].map(minutesOf), [510, 1440, null, null, null, null])
})
