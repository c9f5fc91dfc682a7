import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from './calendar-provider.ts'
import {
  type CalendarSettings,
  freeStarts,
  hoursInWords,
  isInHours,
  settingsOf,
  someOf,
  spanInWords,
} from './free-slots.ts'
import { isoIn, type Zone, zoneOf } from './local-time.ts'

const zone = (name: string) => zoneOf(name) as Zone
const saoPaulo = zone('America/Sao_Paulo')

function settings(config: Record<string, unknown> = {}): CalendarSettings {
  const read = settingsOf(config)
  assert.ok(typeof read !== 'string', String(read))
  return read
}
const span = (start: string, end: string) => ({ startMs: Date.parse(start), endMs: Date.parse(end) })
const entry = (start: string, end: string, fields: Partial<Entry> = {}): Entry => ({
  id: 'x',
  ...span(start, end),
  isAllDay: false,
  isFree: false,
  title: '',
  madeBy: null,
  url: '',
  etag: null,
  ...fields,
})
const starts = (entries: Entry[], config: object, from: string, to: string, minutes = 60, at = saoPaulo) =>
  freeStarts(entries, settings({ slotMinutes: 60, ...config }), at, span(from, to), minutes * 60_000).map((ms) =>
    isoIn(at, ms),
  )

const day = ['2026-03-10T00:00-03:00', '2026-03-11T00:00-03:00'] as const

test('free starts are within working hours and do not overlap events', () => {
  const hours = { workingHours: { from: '09:00', to: '13:00' } }
  assert.deepEqual(starts([], hours, ...day), [
    '2026-03-10T09:00-03:00',
    '2026-03-10T10:00-03:00',
    '2026-03-10T11:00-03:00',
    '2026-03-10T12:00-03:00',
  ])
  const busy = [entry('2026-03-10T10:30-03:00', '2026-03-10T11:00-03:00')]
  assert.deepEqual(
    starts(busy, hours, ...day).map((text) => text.slice(11, 16)),
    ['09:00', '11:00', '12:00'],
  )
  assert.deepEqual(
    starts(busy, { ...hours, bufferMinutes: 15 }, ...day).map((text) => text.slice(11, 16)),
    ['09:00', '12:00'],
  )
  assert.deepEqual(
    starts(busy, hours, ...day, 120).map((text) => text.slice(11, 16)),
    ['11:00'],
  )
  assert.equal(starts([entry(...day, { isAllDay: true })], hours, ...day).length, 0)
  assert.equal(starts([entry(...day, { isFree: true })], hours, ...day).length, 4)
  assert.deepEqual(
    starts([], hours, '2026-03-10T09:01-03:00', '2026-03-10T12:30-03:00').map((text) => text.slice(11, 16)),
    ['10:00', '11:00'],
  )
})

test('days off are skipped', () => {
  const week = ['2026-03-09T00:00-03:00', '2026-03-16T00:00-03:00'] as const
  const noon = { from: '12:00', to: '13:00' }
  assert.equal(starts([], { workingHours: noon }, ...week).length, 5)
  assert.deepEqual(starts([], { workingHours: { ...noon, days: [6, 7] } }, ...week), [
    '2026-03-14T12:00-03:00',
    '2026-03-15T12:00-03:00',
  ])
  assert.equal(
    hoursInWords(settings({ workingHours: { days: [7, 1, 1], from: '00:00', to: '24:00' } })),
    'Monday, Sunday 00:00 to 24:00',
  )
})

test('when clocks go forward the skipped hour is not offered, and no slot is too long', () => {
  const night = { workingHours: { days: [7], from: '00:00', to: '06:00' } }
  const newYork = zone('America/New_York')
  assert.deepEqual(starts([], night, '2026-03-08T00:00-05:00', '2026-03-09T00:00-04:00', 60, newYork), [
    '2026-03-08T00:00-05:00',
    '2026-03-08T01:00-05:00',
    '2026-03-08T03:00-04:00',
    '2026-03-08T04:00-04:00',
    '2026-03-08T05:00-04:00',
  ])
  const madrid = zone('Europe/Madrid')
  assert.deepEqual(
    starts([], night, '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00', 60, madrid).map((text) => text.slice(11)),
    ['00:00+01:00', '01:00+01:00', '03:00+02:00', '04:00+02:00', '05:00+02:00'],
  )
})

