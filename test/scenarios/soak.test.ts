// A short soak test: calls of every kind to the whole platform, after which it holds no more resources than before.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { newDataDir } from '../service.ts'
import { growth, type Look } from '../soak/looks.ts'
import { soak } from '../soak/soak.ts'

/** Several calls of each kind, an eighth of them outbound. */
const CALLS = 84
/** A busy platform refuses with 503 (admission): the caller retries and must get through. */
const RETRY_MS = 60_000

test('concurrent calls of every kind end as expected, with no open resources and no growth', async () => {
  const env: Record<string, string> = usesPostgres ? { DATABASE_URL: await newPostgresDatabase() } : {}
  const { looks, outcomes } = await soak({
    calls: CALLS,
    atOnce: 12,
    looksAt: [0.2, 1],
    dataDir: newDataDir(),
    patienceMs: RETRY_MS,
    env,
  })
  assert.deepEqual(growth(looks), [])
  assert.equal(outcomes.length, CALLS)
  assert.deepEqual(
    outcomes.filter(({ is }) => is !== 'right'),
    [],
  )
})

test('growth is detected, and open resources are named', () => {
  const rows = { calls: 0, unended: 0, messages: 0, turns: 0 }
  const calm: Look = { calls: 100, heapMb: 50, buffersMb: 5, residentMb: 200, sockets: 20, files: 40, timers: 5, signals: 5, threads: 12, live: 0, legs: 0, mediaMs: 3, atRest: 0.01, rows } // biome-ignore format: one row
  const later = { ...calm, calls: 1100 }
  assert.deepEqual(growth([calm, later]), [])
  assert.deepEqual(growth([calm, { ...later, heapMb: 60 }]), ['heapMb grew by 10.0 in 1000 calls'])
  assert.deepEqual(growth([calm, { ...later, sockets: 40 }]), ['sockets grew by 20.0 in 1000 calls'])
  assert.deepEqual(growth([calm, { ...later, legs: 1 }]), ['1 legs were open after 1100'])
  assert.deepEqual(growth([calm]), ['it was not looked at twice'])
})
