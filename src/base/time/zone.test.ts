// Offsets by arithmetic match those of Intl, and local times that are skipped or occur twice map to one instant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, isZone, localDate, offsetAt } from './zone.ts'

const HOUR_MS = 3_600_000
const zones = ['America/Sao_Paulo', 'America/New_York', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Kathmandu']

/** "GMT-03:00" as milliseconds. */
function offsetByIntl(timeZone: string, atMs: number): number {
  const text = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(atMs)
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

test('offsets are those of Intl, also in the hours around a change', () => {
  for (const zone of zones)
    for (let atMs = Date.UTC(2017, 0, 1); atMs < Date.UTC(2019, 6, 1); atMs += 7 * HOUR_MS)
      assert.equal(offsetAt(zone, atMs), offsetByIntl(zone, atMs), `${zone} ${new Date(atMs).toISOString()}`)
})

test('a skipped local time is moved on, and of two the first holds', () => {
  const inMadrid = (local: string) =>
    new Date(instantOf(Date.parse(`${local}Z`), (atMs) => offsetAt('Europe/Madrid', atMs))).toISOString()
  assert.equal(inMadrid('2026-03-29T02:30'), '2026-03-29T01:30:00.000Z') // 3:30 on the new clock
  assert.equal(inMadrid('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z')
  assert.equal(inMadrid('2026-07-01T12:00'), '2026-07-01T10:00:00.000Z')
})

test('dates are those of the zone, and unknown names are no zones', () => {
  const atMs = Date.parse('2026-11-16T01:30:00Z')
  assert.equal(localDate('America/Sao_Paulo', atMs), '2026-11-15')
  assert.equal(localDate('Asia/Tokyo', atMs), '2026-11-16')
  assert.equal(isZone('America/Sao_Paulo'), true)
  assert.equal(isZone('Mars/Olympus'), false)
})
