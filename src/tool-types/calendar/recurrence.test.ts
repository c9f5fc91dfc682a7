import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { DAY_MS } from '../../base/time/clock.ts'
import { ruleOf } from './ics-values.ts'
import { utc } from './local-time.ts'
import { startsOf } from './recurrence.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const show = (ms: number) => new Date(ms).toISOString().slice(0, 16)

const parsed = (text: string) => ruleOf(text, utc)

function starts(text: string, first: string, from: string, to: string, left = 100_000): string[] | null {
  const rule = parsed(text)
  assert.ok(rule, `not read: ${text}`)
  return startsOf(rule, at(first), at(from), at(to), { left })?.map(show) ?? null
}

test('the last Friday of a month, every second week, and the 31st of months that have one', () => {
  assert.deepEqual(
    starts('FREQ=MONTHLY;BYDAY=-1FR', '2026-01-30T09:00:00', '2026-02-01T00:00:00', '2026-05-01T00:00:00'),
    ['2026-02-27T09:00', '2026-03-27T09:00', '2026-04-24T09:00'],
  )
  assert.deepEqual(
    starts(
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
      '1997-08-05T09:00:00',
      '1997-08-05T00:00:00',
      '1997-09-01T00:00:00',
    ),
    ['1997-08-05T09:00', '1997-08-17T09:00', '1997-08-19T09:00', '1997-08-31T09:00'],
  )
  assert.deepEqual(
    starts('FREQ=MONTHLY;BYMONTHDAY=31', '2026-01-31T09:00:00', '2026-01-01T00:00:00', '2026-06-01T00:00:00'),
    ['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00'],
  )
})

test('COUNT counts from the first start, UNTIL is the last start', () => {
  assert.deepEqual(starts('FREQ=DAILY;COUNT=10', '2026-01-01T09:00:00', '2026-01-09T00:00:00', '2027-01-01T00:00:00'), [
    '2026-01-09T09:00',
    '2026-01-10T09:00',
  ])
  assert.deepEqual(
    starts('FREQ=DAILY;UNTIL=20260103T090000Z', '2026-01-01T09:00:00', '2026-01-02T00:00:00', '2027-01-01T00:00:00'),
    ['2026-01-02T09:00', '2026-01-03T09:00'],
  )
})

test('rules that never match or never end return at once', () => {
  const hostile = [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;INTERVAL=99999',
    'FREQ=YEARLY;INTERVAL=999999999',
    'FREQ=YEARLY;BYDAY=MO;BYMONTHDAY=31;BYMONTH=2;COUNT=5',
    'FREQ=MONTHLY;BYSETPOS=300;BYDAY=MO',
  ]
  for (const text of hostile) {
    const found = starts(text, '1950-01-01T10:00:00', '2026-01-01T00:00:00', '2026-03-01T00:00:00')
    assert.deepEqual(found, [], text)
  }
  assert.equal(
    starts('FREQ=DAILY;COUNT=99999999', '1900-01-01T10:00:00', '2026-01-01T00:00:00', '2026-03-01T00:00:00', 1000),
    null,
  )
  for (const text of [
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;COUNT=5',
    'FREQ=HOURLY',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;BYMONTH=13',
    'FREQ=DAILY;BYDAY=XX',
    'INTERVAL=2',
    'FREQ=DAILY;UNTIL=never',
  ])
    assert.equal(parsed(text), null, text)
})

