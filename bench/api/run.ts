// API benchmark: Ramal next to a bare node:http server that sends the same bytes, and next to Express doing the same
// work. It reports ratios, because absolute numbers say more about the machine than about Ramal.
//
// npm run bench:api -- [--seconds 3] [--rounds 5] [--db sqlite|postgres|both] [--only
// get-agent,list-100,loop-delay,start]
// [--short] [--express-remembers-keys]   Express caches a key for as long as Ramal does
import { parseArgs } from 'node:util'
import { ensurePrograms, startPostgres } from '../../test/servers.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'
import { measureLoopDelay, measureMemory, measureStarts } from './at-rest.ts'
import { compare } from './compare.ts'
import { residentMb } from './proc.ts'
import {
  type AtRest,
  addAims,
  addAtRest,
  addComparison,
  addLoopDelays,
  introduce,
  type LoopDelayRow,
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
    ...commonOptions,
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    db: { type: 'string' },
    'express-remembers-keys': { type: 'boolean', default: false },
  },
})

const options = {
  seconds: Number(values.seconds ?? (values.short ? 1 : 3)),
  rounds: Number(values.rounds ?? (values.short ? 1 : 5)),
  expressRemembersKeys: values['express-remembers-keys'],
}
const startRounds = values.short ? 1 : 3
const db = values.db ?? (values.short ? 'sqlite' : 'both')
const parts = [...scenarios.map(({ name }) => name), 'loop-delay', 'start']
const chosen = new Set(values.only?.split(',') ?? parts)
const databases = [
  { name: 'SQLite', kind: 'sqlite' },
  { name: 'PostgreSQL', kind: 'postgres' },
].filter(({ kind }) => db === 'both' || db === kind)

const loopDelays: LoopDelayRow[] = []
const atRest: AtRest[] = []

type On = { database: string; place: Place; seeded: Seeded; load: Load }

/** Returns the memory of the real server after the scenarios. */
async function runScenarios(report: Report, on: On): Promise<number | null> {
  const { database, place, seeded, load } = on
  const wanted = scenarios.filter(({ name }) => chosen.has(name))
  if (wanted.length === 0) return null
  const rememberKeys = options.expressRemembersKeys
  const [real, bare] = [await startReal(place), await startBare()]
  const express = await startExpress(place, { rememberKeys, writeEvents: false })
  const expressWithEvents = await startExpress(place, { rememberKeys, writeEvents: true })
  for (const scenario of wanted) {
    const contenders = { real, bare, express: scenario.expressWritesEvents ? expressWithEvents : express }
    const comparison = await compare(contenders, scenario, seeded, load, options)
    const { name, connections } = scenario
    addComparison(report, { title: `${scenario.title}, ${database}`, connections }, comparison)
    addAims(report, { name, database }, comparison)
  }
  const memory = residentMb(real.pid)
  for (const server of [real, bare, express, expressWithEvents]) await server.stop()
  return memory
}

async function runLoopDelay({ database, place, seeded, load }: On): Promise<void> {
  const list = scenarios.find(({ name }) => name === 'list-10000')
  if (!list || !chosen.has('loop-delay')) return
  for (const connections of [1, list.connections]) {
    const delay = await measureLoopDelay(place, list, seeded, load, connections, options.seconds)
    loopDelays.push({ database, connections, delay })
  }
}

async function runOn(
  report: Report,
  { database, postgresUrl, load }: { database: string; postgresUrl: string | null; load: Load },
) {
  const place = await newPlace(postgresUrl, 'bench')
  const seeded = await seed(place.database)
  if (place.database.kind === 'postgres') await onPostgres(place.database.url, 'vacuum analyze')
  const on = { database, place, seeded, load }
  const memoryAfterMb = await runScenarios(report, on)
  await runLoopDelay(on)
  if (!chosen.has('start')) return
  const starts = await measureStarts(postgresUrl, startRounds)
  atRest.push({ database, ...starts, memoryMb: await measureMemory(postgresUrl, startRounds), memoryAfterMb })
}

await benchmark({ name: 'api', title: 'API benchmark' }, values, async (report) => {
  if (!(options.seconds > 0) || !(options.rounds > 0)) throw new Error('--seconds and --rounds must be numbers above 0')
  const unknown = [...chosen].filter((name) => !parts.includes(name))
  if (unknown.length > 0) throw new Error(`--only knows ${parts.join(', ')}; not ${unknown.join(', ')}`)
  if (databases.length === 0) throw new Error('--db is sqlite, postgres or both')
  introduce(report, options)
  const load = startLoad()
  for (const { name: database, kind } of databases) {
    if (kind === 'sqlite') {
      await runOn(report, { database, postgresUrl: null, load })
      continue
    }
    ensurePrograms('initdb', 'postgres')
    const postgres = await startPostgres()
    try {
      await runOn(report, { database, postgresUrl: postgres.url, load })
    } finally {
      await postgres.stop()
    }
  }
  await load.stop()
  if (loopDelays.length > 0) addLoopDelays(report, loopDelays)
  if (atRest.length > 0) addAtRest(report, atRest)
})
