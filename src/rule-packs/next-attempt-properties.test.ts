// Properties on a virtual clock over two years: every Brazilian state, and zones with all kinds of clock changes. The
// oracle reads local times with Intl, minute by minute, and shares no code with the implementation.
// @run rest: many thousand random cases; next-attempt.test.ts has the rules.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHolidays } from '@brazilian-utils/brazilian-utils/get-holidays'
import { getStates } from '@brazilian-utils/brazilian-utils/get-states'
import fc from 'fast-check'
import type { Callee, Question } from './decision.ts'
import { nextAttempt } from './next-attempt.ts'
import { calleeOf } from './number.ts'
import type { PackWindow, RulePack } from './pack.ts'
import { builtInPacks } from './packs.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const START = Date.UTC(2026, 10, 16)
const END = Date.UTC(2028, 10, 16)
const [brazil, international] = builtInPacks() as [RulePack, RulePack]

const formats = new Map<string, Intl.DateTimeFormat>()
/** Date, weekday (1 is Monday) and "hh:mm" in a zone. */
function localOf(zone: string, ms: number) {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    formats.set(zone, format)
  }
  const [date = '', time = ''] = format.format(ms).split(' ')
  return { date, weekday: new Date(`${date}T12:00:00Z`).getUTCDay() || 7, time }
}

const pad = (number: number) => String(number).padStart(2, '0')
const dateOf = (date: Date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
const states = getStates().map(({ code }) => code)
const holidayDates = new Map<string, Set<string>>()
for (const stateCode of states) {
  const found = [2026, 2027, 2028, 2029].flatMap((year) => getHolidays({ year, stateCode }))
  const isDayOff = ({ type }: { type: string }) => type === 'national' || type === 'state'
  holidayDates.set(`BR-${stateCode}`, new Set(found.filter(isDayOff).map(({ date }) => dateOf(date))))
}

function isHoliday({ holidays }: RulePack, callee: Callee, date: string): boolean {
  if (!holidays) return false
  if (holidays.dates.includes(date)) return true
  if (callee.country !== 'BR') return false
  const regions = callee.regions.length > 0 ? callee.regions : [...holidayDates.keys()]
  return regions.some((region) => holidayDates.get(region)?.has(date))
}

const isInside = (windows: readonly PackWindow[], weekday: number, time: string) =>
  windows.some(({ days, from, to }) => days.includes(weekday) && from <= time && time < to)

function isOpen({ pack, callee, windows }: Question, ms: number): boolean {
  return callee.zones.every((zone) => {
    const { date, weekday, time } = localOf(zone, ms)
    if (isHoliday(pack, callee, date) || (windows && !isInside(windows, weekday, time))) return false
    return pack.windows.every((rule) => {
      const applies = rule.regions?.some(
        (region) =>
          region === callee.country ||
          callee.regions.includes(region) ||
          (callee.regions.length === 0 && region.slice(0, 3) === `${callee.country}-`),
      )
      return applies === false || isInside(rule.windows, weekday, time)
    })
  })
}

/** Applies spacing and frequency by counting the earlier attempts one by one. */
function isRested({ pack, attemptsMs }: Question, ms: number): boolean {
  const within = (spanMs: number) => attemptsMs.filter((attempt) => attempt > ms - spanMs).length
  if (pack.spacing && within(pack.spacing.minutes * MINUTE_MS) > 0) return false
  return pack.frequency.every(({ max, hours }) => within(hours * HOUR_MS) < max)
}

const isPermitted = (question: Question, ms: number) => isOpen(question, ms) && isRested(question, ms)

const place = (country: string, ...zones: string[]): Callee => ({ country, regions: [], zones })
const brazilian = Array.from({ length: 89 }, (_, index) => calleeOf(`+55${index + 11}33334444`))
const byState = states.map((state) => {
  const found = brazilian.find(({ regions }) => regions[0] === `BR-${state}`)
  assert.ok(found, state)
  return found
})
const severalZones = brazilian.filter(({ zones, regions }) => regions.length > 0 && zones.length > 1)
const abroad = [
  place('US', 'America/New_York'),
  place('US', 'America/Adak', 'America/Phoenix', 'America/Chicago', 'America/New_York'),
  place('CL', 'America/Santiago', 'Pacific/Easter', 'America/Punta_Arenas'),
  place('PY', 'America/Asuncion'),
  place('PT', 'Europe/Lisbon', 'Atlantic/Azores'),
  place('DE', 'Europe/Berlin'),
  place('AU', 'Australia/Sydney', 'Australia/Perth', 'Australia/Adelaide'),
  place('AU', 'Australia/Lord_Howe'),
  place('MA', 'Africa/Casablanca'),
  place('NP', 'Asia/Kathmandu'),
]
const callees = [...byState, ...severalZones, calleeOf('+558001234567'), ...abroad]
const packFor = ({ country }: Callee) => (country === 'BR' ? brazil : international)

/** Clock changes in these two years, to the hour, where mistakes are most likely. */
const changes = abroad.flatMap(({ zones }) => {
  const found: number[] = []
  for (const zone of zones)
    for (let ms = START; ms < END; ms += DAY_MS) {
      const hourAt = (at: number) => localOf(zone, at).time
      if (hourAt(ms) !== hourAt(ms + DAY_MS)) found.push(ms)
    }
  return found
})

const time = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
const someWindow = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
    from: fc.integer({ min: 0, max: 1439 }),
    length: fc.integer({ min: 1, max: 1440 }),
  })
  .map(({ days, from, length }) => ({ days, from: time(from), to: time(Math.min(1440, from + length)) }))
