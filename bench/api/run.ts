// API benchmark: Ramal beside a bare node:http server that sends the same bytes, and beside Express doing the same
// work. It reports ratios, because a number alone says more about the machine than about us.
//
//   npm run bench:api -- [--seconds 3] [--rounds 5] [--db sqlite|postgres|both] [--only get-agent,list-100,loop-delay,start]
//                        [--express-remembers-keys]   Express caches a key for as long as Ramal does
import { parseArgs } from 'node:util'
import { ensurePrograms, startPostgres } from '../../test/servers.ts'
import { measureLoopDelay, measureMemory, measureStarts } from './at-rest.ts'
import { compare } from './compare.ts'
import { residentMb } from './proc.ts'
import {
  type AtRest,
  type LoopDelayRow,
  print,
  printAtRest,
  printComparison,
  printGetAgentAims,
  printLoopDelays,
  printMachine,
} from './report.ts'
import { scenarios } from './scenarios.ts'
import { type Seeded, seed } from './seed.ts'
import {
  type Load,
  newPlace,
  onPostgres,
  type Place,
  startBare,
  startExpress,
  startLoad,
  startReal,
} from './servers.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    db: { type: 'string', default: 'both' },
    'express-remembers-keys': { type: 'boolean', default: false },
  },
})

const positive = (name: 'seconds' | 'rounds'): number => {
  const value = Number(values[name])
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`)
  return value
}
const options = { seconds: positive('seconds'), rounds: positive('rounds') }

const parts = [...scenarios.map(({ name }) => name), 'loop-delay', 'start']
const chosen = new Set(values.only?.split(',') ?? parts)
const unknown = [...chosen].filter((name) => !parts.includes(name))
if (unknown.length > 0) throw new Error(`--only knows ${parts.join(', ')}; not ${unknown.join(', ')}`)
if (!['sqlite', 'postgres', 'both'].includes(values.db)) throw new Error('--db is sqlite, postgres or both')

const databases = [
  { name: 'SQLite', kind: 'sqlite' },
  { name: 'PostgreSQL', kind: 'postgres' },
].filter(({ kind }) => values.db === 'both' || values.db === kind)

const loopDelays: LoopDelayRow[] = []
const atRest: AtRest[] = []

/** Returns the memory of the real server after its work. */
async function runScenarios(database: string, place: Place, seeded: Seeded, load: Load): Promise<number | null> {
  const wanted = scenarios.filter(({ name }) => chosen.has(name))
  if (wanted.length === 0) return null
  const rememberKeys = values['express-remembers-keys']
  const [real, bare] = [await startReal(place), await startBare()]
  const express = await startExpress(place, { rememberKeys, writeEvents: false })
  const expressWithEvents = await startExpress(place, { rememberKeys, writeEvents: true })
  for (const scenario of wanted) {
    const contenders = { real, bare, express: scenario.expressWritesEvents ? expressWithEvents : express }
    const comparison = await compare(contenders, scenario, seeded, load, options)
    printComparison(`${scenario.title}, ${database}`, scenario.connections, comparison)
    if (scenario.name === 'get-agent') printGetAgentAims(comparison)
  }
  const memory = residentMb(real.pid)
  for (const server of [real, bare, express, expressWithEvents]) await server.stop()
  return memory
}

async function runLoopDelay(database: string, place: Place, seeded: Seeded, load: Load): Promise<void> {
  const list = scenarios.find(({ name }) => name === 'list-10000')
  if (!list || !chosen.has('loop-delay')) return
  for (const connections of [1, list.connections]) {
    const delay = await measureLoopDelay(place, list, seeded, load, connections, options.seconds)
    loopDelays.push({ database, connections, delay })
  }
}

async function runOn(database: string, postgresUrl: string | null, load: Load): Promise<void> {
  const place = await newPlace(postgresUrl, 'bench')
  const seeded = await seed(place.database)
  if (place.database.kind === 'postgres') await onPostgres(place.database.url, 'vacuum analyze')
  const memoryAfterMb = await runScenarios(database, place, seeded, load)
  await runLoopDelay(database, place, seeded, load)
  if (!chosen.has('start')) return
  const starts = await measureStarts(postgresUrl)
  atRest.push({ database, ...starts, memoryMb: await measureMemory(postgresUrl), memoryAfterMb })
}

printMachine(options)
print(
  values['express-remembers-keys']
    ? 'Express remembers a key for 250 ms, as Ramal does.'
    : 'Express looks a key up for each request; Ramal remembers it for 250 ms.',
)
const load = startLoad()
for (const { name, kind } of databases) {
  if (kind === 'sqlite') {
    await runOn(name, null, load)
    continue
  }
  ensurePrograms()
  const postgres = await startPostgres()
  try {
    await runOn(name, postgres.url, load)
  } finally {
    await postgres.stop()
  }
}
await load.stop()
if (loopDelays.length > 0) printLoopDelays(loopDelays)
if (atRest.length > 0) printAtRest(atRest)
