import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConnection } from './connection.ts'

/** A connection whose probes and waits the test settles by hand. */
function fake() {
  const probes: ((isUp: boolean) => void)[] = []
  const waits: { ms: number; end: () => void }[] = []
  const changes: boolean[] = []
  const connection = createConnection(
    () => new Promise((resolve) => probes.push(resolve)),
    (ms) => new Promise<void>((end) => waits.push({ ms, end })),
  )
  connection.subscribe(() => changes.push(connection.isLost()))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    connection,
    waits,
    changes,
    asked: () => probes.length,
    async answer(isUp: boolean) {
      probes.shift()?.(isUp)
      await settle()
    },
    async waited() {
      waits.shift()?.end()
      await settle()
    },
  }
}

test('a failed request of a server that answers is no lost connection', async () => {
  const { connection, answer, changes } = fake()
  connection.suspect()
  await answer(true)
  assert.deepEqual([connection.isLost(), changes], [false, []])
})

test('the connection is lost until a probe succeeds, and the delays grow', async () => {
  const { connection, answer, waited, waits, changes } = fake()
  connection.suspect()
  await answer(false)
  assert.equal(connection.isLost(), true)
  const delays: (number | undefined)[] = []
  for (let i = 0; i < 5; i++) {
    delays.push(waits[0]?.ms)
    await waited()
    await answer(false)
  }
  assert.deepEqual(delays, [500, 1000, 2000, 3000, 3000])
  await waited()
  await answer(true)
  assert.deepEqual(changes, [true, false])
})

test('many suspicions cause one probe at a time', async () => {
  const { connection, asked } = fake()
  for (let i = 0; i < 5; i++) connection.suspect()
  assert.equal(asked(), 1)
})

test('a confirmation ends the probing: a late failure does not count', async () => {
  const { connection, answer, waited, asked, changes } = fake()
  connection.suspect()
  await answer(false)
  await waited()
  connection.confirm()
  await answer(false)
  assert.deepEqual([connection.isLost(), asked(), changes], [false, 0, [true, false]])
})
