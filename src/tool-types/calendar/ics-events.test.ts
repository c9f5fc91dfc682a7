import assert from 'node:assert/strict'
import { test } from 'node:test'
import { occurrencesIn } from './ics-events.ts'
import { escaped, plainOf, readIcs, writeIcs } from './ics-text.ts'
import { isoIn, type Zone, zoneOf } from './local-time.ts'

const saoPaulo = zoneOf('America/Sao_Paulo') as Zone
const newYork = zoneOf('America/New_York') as Zone
const madrid = zoneOf('Europe/Madrid') as Zone

const file = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:u1', ...lines, 'END:VEVENT']

function happenings(ics: string, from: string, to: string, zone = saoPaulo) {
  const window = { fromMs: Date.parse(from), toMs: Date.parse(to), zone, effort: { left: 100_000 } }
  return occurrencesIn(ics, window)
}
const times = (ics: string, from: string, to: string, zone = saoPaulo): string[] =>
  happenings(ics, from, to, zone).list.map(
    ({ startMs, endMs }) => `${isoIn(zone, startMs)} ${(endMs - startMs) / 60_000}`,
  )

test('a weekly meeting keeps its local time when clocks change', () => {
  const weekly = (tzid: string) =>
    file(...event(`DTSTART;TZID=${tzid}:20260302T090000`, `DTEND;TZID=${tzid}:20260302T100000`, 'RRULE:FREQ=WEEKLY'))
  assert.deepEqual(times(weekly('America/New_York'), '2026-03-05T00:00Z', '2026-03-18T00:00Z', newYork), [
    '2026-03-09T09:00-04:00 60',
    '2026-03-16T09:00-04:00 60',
  ])
  assert.deepEqual(times(weekly('America/New_York'), '2026-03-01T00:00Z', '2026-03-04T00:00Z', newYork), [
    '2026-03-02T09:00-05:00 60',
  ])
  assert.deepEqual(times(weekly('Europe/Madrid'), '2026-03-20T00:00Z', '2026-04-01T00:00Z', madrid), [
    '2026-03-23T09:00+01:00 60',
    '2026-03-30T09:00+02:00 60',
  ])
  // In São Paulo time, the meeting in Madrid shifts with the clock change.
  assert.deepEqual(times(weekly('Europe/Madrid'), '2026-03-20T00:00Z', '2026-04-01T00:00Z'), [
    '2026-03-23T05:00-03:00 60',
    '2026-03-30T04:00-03:00 60',
  ])
})

test('times in the gap and in the overlap of a clock change', () => {
  const daily = file(...event('DTSTART;TZID=America/New_York:20260301T023000', 'DURATION:PT30M', 'RRULE:FREQ=DAILY'))
  assert.deepEqual(times(daily, '2026-03-07T00:00Z', '2026-03-10T00:00Z', newYork), [
    '2026-03-07T02:30-05:00 30',
    '2026-03-08T03:30-04:00 30',
    '2026-03-09T02:30-04:00 30',
  ])
  const twice = file(...event('DTSTART;TZID=Europe/Madrid:20261025T023000', 'DTEND;TZID=Europe/Madrid:20261025T033000'))
  assert.deepEqual(times(twice, '2026-10-24T00:00Z', '2026-10-27T00:00Z', madrid), ['2026-10-25T02:30+02:00 120'])
})

