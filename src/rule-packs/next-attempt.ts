// When a number may be called next. A time outside the rules is moved to the next permitted one, never dropped.
import { type PartOfDay, spanAt } from '../base/time/zone.ts'
import type { Callee, Question, RuleDecision, RuleTrace } from './decision.ts'
import { DAY_MS, holidaysOf, type IsHoliday } from './holidays.ts'
import type { PackWindow, RulePack, WindowRule } from './pack.ts'
import { type Interval, intersection, openMinutes, timeOf, type Week, weekOf } from './week.ts'

const MINUTE_MS = 60_000
/** No attempt is planned after this. */
const LAST_MS = Date.UTC(2200, 0, 1)
/** If no window opens within this span, none ever will. */
const HORIZON_MS = 400 * DAY_MS
/** How long a retry may wait for another part of the day. */
const OTHER_PART_MS = 7 * DAY_MS

const parts: Readonly<Record<PartOfDay, Interval>> = {
  morning: { from: 0, to: 720 },
  afternoon: { from: 720, to: 1080 },
  evening: { from: 1080, to: 1440 },
}

/** Names in `movedBy` that are not rules of a pack. */
const CAMPAIGN_WINDOWS = 'campaign-windows'
const PART_OF_DAY = 'part-of-day'

/** The rules of a pack and the windows of a campaign for one place: computed once, used for many numbers. */
type Plan = {
  week: Week
  weeks: readonly { id: string; week: Week }[] // of each rule, to say what moved an attempt
  isHoliday: IsHoliday | null
  holidayId: string | undefined
  ruleIds: readonly string[]
  otherParts: Partial<Record<PartOfDay, Week>>
}

/** Pure. Packs and windows must not be changed after their first use here: plans are cached by identity. */
export function nextAttempt(question: Question): RuleDecision {
  const { pack, callee, windows, fromMs, untilMs } = question
  const isCovered = callee.country !== null && (pack.countries?.includes(callee.country) ?? true)
  if (!isCovered || callee.zones.length === 0)
    return { never: 'country_not_covered', trace: traceOf(question, [], { window: null, movedBy: [] }) }
  const plan = planOf(pack, windows, callee)
  const none = { never: 'no_window', trace: traceOf(question, plan.ruleIds, { window: null, movedBy: [] }) } as const
  const { earliestMs, movedBy } = afterEarlierAttempts(question)
  const isInRange = fromMs >= 0 && earliestMs < LAST_MS // false for NaN
  if (!isInRange || openMinutes(plan.week) === 0) return none
  const firstMs = firstOpen(plan, callee.zones, { fromMs: earliestMs, toMs: earliestMs + HORIZON_MS })
  if (firstMs === null) return none
  if (firstMs > earliestMs) movedBy.push(...closedBetween(plan, callee.zones, earliestMs, firstMs))
  if (untilMs !== null && firstMs >= untilMs)
    return { never: 'after_end', trace: traceOf(question, plan.ruleIds, { window: null, movedBy }) }
  const atMs = inAnotherPart(question, plan, firstMs)
  if (atMs > firstMs) movedBy.push(PART_OF_DAY)
  return { atMs, trace: traceOf(question, plan.ruleIds, { window: windowAt(plan, callee.zones, atMs), movedBy }) }
}

/** The part of the day of the person called, for `avoidPartOf`. */
export function partOfDay(atMs: number, callee: Callee): PartOfDay | null {
  const zone = callee.zones[0]
  if (zone === undefined) return null
  const { minute } = localTime(zone, atMs)
  return minute < parts.morning.to ? 'morning' : minute < parts.afternoon.to ? 'afternoon' : 'evening'
}

