// Calendar days in time zones with and without clock changes.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastDays, rangesOf } from './days.ts'

const starts = (now: string, timeZone: string, count: number) =>
  lastDays(Date.parse(now), timeZone, count).map(({ date, startMs }) => `${date} ${new Date(startMs).toISOString()}`)

test('a day begins at midnight of its time zone', () => {
  assert.deepEqual(starts('2026-05-10T02:30:00Z', 'America/Sao_Paulo', 2), [
    '2026-05-08 2026-05-08T03:00:00.000Z',
    '2026-05-09 2026-05-09T03:00:00.000Z',
  ])
  assert.deepEqual(starts('2026-05-10T02:30:00Z', 'UTC', 1), ['2026-05-10 2026-05-10T00:00:00.000Z'])
  assert.deepEqual(starts('2026-05-10T02:30:00Z', 'Asia/Kathmandu', 1), ['2026-05-10 2026-05-09T18:15:00.000Z'])
})

test('the time zones furthest from UTC have their days too', () => {
  assert.deepEqual(starts('2026-05-10T10:00:00Z', 'Pacific/Kiritimati', 1), ['2026-05-11 2026-05-10T10:00:00.000Z'])
  assert.deepEqual(starts('2026-05-10T09:59:59Z', 'Pacific/Kiritimati', 1), ['2026-05-10 2026-05-09T10:00:00.000Z'])
  assert.deepEqual(starts('2026-05-10T11:59:59Z', 'Etc/GMT+12', 1), ['2026-05-09 2026-05-09T12:00:00.000Z'])
})

test('a day of 23 hours and one of 25 are single days', () => {
  assert.deepEqual(starts('2026-03-09T16:00:00Z', 'America/New_York', 3), [
    '2026-03-07 2026-03-07T05:00:00.000Z',
    '2026-03-08 2026-03-08T05:00:00.000Z',
    '2026-03-09 2026-03-09T04:00:00.000Z',
  ])
  assert.deepEqual(starts('2026-11-02T16:00:00Z', 'America/New_York', 2), [
    '2026-11-01 2026-11-01T04:00:00.000Z',
    '2026-11-02 2026-11-02T05:00:00.000Z',
  ])
})

test('where the clock skips midnight the day begins at one', () => {
  assert.deepEqual(starts('2026-04-24T12:00:00Z', 'Africa/Cairo', 2), [
    '2026-04-23 2026-04-22T22:00:00.000Z',
    '2026-04-24 2026-04-23T22:00:00.000Z',
  ])
  assert.deepEqual(starts('2018-11-04T12:00:00Z', 'America/Sao_Paulo', 2), [
    '2018-11-03 2018-11-03T03:00:00.000Z',
    '2018-11-04 2018-11-04T03:00:00.000Z',
  ])
})

test('an invalid time zone is rejected', () => {
  for (const wrong of ['Mars/Base', '', 'America/', '+99:00'])
    assert.throws(() => lastDays(0, wrong, 1), /timeZone must be/, wrong)
})

test('yesterday ends at the same time of day, and never reaches into today', () => {
  const compared = (now: string, timeZone: string) => {
    const at = Date.parse(now)
    const { yesterday, today } = rangesOf(lastDays(at, timeZone, 14), at)
    assert.ok(yesterday.toMs <= today.fromMs && today.toMs > at)
    return [yesterday.date, new Date(yesterday.fromMs).toISOString(), new Date(yesterday.toMs).toISOString()]
  }
  assert.deepEqual(compared('2026-05-10T15:30:00Z', 'America/Sao_Paulo'), [
    '2026-05-09',
    '2026-05-09T03:00:00.000Z',
    '2026-05-09T15:30:00.000Z',
  ])
  // Late on the day after a 23-hour day.
  assert.deepEqual(compared('2026-03-10T03:59:00Z', 'America/New_York'), [
    '2026-03-08',
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
  ])
})