test('when clocks go back the repeated hour is offered once, and events in either count', () => {
  const night = { workingHours: { days: [7], from: '00:00', to: '04:00' } }
  const newYork = zone('America/New_York')
  const whole = ['2026-11-01T00:00-04:00', '2026-11-02T00:00-05:00'] as const
  const offered = (entries: Entry[]) => starts(entries, night, ...whole, 60, newYork).map((text) => text.slice(11))
  assert.deepEqual(offered([]), ['00:00-04:00', '01:00-04:00', '02:00-05:00', '03:00-05:00'])
  assert.deepEqual(offered([entry('2026-11-01T01:30-04:00', '2026-11-01T01:45-04:00')]), [
    '00:00-04:00',
    '02:00-05:00',
    '03:00-05:00',
  ])
  assert.deepEqual(offered([entry('2026-11-01T01:30-05:00', '2026-11-01T02:15-05:00')]), [
    '00:00-04:00',
    '01:00-04:00',
    '03:00-05:00',
  ])
})

test('in São Paulo, which has no clock changes, every day is the same', () => {
  const all = { workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' } }
  for (const date of ['2026-02-15', '2026-10-18', '2026-11-01'])
    assert.equal(starts([], all, `${date}T00:00-03:00`, `${date}T24:00-03:00`).length, 24)
})

test('an event must be entirely within working hours', () => {
  const within = (start: string, end: string) => isInHours(settings(), saoPaulo, span(start, end))
  assert.equal(within('2026-03-10T08:00-03:00', '2026-03-10T18:00-03:00'), true)
  assert.equal(within('2026-03-10T17:45-03:00', '2026-03-10T18:15-03:00'), false)
  assert.equal(within('2026-03-10T07:59-03:00', '2026-03-10T08:30-03:00'), false)
  assert.equal(within('2026-03-14T10:00-03:00', '2026-03-14T10:30-03:00'), false)
  assert.equal(within('2026-03-10T17:00-03:00', '2026-03-11T09:00-03:00'), false)
})

test('of many starts some of each day are shown, early and late', () => {
  const many = starts([], {}, '2026-03-09T00:00-03:00', '2026-03-14T00:00-03:00', 30).map((text) => Date.parse(text))
  const some = someOf(many, saoPaulo, 20).map((ms) => isoIn(saoPaulo, ms))
  assert.equal(some.length, 20)
  assert.deepEqual(
    some.slice(0, 4).map((text) => text.slice(8, 16)),
    ['09T08:00', '09T11:00', '09T14:00', '09T17:00'],
  )
  assert.equal(new Set(some.map((text) => text.slice(0, 10))).size, 5)
  assert.deepEqual(someOf([1, 2, 3], saoPaulo, 20), [1, 2, 3])
})

test('contradictory settings are refused', () => {
  for (const workingHours of [{ from: '18:00', to: '08:00' }, { from: '8' }, { to: '25:00' }, { days: [] }])
    assert.equal(typeof settingsOf({ workingHours }), 'string')
  assert.deepEqual({ ...settings({}) }, { ...settings({ durationMinutes: null, workingHours: { days: null } }) })
  assert.equal(
    spanInWords(saoPaulo, span('2026-03-10T23:30-03:00', '2026-03-11T00:30-03:00')),
    'Tuesday 2026-03-10T23:30-03:00 to Wednesday 2026-03-11T00:30-03:00',
  )
})

test('slots and durations below a minute are refused, and a slot search always ends', () => {
  for (const minutes of [0, -5, 0.5, Number.NaN, 1e9]) {
    assert.match(String(settingsOf({ slotMinutes: minutes })), /^slotMinutes must be/)
    assert.match(String(settingsOf({ durationMinutes: minutes })), /^durationMinutes must be/)
  }
  assert.equal(settings({ slotMinutes: 1 }).stepMs, 60_000)
  const endless = { ...settings(), stepMs: 0 }
  const found = freeStarts([], endless, saoPaulo, span('2026-03-10T00:00-03:00', '2026-03-11T00:00-03:00'), 60_000)
  assert.ok(found.length <= 50_000)
})