const someTime = fc.oneof(
  fc.integer({ min: START, max: END }),
  fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -DAY_MS, max: 2 * DAY_MS })).map(([ms, by]) => ms + by),
)
const aQuestion = fc
  .record({
    callee: fc.constantFrom(...callees),
    fromMs: someTime,
    windows: fc.option(fc.array(someWindow, { minLength: 1, maxLength: 4 })),
    packWindows: fc.option(fc.array(someWindow, { minLength: 1, maxLength: 4 })),
    ago: fc.array(fc.integer({ min: 0, max: 8 * DAY_MS }), { maxLength: 6 }),
  })
  .map(({ callee, fromMs, windows, packWindows, ago }): Question => {
    const pack = packFor(callee)
    const [first] = pack.windows as [RulePack['windows'][number]]
    const other = packWindows && { ...pack, windows: [{ ...first, windows: packWindows }] }
    return {
      pack: other ?? pack,
      callee,
      windows,
      fromMs,
      untilMs: null,
      attemptsMs: ago.map((ms) => fromMs - ms),
    }
  })

/** For a longer wait the oracle checks only the first and the last days, minute by minute. */
const LOOK_MS = 3 * DAY_MS

test('an attempt is permitted, and no earlier minute was', () => {
  fc.assert(
    fc.property(aQuestion, (question) => {
      const decision = nextAttempt(question)
      const foundMs = 'atMs' in decision ? decision.atMs : question.fromMs + LOOK_MS
      if ('atMs' in decision) assert.ok(isPermitted(question, foundMs), `${new Date(foundMs).toISOString()} is closed`)
      assert.ok(foundMs === question.fromMs || !isPermitted(question, question.fromMs), 'permitted at once')
      const firstMs = Math.ceil(question.fromMs / MINUTE_MS) * MINUTE_MS
      for (let ms = firstMs; ms < foundMs; ms += MINUTE_MS) {
        if (ms - firstMs > LOOK_MS && foundMs - ms > LOOK_MS)
          ms = Math.floor((foundMs - LOOK_MS) / MINUTE_MS) * MINUTE_MS
        assert.ok(!isPermitted(question, ms), `${new Date(ms).toISOString()} was permitted before`)
      }
    }),
    { seed: 20, numRuns: 400 },
  )
})

test('never means never: no minute of a week is open', () => {
  const closed = aQuestion.map((question) => ({ ...question, attemptsMs: [] }))
  let count = 0
  fc.assert(
    fc.property(closed, (question) => {
      if ('atMs' in nextAttempt(question)) return
      count++
      for (let ms = Math.ceil(question.fromMs / MINUTE_MS) * MINUTE_MS, n = 0; n < 7 * 1440; n++, ms += MINUTE_MS)
        assert.ok(!isOpen(question, ms), new Date(ms).toISOString())
    }),
    { seed: 21, numRuns: 150 },
  )
  assert.ok(count > 3, `only ${count} questions were answered with never`)
})

for (const callee of callees)
  test(`two years of ${[callee.country, ...callee.regions].join(' ')} (${callee.zones.join(', ')}): as often as permitted, never outside`, () => {
    const pack = packFor(callee)
    const attemptsMs: number[] = []
    let [nowMs, longestMs, weeks] = [START, 0, 0]
    while (nowMs < END) {
      const question: Question = {
        pack,
        callee,
        windows: null,
        fromMs: nowMs,
        untilMs: null,
        attemptsMs: attemptsMs.slice(-20),
      }
      const decision = nextAttempt(question)
      assert.ok('atMs' in decision, `dropped at ${new Date(nowMs).toISOString()}`)
      const { atMs } = decision
      assert.ok(isPermitted(question, atMs), `${new Date(atMs).toISOString()} is not permitted`)
      longestMs = Math.max(longestMs, atMs - nowMs)
      attemptsMs.push(atMs)
      nowMs = atMs + 1
      weeks = (atMs - START) / (7 * DAY_MS)
    }
    const perWeek = Math.max(...pack.frequency.filter(({ hours }) => hours === 168).map(({ max }) => max))
    assert.ok(attemptsMs.length <= perWeek * Math.ceil(weeks + 1), `${attemptsMs.length} in ${weeks} weeks`)
    assert.ok(attemptsMs.length > perWeek * weeks * 0.7, `only ${attemptsMs.length} in ${weeks} weeks`)
    assert.ok(longestMs < 14 * DAY_MS, `waited ${longestMs / DAY_MS} days`)
  })
