// When a number may be called next: cases with known answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question, RuleDecision } from './decision.ts'
import { nextAttempt, partOfDay } from './next-attempt.ts'
import { calleeOf } from './number.ts'
import type { PackWindow, RulePack } from './pack.ts'
import { builtInPacks } from './packs.ts'

const [brazil, international] = builtInPacks() as [RulePack, RulePack]
const saoPaulo = '+5511987654321'
const daily = (from: string, to: string, days = [1, 2, 3, 4, 5, 6, 7]): PackWindow => ({ days, from, to })

/** The international pack with only these windows. */
const open = (...windows: PackWindow[]): RulePack => ({
  ...international,
  windows: international.windows.map((rule) => ({ ...rule, windows })),
  holidays: null,
  frequency: [],
  spacing: null,
})

const ask = (number: string, at: string, more: Partial<Question> = {}): RuleDecision =>
  nextAttempt({
    pack: brazil,
    callee: calleeOf(number),
    windows: null,
    fromMs: Date.parse(at),
    untilMs: null,
    attemptsMs: [],
    ...more,
  })
const timeOf = (decision: RuleDecision) =>
  'atMs' in decision ? new Date(decision.atMs).toISOString().replace('.000Z', 'Z') : decision.never
const movedBy = (decision: RuleDecision) => decision.trace.movedBy.join(' ')

for (const [what, number, at, expected, moved, more] of [
  ['inside its window, to the millisecond', saoPaulo, '2026-11-18T10:00:00.123-03:00', '2026-11-18T13:00:00.123Z', ''],
  ['before it opens', saoPaulo, '2026-11-18T08:59:59-03:00', '2026-11-18T12:00:00Z', 'br-hours'],
  ['at the minute it closes', saoPaulo, '2026-11-18T18:00:00-03:00', '2026-11-19T12:00:00Z', 'br-hours'],
  ['Friday evening', saoPaulo, '2026-11-27T20:00:00-03:00', '2026-11-30T12:00:00Z', 'br-hours'],
  ['a national holiday', saoPaulo, '2026-11-20T10:00:00-03:00', '2026-11-23T12:00:00Z', 'br-holidays'],
  [
    'over a weekend and a holiday',
    saoPaulo,
    '2026-09-04T19:00:00-03:00',
    '2026-09-08T12:00:00Z',
    'br-hours br-holidays',
  ],
  ['a holiday of São Paulo', saoPaulo, '2026-07-09T10:00:00-03:00', '2026-07-10T12:00:00Z', 'br-holidays'],
  ['which Rio does not have', '+5521987654321', '2026-07-09T10:00:00-03:00', '2026-07-09T13:00:00Z', ''],
  ['carnival is optional', saoPaulo, '2026-02-17T10:00:00-03:00', '2026-02-17T13:00:00Z', ''],
  ['Acre, two hours behind', '+556833334444', '2026-11-18T12:00:00Z', '2026-11-18T14:00:00Z', 'br-hours'],
  [
    'the west of Amazonas: both zones',
    '+559733334444',
    '2026-11-18T09:30:00-04:00',
    '2026-11-18T14:00:00Z',
    'br-hours',
  ],
  ['and both still open', '+559733334444', '2026-11-18T18:00:00-04:00', '2026-11-19T14:00:00Z', 'br-hours'],
  [
    '0800: every zone and state',
    '+558001234567',
    '2026-11-18T09:00:00-03:00',
    '2026-11-18T14:00:00Z',
    'br-hours br-rj-hours br-ce-hours br-es-hours',
  ],
  ['another country', '+4930901820', '2026-11-18T10:00:00Z', 'country_not_covered', ''],
  ['no country', '+80012345678', '2026-11-18T10:00:00Z', 'country_not_covered', '', { pack: international }],
  [
    'ends before it opens',
    saoPaulo,
    '2026-11-18T19:00:00-03:00',
    'after_end',
    'br-hours',
    { untilMs: Date.parse('2026-11-19T12:00:00Z') },
  ],
  [
    'ends just after',
    saoPaulo,
    '2026-11-18T19:00:00-03:00',
    '2026-11-19T12:00:00Z',
    'br-hours',
    { untilMs: Date.parse('2026-11-19T12:00:00Z') + 1 },
  ],
  [
    'windows of the campaign',
    saoPaulo,
    '2026-11-18T09:30:00-03:00',
    '2026-11-18T13:00:00Z',
    'campaign-windows',
    { windows: [daily('10:00', '20:00')] },
  ],
  [
    'no minute in common',
    saoPaulo,
    '2026-11-18T10:00:00-03:00',
    'no_window',
    '',
    { windows: [daily('18:00', '24:00')] },
  ],
  [
    'a day that is always a holiday',
    saoPaulo,
    '2026-11-18T10:00:00-03:00',
    'no_window',
    '',
    { fromMs: Date.parse('2150-01-01') },
  ],
  [
    'the day of 23 hours has no 02:30',
    '+12025550123',
    '2027-03-14T06:59:00Z',
    '2027-03-15T06:30:00Z',
    'hours',
    { pack: open(daily('02:30', '02:45')), callee: { country: 'US', regions: [], zones: ['America/New_York'] } },
  ],
  [
    'the day of 25 hours has 01:30 twice',
    '+12025550123',
    '2026-11-01T05:45:00Z',
    '2026-11-01T06:30:00Z',
    'hours',
    { pack: open(daily('01:30', '01:45')), callee: { country: 'US', regions: [], zones: ['America/New_York'] } },
  ],
  [
    'Lord Howe changes by half an hour',
    '+61412345678',
    '2026-10-03T15:00:00Z',
    '2026-10-03T15:30:00Z',
    'hours',
    { pack: open(daily('02:30', '24:00')), callee: { country: 'AU', regions: [], zones: ['Australia/Lord_Howe'] } },
  ],
  [
    'until midnight',
    saoPaulo,
    '2026-11-18T23:59:59-03:00',
    '2026-11-19T02:59:59Z',
    '',
    { pack: open(daily('22:00', '24:00')) },
  ],
  [
    'over midnight into the next window',
    saoPaulo,
    '2026-11-19T00:00:00-03:00',
    '2026-11-19T03:00:00Z',
    '',
    { pack: open(daily('22:00', '24:00'), daily('00:00', '01:00')) },
  ],
] as const)
  test(what, () => {
    const decision = ask(number, at, more)
    assert.deepEqual([timeOf(decision), movedBy(decision)], [expected, moved])
  })

