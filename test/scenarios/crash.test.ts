// kill -9 at seeded random moments while several writers write. CRASHES sets the number of kills and draws a new seed;
// CRASH_SEED repeats one.
// @run gate
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config/load.ts'
import { openDatabase } from '../../src/db/database.ts'
import { atEnd, newPostgresDatabase, usesPostgres } from '../app.ts'
import { checkKeys, checkMessages, checkNothingHalfDone, checkRecords, checkReplays } from '../crash-checks.ts'
import { newModel, randomFrom, writers } from '../crash-writers.ts'
import { ask, newDataDir, spawnService, startService } from '../service.ts'
import { until } from '../until.ts'

const { CRASHES, CRASH_SEED } = process.env
const kills = Number(CRASHES ?? 10)
const seed = Number(CRASH_SEED ?? (CRASHES ? Math.floor(Math.random() * 2 ** 31) : 20_240_607))

/** Each platform has a database of its own: while one restarts, the other is checked. */
const PLATFORMS = 2
/** Minimum of acknowledged writes before each kill, however slow the machine is. */
const LEAST = 6

test('30, 45, 70, 73 acknowledged writes survive kill -9, and none is left half done', async () => {
  const each = Math.ceil(kills / PLATFORMS)
  await Promise.all(Array.from({ length: PLATFORMS }, (_, n) => killAgainAndAgain(each, seed + n)))
})

async function killAgainAndAgain(kills: number, seed: number): Promise<void> {
  const random = randomFrom(seed)
  const dataDir = newDataDir()
  const bootstrapKey = `bootstrap-${'x'.repeat(40)}`
  const env: Record<string, string> = { BOOTSTRAP_API_KEY: bootstrapKey }
  if (usesPostgres) env.DATABASE_URL = await newPostgresDatabase()
  const model = newModel()
  let killed = 0
  try {
    let service = await startService(dataDir, env)
    const fast = { name: 'writers', rateLimit: 100_000 }
    const key = JSON.parse((await ask(`${service.url}/api/api-keys`, bootstrapKey, 'POST', fast)).text).key as string
    const database = await openDatabase(readConfig({ DATA_DIR: dataDir, ...env }).database, () => {})
    atEnd(() => database.close())

    while (killed < kills) {
      const known = new Set(model.conversations.keys())
      const before = model.acknowledgements
      const writing = writers(model, service.url, key, random)
      const stopped = Promise.all(writing)
      const written = until('some writes are acknowledged', () => model.acknowledgements >= before + LEAST)
      // A writer that fails ends the wait and the test.
      await Promise.race([stopped, Promise.all([written, sleep(50 + random() * 450)])])
      await service.kill('SIGKILL')
      killed++
      await stopped
      if (random() < 0.1) {
        const starting = spawnService(dataDir, env)
        await sleep(random() * 1000)
        await starting.kill('SIGKILL')
        killed++
      }
      service = await startService(dataDir, env)
      const look = { url: service.url, key }
      await checkRecords(model, look)
      await checkMessages(model, look, (id) => !known.has(id))
      await checkKeys(model, look)
      await checkReplays(model, look)
      await checkNothingHalfDone(database)
    }
    await checkMessages(model, { url: service.url, key }, () => true)
    assert.deepEqual(await service.kill('SIGTERM'), { code: 0, signal: null })
    if (!usesPostgres) assertSound(join(dataDir, 'ramal.db'))
  } catch (error) {
    const why = error instanceof Error ? error.stack : error
    throw new Error(`after ${killed} kills, with CRASH_SEED=${seed}: ${why}`)
  }
}

function assertSound(path: string): void {
  const file = new DatabaseSync(path, { readOnly: true })
  assert.deepEqual(
    file
      .prepare('pragma integrity_check')
      .all()
      .map((row) => row.integrity_check),
    ['ok'],
  )
  assert.deepEqual(file.prepare('pragma foreign_key_check').all(), [])
  file.close()
}
