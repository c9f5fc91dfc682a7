import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { until } from '../../test/until.ts'
import { retryingWrites } from '../base/concurrency/retrying-writes.ts'
import type { CallEnd, CallRepository } from './ports.ts'
import { withRetries } from './retrying-repository.ts'

const log = pino({ level: 'silent' })
const end = { status: 'completed', endReason: 'caller_hangup' } as const
const writes = () => retryingWrites({ log, prospectOf: () => 'later' })

/** Fails the first `failures` calls. */
function flaky(failures: number) {
  const written: string[] = []
  const ends: (string | undefined)[] = []
  let tries = 0
  const write = async (what: string) => {
    if (++tries <= failures) throw new Error('the database is away')
    written.push(what)
    return true
  }
  const book = {
    finish: async (id: string, { endedAt }: CallEnd) => {
      ends.push(endedAt)
      return write(`end of ${id}`)
    },
    recorded: async (id: string) => void (await write(`recording of ${id}`)),
  } as unknown as CallRepository
  return { book, written, ends }
}

test('the end of a call is stored when the database is back, with its actual end time', async () => {
  const { book, written, ends } = flaky(2)
  const before = new Date().toISOString()
  const finishing = withRetries(book, writes().write, log).finish('a', end)
  const after = new Date().toISOString()
  assert.equal(await finishing, true)
  assert.deepEqual(written, ['end of a'])
  assert.equal(ends.length, 3)
  for (const endedAt of ends) assert.ok(endedAt && before <= endedAt && endedAt <= after, endedAt)
})

test('storing a recording name does not block, and precedes the end of the call', async () => {
  const { book, written } = flaky(2)
  const lasting = withRetries(book, writes().write, log)
  await lasting.recorded('a', { file: 'a.wav', node: 'n' })
  assert.deepEqual(written, [])
  await lasting.finish('a', end)
  assert.deepEqual(written, ['recording of a', 'end of a'])
})

test('at shutdown nothing is retried', async () => {
  const { book, written } = flaky(100)
  const queue = writes()
  const writing = withRetries(book, queue.write, log).finish('a', end)
  queue.stop()
  await assert.rejects(writing, /away/)
  assert.deepEqual(written, [])
})

test('a recording whose name was not stored in time does not hold up other calls', async () => {
  const { book, written } = flaky(1)
  const lasting = withRetries(book, writes().write, log)
  await lasting.recorded('a', { file: 'a.wav', node: 'n' })
  await lasting.finish('b', end)
  assert.equal(written[0], 'end of b')
  await until('the first one is stored too', () => written.length === 2)
})