test('occurrences are excluded, moved, cancelled and added', () => {
  const ics = file(
    ...event(
      'DTSTART;TZID=America/Sao_Paulo:20260302T100000',
      'DTEND;TZID=America/Sao_Paulo:20260302T110000',
      'RRULE:FREQ=DAILY;UNTIL=20260308T130000Z',
      'EXDATE;TZID=America/Sao_Paulo:20260303T100000',
      'EXDATE:20260304T130000Z',
      'RDATE;TZID=America/Sao_Paulo:20260302T180000',
    ),
    ...event(
      'RECURRENCE-ID;TZID=America/Sao_Paulo:20260305T100000',
      'DTSTART;TZID=America/Sao_Paulo:20260305T150000',
      'DTEND;TZID=America/Sao_Paulo:20260305T153000',
    ),
    ...event(
      'RECURRENCE-ID:20260306T130000Z',
      'DTSTART:20260306T130000Z',
      'DTEND:20260306T140000Z',
      'STATUS:CANCELLED',
    ),
  )
  assert.deepEqual(times(ics, '2026-03-01T00:00Z', '2026-03-20T00:00Z').sort(), [
    '2026-03-02T10:00-03:00 60',
    '2026-03-02T18:00-03:00 60',
    '2026-03-05T15:00-03:00 30',
    '2026-03-07T10:00-03:00 60',
    '2026-03-08T10:00-03:00 60',
  ])
})

