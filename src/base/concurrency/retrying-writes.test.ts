import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { type RetryAdvice, retryingWrites } from './retrying-writes.ts'

class Refused extends Error {}

function queue(
  prospectOf: (error: unknown) => RetryAdvice = (error) => (error instanceof Refused ? 'never' : 'later'),
) {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { ...retryingWrites({ log, prospectOf }), lines }
}

/** A database that is unreachable for the first attempts. */
function store(failures: number) {
  const stored: string[] = []
  let tries = 0
  return {
    stored,
    add: (what: string) => async () => {
      if (++tries <= failures) throw new Error('away')
      stored.push(what)
    },
  }
}

test('writes requested during an outage are stored afterwards, in order and once', async () => {
  const { write, settled, lines } = queue()
  const { stored, add } = store(3)
  for (const what of ['one', 'two', 'three']) void write('call', add(what))
  await settled('call')
  assert.deepEqual(stored, ['one', 'two', 'three'])
  assert.equal(lines.filter(({ level }) => level >= 40).length, 1, 'one warning for the outage, not one for each try')
})

test('without an outage nothing is logged or queued', async () => {
  const { write, lines } = queue()
  const { stored, add } = store(0)
  await write('call', add('one'))
  assert.deepEqual([stored, lines], [['one'], []])
})

test('a write that can never succeed does not hold up the next', async () => {
  const { write } = queue()
  const { stored, add } = store(0)
  const refused = write('call', () => Promise.reject(new Refused('no such conversation')))
  await Promise.all([assert.rejects(refused, Refused), write('call', add('next'))])
  assert.deepEqual(stored, ['next'])
})

test('a write that fails while the database is available is given up after a few attempts', async () => {
  const { write } = queue(() => 'unknown')
  let tries = 0
  const failing = write('call', async () => {
    tries++
    throw new Error('a bug')
  })
  await assert.rejects(failing, /a bug/)
  assert.equal(tries, 5)
})

test('the queue of a call is bounded, but the end of the call is always accepted', async () => {
  const { write, stop } = queue()
  const away = () => Promise.reject(new Error('away'))
  const waiting = Array.from({ length: 1001 }, () => write('call', away))
  await assert.rejects(waiting.at(-1) as Promise<never>, /Too many/)
  const end = write('call', away, { isLast: true })
  const other = write('other', async () => 'stored')
  assert.equal(await other, 'stored', 'another call has a queue of its own')
  stop()
  await assert.rejects(end, /stopped|away/)
  await Promise.allSettled(waiting)
})
