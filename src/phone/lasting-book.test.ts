import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { until } from '../../test/until.ts'
import { lastingBook } from './lasting-book.ts'
import type { CallBook } from './ports.ts'

const log = pino({ level: 'silent' })
const end = { status: 'completed', endReason: 'caller_hangup' } as const

/** Away for the first tries. */
function flaky(failures: number) {
  const written: string[] = []
  let tries = 0
  const write = async (what: string) => {
    if (++tries <= failures) throw new Error('the database is away')
    written.push(what)
    return true
  }
  const book = {
    finish: (id: string) => write(`end of ${id}`),
    recorded: async (id: string) => void (await write(`recording of ${id}`)),
  } as unknown as CallBook
  return { book, written }
}

test('the end of a call is written when the database is back', async () => {
  const { book, written } = flaky(2)
  assert.equal(await lastingBook(book, log, new AbortController().signal).finish('a', end), true)
  assert.deepEqual(written, ['end of a'])
})

test('nobody waits for the place of a recording to be written', async () => {
  const { book, written } = flaky(2)
  await lastingBook(book, log, new AbortController().signal).recorded('a', { file: 'a.wav', node: 'n' })
  assert.deepEqual(written, [])
  await until('it is written all the same', () => written.length > 0)
})

test('at the end of the process nothing is tried again', async () => {
  const { book, written } = flaky(100)
  const stopping = new AbortController()
  const writing = lastingBook(book, log, stopping.signal).finish('a', end)
  stopping.abort()
  await assert.rejects(writing, /away/)
  assert.deepEqual(written, [])
})