test('an all-day event covers the local day, even one of 23 hours', () => {
  const day = file(...event('DTSTART;VALUE=DATE:20260308', 'DTEND;VALUE=DATE:20260309'))
  assert.deepEqual(times(day, '2026-03-01T00:00Z', '2026-03-20T00:00Z', newYork), [`2026-03-08T00:00-05:00 ${23 * 60}`])
  const noEnd = file(...event('DTSTART;VALUE=DATE:20260310', 'RRULE:FREQ=YEARLY'))
  assert.deepEqual(times(noEnd, '2028-03-01T00:00Z', '2028-03-20T00:00Z'), [`2028-03-10T00:00-03:00 ${24 * 60}`])
  const out = file(...event('DTSTART;VALUE=DATE:20260310', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20260311'))
  assert.equal(times(out, '2026-03-01T00:00Z', '2026-03-20T00:00Z').length, 2)
})

test('transparent events are free, cancelled ones are skipped, and earlier ones that overlap count', () => {
  const free = file(...event('DTSTART:20260310T100000Z', 'DTEND:20260310T110000Z', 'TRANSP:TRANSPARENT'))
  assert.equal(happenings(free, '2026-03-10T00:00Z', '2026-03-11T00:00Z').list[0]?.isFree, true)
  const gone = file(...event('DTSTART:20260310T100000Z', 'DTEND:20260310T110000Z', 'STATUS:CANCELLED'))
  assert.deepEqual(times(gone, '2026-03-10T00:00Z', '2026-03-11T00:00Z'), [])
  const long = file(...event('DTSTART:20260301T100000Z', 'DTEND:20260401T100000Z'))
  assert.equal(times(long, '2026-03-10T00:00Z', '2026-03-11T00:00Z').length, 1)
  const nights = file(...event('DTSTART:20260301T220000Z', 'DTEND:20260302T060000Z', 'RRULE:FREQ=DAILY'))
  assert.equal(times(nights, '2026-03-10T00:00Z', '2026-03-10T05:00Z').length, 1)
  assert.equal(times(nights, '2026-03-10T06:00Z', '2026-03-10T22:00Z').length, 0)
})

test('an unknown zone is read from its VTIMEZONE, and a missing one is the calendar’s', () => {
  const outlook = file(
    'BEGIN:VTIMEZONE',
    'TZID:Romance Standard Time',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    ...event('DTSTART;TZID=Romance Standard Time:20260327T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY'),
  )
  assert.deepEqual(times(outlook, '2026-03-20T00:00Z', '2026-04-05T00:00Z'), [
    '2026-03-27T05:00-03:00 60',
    '2026-04-03T04:00-03:00 60',
  ])
  const at = (tzid: string) =>
    times(
      file(...event(`DTSTART;TZID=${tzid}:20260710T090000`, 'DURATION:PT1H')),
      '2026-07-01T00:00Z',
      '2026-08-01T00:00Z',
    )
  assert.deepEqual(at('/example.org/2020_1/Europe/Madrid'), ['2026-07-10T04:00-03:00 60'])
  assert.deepEqual(at('"Custom; zone"'), ['2026-07-10T09:00-03:00 60'])
})

test('text survives folding and escaping in both directions', () => {
  const title = 'Consulta; Maria, "Zé" \\ 😀😀😀 ação\nBEGIN:VALARM\r\nlinha três'
  const text = writeIcs([
    ['BEGIN', 'VCALENDAR'],
    ['SUMMARY', escaped(`${title.repeat(5)}\u0000\u0007`)],
    ['END', 'VCALENDAR'],
  ])
  assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
  const read = readIcs(text)
  assert.equal(read?.parts.length, 0)
  assert.equal(plainOf(read?.properties[0]?.value ?? ''), title.repeat(5).replaceAll('\r\n', '\n'))
})

test('unreadable events are counted, never guessed', () => {
  const unread = (ics: string) => happenings(ics, '2026-03-10T00:00Z', '2026-03-11T00:00Z').unread
  assert.equal(unread('<html>'), 1)
  assert.equal(unread(file('BEGIN:VEVENT')), 1)
  assert.equal(unread(file(...event('SUMMARY:no start'))), 1)
  assert.equal(unread(file(...event('DTSTART:garbage'))), 1)
  assert.equal(unread(file(...event('DTSTART:20261399T999999'))), 1)
  assert.equal(unread(file(...event('DTSTART:20260310T100000Z', 'DTEND:20260310T090000Z'))), 1)
  assert.equal(unread(file(...event('DTSTART:20260310T100000Z', 'DURATION:-PT1H'))), 1)
  const secondly = happenings(
    file(...event('DTSTART:20260310T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=SECONDLY')),
    '2026-03-10T00:00Z',
    '2026-03-11T00:00Z',
  )
  assert.deepEqual([secondly.unread, secondly.list.length], [1, 1])
})

test('hostile files are read in bounded time', () => {
  const rules = [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=9',
    'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=99999',
    'FREQ=DAILY;COUNT=999999999',
  ]
  const hostile = [
    file(
      ...Array.from({ length: 3000 }, (_, i) =>
        event('DTSTART:19000101T100000Z', 'DURATION:PT1H', `RRULE:${rules[i % 3]}`),
      ).flat(),
    ),
    file(...event('DTSTART:20260310T100000Z', `X-A${';B=c'.repeat(15_000)}:d`)),
    file(...event('DTSTART:20260310T100000Z', `X-A;B="${'"'.repeat(50_000)}:d`)),
    file(...event(`EXDATE:${'20260310T100000Z,'.repeat(200_000)}`, 'DTSTART:20260310T100000Z')),
    file(...event('DTSTART:20260310T100000Z', `RRULE:FREQ=DAILY;BYHOUR=${'1,'.repeat(20_000)}2`)),
    file(...event('DTSTART:20260310T100000Z', 'DURATION:P999999W', 'RRULE:FREQ=DAILY')),
    `BEGIN:VCALENDAR\r\nX:${'a\r\n '.repeat(500_000)}`,
    'BEGIN:X\r\n'.repeat(200_000),
    file(
      'BEGIN:VTIMEZONE',
      'TZID:Evil',
      ...Array.from({ length: 2000 }, () => [
        'BEGIN:STANDARD',
        'DTSTART:19000101T000000',
        'TZOFFSETFROM:+0100',
        'TZOFFSETTO:+0200',
        'RRULE:FREQ=DAILY',
        'END:STANDARD',
      ]).flat(),
      'END:VTIMEZONE',
      ...event('DTSTART;TZID=Evil:20260310T100000', 'RRULE:FREQ=DAILY'),
    ),
  ]
  for (const [i, ics] of hostile.entries()) {
    const began = process.cpuUsage() // CPU time: the machine may be busy with other things
    happenings(ics, '2026-03-10T00:00Z', '2026-04-10T00:00Z')
    const { user, system } = process.cpuUsage(began)
    const ms = (user + system) / 1000
    assert.ok(ms < 5000, `file ${i} took ${Math.round(ms)} ms`)
  }
})
