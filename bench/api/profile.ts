// CPU profile of the real server under the load of one scenario: `node bench/api/profile.ts [get-agent] [--db postgres]
// [--seconds 6] [--top 40]`. Percentages are shares of the server's busy time.
import { parseArgs } from 'node:util'
import { ensurePrograms, startPostgres } from '../../test/servers.ts'
import { type FunctionTime, nowUs, profileArgs, readProfiles, threadTimes } from '../report/cpu-profile.ts'
import { print } from '../report/report.ts'
import { scenarios } from './scenarios.ts'
import { seed } from './seed.ts'
import { newFolder, newPlace, startLoad, startReal } from './servers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    db: { type: 'string', default: 'sqlite' },
    seconds: { type: 'string', default: '6' },
    top: { type: 'string', default: '40' },
  },
})
const scenario = scenarios.find(({ name }) => name === (positionals[0] ?? 'get-agent'))
if (!scenario) throw new Error(`Scenarios are ${scenarios.map(({ name }) => name).join(', ')}`)

if (values.db === 'postgres') ensurePrograms('initdb', 'postgres')
const postgres = values.db === 'postgres' ? await startPostgres() : null
const place = await newPlace(postgres?.url ?? null, 'profile')
const seeded = await seed(place.database)
const folder = newFolder()
const load = startLoad()
const server = await startReal(place, profileArgs(folder))
const { connections, expect } = scenario
const job = { port: server.port, connections, requests: scenario.requests(seeded), expect }
await load.run({ ...job, seconds: 3 }) // warm-up
const fromUs = nowUs()
const { answers } = await load.run({ ...job, seconds: Number(values.seconds) })
const untilUs = nowUs()
await server.stop()
await load.stop()
await postgres?.stop()

const all = readProfiles(folder).map((profile) => threadTimes(profile, { fromUs, untilUs }))
const main = all.find(({ thread }) => thread === 'main')
if (!main || main.busyUs === 0) throw new Error('the server wrote no profile of its main thread')
const { busyUs, self, total } = main

function printTop(title: string, times: readonly FunctionTime[]): void {
  print(`\n## ${title}\n\n| share | µs per request | function |\n|---:|---:|---|`)
  for (const { name, us } of times.slice(0, Number(values.top)))
    print(`| ${((us / busyUs) * 100).toFixed(1)} % | ${(us / answers).toFixed(1)} | ${name} |`)
}

print(`# ${scenario.title}, ${values.db}: ${answers} answers, ${(busyUs / answers).toFixed(1)} µs at work for each`)
printTop('Self time', self)
printTop('With what it calls', total)