test('zones that are never open at once', () => {
  const callee = { country: 'ZZ', regions: [], zones: ['Pacific/Auckland', 'America/Los_Angeles'] }
  const decision = ask('', '2026-11-18T10:00:00Z', { callee, pack: open(daily('09:00', '12:00')) })
  assert.equal(timeOf(decision), 'no_window')
})

test('a region that is not known is under the rules of every region', () => {
  const late = { ...international.windows[0], id: 'texas', regions: ['US-TX'], windows: [daily('16:00', '17:00')] }
  const pack = { ...open(daily('00:00', '24:00')) }
  pack.windows = [...pack.windows, late as RulePack['windows'][number]]
  const callee = { country: 'US', regions: [], zones: ['America/Chicago'] }
  assert.equal(timeOf(ask('', '2026-11-18T12:00:00Z', { callee, pack })), '2026-11-18T22:00:00Z')
  const elsewhere = { ...callee, regions: ['US-IL'] }
  assert.equal(timeOf(ask('', '2026-11-18T12:00:00Z', { callee: elsewhere, pack })), '2026-11-18T12:00:00Z')
})

test('spacing and frequency count all attempts, whatever their order', () => {
  const attempts = (...times: string[]) => ({ attemptsMs: times.map((time) => Date.parse(`${time}:00-03:00`)) })
  const spaced = ask(saoPaulo, '2026-11-18T10:00:00-03:00', attempts('2026-11-18T09:00'))
  assert.deepEqual([timeOf(spaced), movedBy(spaced)], ['2026-11-18T14:00:00Z', 'br-spacing'])
  const twice = ask(saoPaulo, '2026-11-18T16:00:00-03:00', attempts('2026-11-18T12:00', '2026-11-18T09:30'))
  assert.deepEqual([timeOf(twice), movedBy(twice)], ['2026-11-19T12:30:00Z', 'br-attempts-day'])
  const week = attempts(
    '2026-11-16T09:00',
    '2026-11-16T12:00',
    '2026-11-17T09:00',
    '2026-11-17T12:00',
    '2026-11-18T09:00',
  )
  const full = ask(saoPaulo, '2026-11-19T16:00:00-03:00', week)
  assert.deepEqual([timeOf(full), movedBy(full)], ['2026-11-23T12:00:00Z', 'br-attempts-week'])
})

test('another part of the day is preferred, but never drops a contact', () => {
  const morning = { avoidPartOf: 'morning' } as const
  const later = ask(saoPaulo, '2026-11-18T10:00:00-03:00', morning)
  assert.deepEqual([timeOf(later), movedBy(later)], ['2026-11-18T15:00:00Z', 'part-of-day'])
  const afternoon = ask(saoPaulo, '2026-11-18T14:00:00-03:00', { avoidPartOf: 'afternoon' })
  assert.equal(timeOf(afternoon), '2026-11-19T12:00:00Z')
  for (const more of [
    { ...morning, windows: [daily('09:00', '12:00')] }, // nothing else is open
    { ...morning, untilMs: Date.parse('2026-11-18T12:00:00-03:00') }, // the campaign ends earlier
    { avoidPartOf: 'evening' } as const,
  ])
    assert.equal(timeOf(ask(saoPaulo, '2026-11-18T10:00:00-03:00', more)), '2026-11-18T13:00:00Z')
  assert.equal(partOfDay(Date.parse('2026-11-18T18:00:00-03:00'), calleeOf(saoPaulo)), 'evening')
})

test('the trace names pack, version, rules, place and window', () => {
  const { trace } = ask('+556133334444', '2026-11-18T10:00:00-03:00')
  assert.deepEqual(trace, {
    pack: 'br-strict',
    version: 1,
    country: 'BR',
    regions: ['BR-DF', 'BR-GO'],
    zones: ['America/Sao_Paulo'],
    rules: ['br-hours', 'br-holidays', 'br-attempts-day', 'br-attempts-week', 'br-spacing'],
    window: { date: '2026-11-18', from: '09:00', to: '18:00' },
    movedBy: [],
  })
  const rio = ask('+5521987654321', '2026-11-18T10:00:00-03:00').trace
  assert.deepEqual(rio.rules.slice(0, 2), ['br-hours', 'br-rj-hours'])
})