/** Seeded pseudo-random numbers, the same in every run. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

const python = `
import sys, json, re
from datetime import datetime
from dateutil.rrule import rrulestr
out = []
for text in json.load(sys.stdin):
    # A first start that the rule does not mean counts for us and not for dateutil: it starts where both agree.
    first = next(iter(rrulestr(re.sub(';COUNT=\\d+', '', text), dtstart=datetime(2019, 12, 30, 8, 15))), None)
    if first is None:
        out.append(None)
        continue
    found = rrulestr(text, dtstart=first).between(datetime(2022, 5, 1), datetime(2023, 3, 1), inc=True)
    out.append([first.isoformat(), [d.isoformat()[:16] for d in found]])
json.dump(out, sys.stdout)
`

test('three hundred rules give the same result as python-dateutil', () => {
  const roll = dice(20_260_301)
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T
  const some = <T>(list: readonly T[]) => [...new Set(Array.from({ length: 1 + roll(3) }, () => pick(list)))].join(',')
  const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
  const texts = Array.from({ length: 300 }, () => {
    const freq = pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
    const isLong = freq === 'MONTHLY' || freq === 'YEARLY'
    const parts = [`FREQ=${freq}`, `INTERVAL=${1 + roll(3)}`]
    const special = freq === 'YEARLY' ? roll(6) : 9
    if (special === 0) parts.push(`BYYEARDAY=${some([1, 100, -1])}`)
    else if (special === 1) parts.push(`BYWEEKNO=${some([1, 20, 53, -1])}`, `BYDAY=${pick(days)}`)
    else {
      const kind = roll(4)
      if (kind !== 0 && roll(3) === 0) parts.push(`BYMONTH=${some([1, 2, 3, 6, 11, 12])}`)
      if (kind === 0 && freq !== 'WEEKLY') parts.push(`BYMONTHDAY=${some([1, 13, 29, 31, -1, -3])}`)
      if (kind === 1) parts.push(`BYDAY=${some(isLong ? days.map((day) => `${pick([1, 2, -1, -2])}${day}`) : days)}`)
      if (kind === 2) parts.push(`BYDAY=${some(days)}`)
      if (isLong && kind === 2 && roll(2) === 0) parts.push(`BYSETPOS=${some([1, 2, -1])}`)
    }
    if (roll(4) === 0) parts.push(`WKST=${pick(days)}`)
    if (roll(4) === 0) parts.push(`BYHOUR=${some([8, 14, 20])}`)
    if (roll(4) === 0) parts.push(`COUNT=${1 + roll(60)}`)
    return parts.join(';')
  })
  const { stdout, stderr } = spawnSync('python3', ['-c', python], { input: JSON.stringify(texts), encoding: 'utf8' })
  assert.ok(stdout, stderr)
  const told = JSON.parse(stdout) as ([string, string[]] | null)[]
  let total = 0
  for (const [i, one] of told.entries()) {
    if (!one) continue // matches no date
    const [first, expected] = one
    const text = texts[i] as string
    assert.deepEqual(
      starts(text, first, '2022-05-01T00:00:00', '2023-03-01T00:00:00'),
      expected,
      `${text} from ${first}`,
    )
    total += expected.length
  }
  assert.ok(total > 5000, `${total} starts`)
})

test('a daily rule from a hundred years ago costs no more than a current one', () => {
  const effort = { left: 1000 }
  const rule = parsed('FREQ=DAILY')
  assert.ok(rule)
  const found = startsOf(rule, at('1926-01-01T10:00:00'), at('2026-01-01T00:00:00'), at('2026-01-31T00:00:00'), effort)
  assert.equal(found?.length, 30)
  assert.ok(effort.left > 900)
  assert.equal((found?.[1] ?? 0) - (found?.[0] ?? 0), DAY_MS)
})

test('a rule list holds each value once, and one with too many values is invalid', () => {
  assert.deepEqual(parsed(`FREQ=YEARLY;BYMONTHDAY=${'1,'.repeat(20_000)}15,+15`)?.byMonthDay, [1, 15])
  assert.equal(parsed(`FREQ=WEEKLY;BYDAY=${'MO,'.repeat(9000)}TU`)?.byDay.length, 2)
  const days = Array.from({ length: 366 }, (_, i) => i + 1)
  assert.equal(parsed(`FREQ=YEARLY;BYYEARDAY=${days}`)?.byYearDay.length, 366)
  assert.equal(parsed(`FREQ=YEARLY;BYYEARDAY=${days},-1`), null)
})