const plans = new WeakMap<RulePack, WeakMap<object, Map<string, Plan>>>()
const noWindows: readonly PackWindow[] = []
function planOf(pack: RulePack, windows: readonly PackWindow[] | null, callee: Callee): Plan {
  const ofPack = plans.get(pack) ?? new WeakMap<object, Map<string, Plan>>()
  plans.set(pack, ofPack)
  const ofWindows = ofPack.get(windows ?? noWindows) ?? new Map<string, Plan>()
  ofPack.set(windows ?? noWindows, ofWindows)
  const place = `${callee.country} ${callee.regions.join(' ')}`
  const plan = ofWindows.get(place) ?? makePlan(pack, windows, callee)
  ofWindows.set(place, plan) // at most the places of the numbering plan
  return plan
}

function makePlan(pack: RulePack, windows: readonly PackWindow[] | null, callee: Callee): Plan {
  const rules = pack.windows.filter((rule) => isFor(rule, callee))
  const weeks = [
    ...rules.map(({ id, windows }) => ({ id, week: weekOf(windows) })),
    ...(windows ? [{ id: CAMPAIGN_WINDOWS, week: weekOf(windows) }] : []),
  ]
  // without a rule for this place, no calls are permitted
  const week = rules.length > 0 ? weeks.map((one) => one.week).reduce(intersection) : []
  const { holidays, frequency, spacing } = pack
  return {
    week,
    weeks,
    isHoliday: holidays && holidaysOf(holidays, callee),
    holidayId: holidays?.id,
    ruleIds: [...rules, holidays, ...frequency, spacing].flatMap((rule) => rule?.id ?? []),
    otherParts: {},
  }
}

/** A number of unknown region may be in any: the rules of all regions apply. */
const isFor = ({ regions }: WindowRule, { country, regions: within }: Callee) =>
  regions === null ||
  regions.some(
    (region) =>
      region === country || within.includes(region) || (within.length === 0 && region.startsWith(`${country}-`)),
  )

/** The earliest time that spacing and frequency permit. */
function afterEarlierAttempts({ pack, fromMs, attemptsMs }: Question): { earliestMs: number; movedBy: string[] } {
  const movedBy: string[] = []
  let earliestMs = fromMs
  if (attemptsMs.length === 0) return { earliestMs, movedBy }
  const latestFirst = attemptsMs.toSorted((a, b) => b - a)
  const notBefore = (id: string, attemptMs: number | undefined, waitMs: number) => {
    if (attemptMs === undefined || attemptMs + waitMs <= fromMs) return
    movedBy.push(id)
    earliestMs = Math.max(earliestMs, attemptMs + waitMs)
  }
  if (pack.spacing) notBefore(pack.spacing.id, latestFirst[0], pack.spacing.minutes * MINUTE_MS)
  for (const { id, max, hours } of pack.frequency) notBefore(id, latestFirst[max - 1], hours * 60 * MINUTE_MS)
  return { earliestMs, movedBy }
}

type Span = { fromMs: number; toMs: number }
/** The first time at which every zone is open; `firstZoneWeek` narrows the first zone only. */
function firstOpen(plan: Plan, zones: readonly string[], { fromMs, toMs }: Span, firstZoneWeek = plan.week) {
  let atMs = fromMs
  for (let agreed = 0, index = 0; agreed < zones.length; index = (index + 1) % zones.length) {
    const week = index === 0 ? firstZoneWeek : plan.week
    const openMs = firstOpenIn(zones[index] ?? '', { week, isHoliday: plan.isHoliday }, { fromMs: atMs, toMs })
    if (openMs === null) return null
    agreed = openMs > atMs ? 1 : agreed + 1
    atMs = openMs
  }
  return atMs
}

/** Searches span by span between changes of the zone's offset. */
function firstOpenIn(zone: string, open: Pick<Plan, 'week' | 'isHoliday'>, { fromMs, toMs }: Span): number | null {
  for (let atMs = fromMs; atMs < toMs; ) {
    const { offsetMs, untilMs } = spanAt(zone, atMs)
    const endMs = Math.min(untilMs, toMs)
    const localMs = firstOpenLocal(open, atMs + offsetMs, endMs + offsetMs)
    if (localMs !== null) return localMs - offsetMs
    atMs = endMs
  }
  return null
}

