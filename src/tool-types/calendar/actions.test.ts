import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '../ports.ts'
import { ProviderError } from '../provider-error.ts'
import { type CalendarSession, createEvent, eventIdOf } from './actions.ts'
import type { CalendarProvider, Entry } from './calendar-provider.ts'
import { type CalendarSettings, settingsOf } from './free-slots.ts'
import { type Zone, zoneOf } from './local-time.ts'

const NOW = Date.parse('2026-03-09T12:20:00Z')
const madeBy = { owner: 'usr_1', tool: 'tool_1' }

/** An in-memory calendar that waits before each step as the test says. */
function slowBook(entries: Map<string, Entry>, delayMs: (step: string) => number): CalendarProvider {
  const wait = async (step: string) => void (await sleep(delayMs(step)))
  return {
    async read(fromMs, toMs) {
      await wait('read')
      return {
        entries: [...entries.values()].filter(({ startMs, endMs }) => startMs < toMs && endMs > fromMs),
        unread: 0,
      }
    },
    async add({ description: _, ...entry }) {
      await wait('add')
      if (entries.has(entry.id)) return 'there'
      entries.set(entry.id, { ...entry, isAllDay: false, isFree: false, url: '', etag: null })
      return 'made'
    },
    async find(id) {
      return entries.get(id) ?? null
    },
    async remove({ id }) {
      await wait('remove')
      return entries.delete(id) ? 'removed' : 'gone'
    },
  }
}

const desk = (book: CalendarProvider, runId: string): CalendarSession => ({
  calendar: book,
  zone: zoneOf('America/Sao_Paulo') as Zone,
  settings: settingsOf({}) as CalendarSettings,
  madeBy,
  nowMs: NOW,
  signal: new AbortController().signal,
  runId,
  callerNumber: null,
  settleMs: 800,
})
const args = { start: '2026-03-10T10:00', title: 'x' }

/** Two run ids whose event ids sort in this order. */
const [low, high] = ['run-a', 'run-b'].sort((a, b) => (eventIdOf(a) < eventIdOf(b) ? -1 : 1)) as [string, string]

test('the same time is never booked twice, whichever run is late and whatever its id', async () => {
  for (const [slow, quick] of [
    [low, high],
    [high, low],
  ] as const) {
    const entries = new Map<string, Entry>()
    // The slow run has seen the time as free and writes long after the fast run has finished.
    const isOver = Promise.withResolvers<void>()
    const book = slowBook(entries, () => 0)
    const add: CalendarProvider['add'] = (entry) => isOver.promise.then(() => book.add(entry))
    const late = createEvent(desk({ ...book, add }, slow), args)
    const first = await createEvent(
      desk(
        slowBook(entries, () => 0),
        quick,
      ),
      args,
    )
    assert.ok(first.ok, slow)
    isOver.resolve()
    const second = await late
    assert.ok(!second.ok && /taken/.test(second.error))
    assert.deepEqual([...entries.keys()], [eventIdOf(quick)])
  }
})

test('in any order of steps at most one booking remains, and each result is true', async () => {
  let state = 7
  const roll = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  let won = 0
  const rounds = Array.from({ length: 60 }, async (_, round) => {
    const entries = new Map<string, Entry>()
    const runs = Array.from({ length: 3 }, (_, i) => {
      const delays = { read: roll(12), add: roll(12), remove: roll(12) } as Record<string, number>
      const book = slowBook(entries, (step) => delays[step] ?? 0)
      return createEvent({ ...desk(book, `round-${round}-${i}`), settleMs: 3000 }, args)
    })
    const outcomes = await Promise.all(runs)
    const winners = outcomes.flatMap((outcome, i) => (outcome.ok ? [eventIdOf(`round-${round}-${i}`)] : []))
    assert.deepEqual([...entries.keys()], winners)
    assert.ok(winners.length <= 1)
    won += winners.length
  })
  await Promise.all(rounds)
  assert.ok(won > 50, `${won} of 60 times were given`)
})

test('an event added by hand meanwhile keeps its time', async () => {
  const entries = new Map<string, Entry>()
  const book = slowBook(entries, () => 0)
  const byHand: Entry = {
    id: 'zzz',
    startMs: NOW,
    endMs: NOW + 1e9,
    isAllDay: false,
    isFree: false,
    title: '',
    madeBy: null,
    url: '',
    etag: null,
  }
  const add: CalendarProvider['add'] = async (entry) => {
    const made = await book.add(entry)
    entries.set('zzz', byHand)
    return made
  }
  const outcome = await createEvent(desk({ ...book, add }, low), args)
  assert.ok(!outcome.ok && /taken/.test(outcome.error))
  assert.deepEqual([...entries.keys()], ['zzz'])
})

test('if the check after writing fails the outcome is in doubt; a repeated run finds the event', async () => {
  const entries = new Map<string, Entry>()
  const book = slowBook(entries, () => 0)
  let reads = 0
  const read: CalendarProvider['read'] = async (...span) => {
    if (++reads === 2) throw new ProviderError('the calendar is gone')
    return book.read(...span)
  }
  const outcome: Outcome | ProviderError = await createEvent(desk({ ...book, read }, low), args).catch((error) => error)
  assert.ok(outcome instanceof ProviderError && outcome.isDoubtful)
  assert.match(outcome.message, /was written, but it is not sure that it stands: the calendar is gone/)
  assert.ok((await createEvent(desk({ ...book, read }, low), args)).ok)
  assert.equal(entries.size, 1)
})

test('an existing event from an attempt whose response was lost yields like any other', async () => {
  const entries = new Map<string, Entry>()
  const book = slowBook(entries, () => 0)
  const rival = desk(book, low)
  const add: CalendarProvider['add'] = async (entry) => {
    await book.add(entry)
    await rival.calendar.add({ ...entry, id: eventIdOf(low) })
    return book.add(entry)
  }
  const outcome = await createEvent(desk({ ...book, add }, high), args)
  assert.ok(!outcome.ok && /taken/.test(outcome.error))
  assert.deepEqual([...entries.keys()], [eventIdOf(low)])
})