function firstOpenLocal({ week, isHoliday }: Pick<Plan, 'week' | 'isHoliday'>, fromMs: number, toMs: number) {
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day++) {
    const intervals = week[weekdayOf(day)] ?? []
    if (intervals.length === 0 || isHoliday?.(day)) continue
    for (const { from, to } of intervals) {
      const startMs = Math.max(fromMs, day * DAY_MS + from * MINUTE_MS)
      if (startMs < day * DAY_MS + to * MINUTE_MS) return startMs < toMs ? startMs : null
    }
  }
  return null
}

/** 0 is Monday; 1970-01-01, day 0, was a Thursday. */
const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7

function localTime(zone: string, atMs: number) {
  const { offsetMs } = spanAt(zone, atMs)
  const day = Math.floor((atMs + offsetMs) / DAY_MS)
  return { offsetMs, day, minute: Math.floor((atMs + offsetMs - day * DAY_MS) / MINUTE_MS) }
}

const intervalAt = (week: Week, day: number, minute: number) =>
  week[weekdayOf(day)]?.find(({ from, to }) => from <= minute && minute < to)

/** Rules that are closed at the requested time, and the holiday rule if a holiday lies before the permitted time. */
function closedBetween(plan: Plan, zones: readonly string[], fromMs: number, toMs: number): string[] {
  const closed = new Set<string>()
  for (const zone of zones) {
    const { day, minute } = localTime(zone, fromMs)
    for (const { id, week } of plan.weeks) if (!intervalAt(week, day, minute)) closed.add(id)
  }
  if (plan.holidayId !== undefined && zones.some((zone) => hasHoliday(plan, zone, { fromMs, toMs })))
    closed.add(plan.holidayId)
  return [...closed]
}

function hasHoliday({ isHoliday, week }: Plan, zone: string, { fromMs, toMs }: Span): boolean {
  const last = localTime(zone, toMs).day
  for (let { day } = localTime(zone, fromMs); day <= last; day++)
    if (isHoliday?.(day) && (week[weekdayOf(day)]?.length ?? 0) > 0) return true
  return false
}

/** A preference: if no other part of the day opens within a week and before the end, the first permitted time stands. */
function inAnotherPart({ callee, avoidPartOf, untilMs }: Question, plan: Plan, firstMs: number): number {
  if (!avoidPartOf || partOfDay(firstMs, callee) !== avoidPartOf) return firstMs
  const { from, to } = parts[avoidPartOf]
  plan.otherParts[avoidPartOf] ??= intersection(
    plan.week,
    plan.week.map(() => [
      { from: 0, to: from },
      { from: to, to: 1440 },
    ]),
  )
  const toMs = Math.min(firstMs + OTHER_PART_MS, untilMs ?? Number.POSITIVE_INFINITY)
  return firstOpen(plan, callee.zones, { fromMs: firstMs, toMs }, plan.otherParts[avoidPartOf]) ?? firstMs
}

/** The window in which all zones are open, in local time of the first one. */
function windowAt(plan: Plan, zones: readonly string[], atMs: number): RuleTrace['window'] {
  let [openMs, closeMs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const zone of zones) {
    const { offsetMs, day, minute } = localTime(zone, atMs)
    const interval = intervalAt(plan.week, day, minute)
    if (!interval) return null
    openMs = Math.max(openMs, day * DAY_MS + interval.from * MINUTE_MS - offsetMs)
    closeMs = Math.min(closeMs, day * DAY_MS + interval.to * MINUTE_MS - offsetMs)
  }
  const { offsetMs, day } = localTime(zones[0] ?? '', atMs)
  const timeAt = (ms: number) => timeOf((ms + offsetMs - day * DAY_MS) / MINUTE_MS)
  return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), from: timeAt(openMs), to: timeAt(closeMs) }
}

const traceOf = (
  { pack, callee }: Question,
  rules: readonly string[],
  found: Pick<RuleTrace, 'window' | 'movedBy'>,
): RuleTrace => ({
  pack: pack.id,
  version: pack.version,
  rules,
  country: callee.country,
  regions: callee.regions,
  zones: callee.zones,
  ...found,
})
