// CPU profile of the real server under one scenario's load: `node bench/api/profile.ts [get-agent] [--db postgres]
// [--seconds 6] [--top 40]`. Percentages are of the time in which the server was busy.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensurePrograms, startPostgres } from '../../test/servers.ts'
import { print } from './report.ts'
import { scenarios } from './scenarios.ts'
import { seed } from './seed.ts'
import { newFolder, newPlace, root, startLoad, startReal } from './servers.ts'

type CallFrame = { functionName: string; url: string; lineNumber: number }
type Profile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

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

/** V8 counts from the same clock. */
const nowMicroseconds = () => Number(process.hrtime.bigint() / 1000n)

if (values.db === 'postgres') ensurePrograms()
const postgres = values.db === 'postgres' ? await startPostgres() : null
const place = await newPlace(postgres?.url ?? null, 'profile')
const seeded = await seed(place.database)
const folder = newFolder()
const load = startLoad()
const server = await startReal(place, ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '500'])
const { connections, expect } = scenario
const job = { port: server.port, connections, requests: scenario.requests(seeded), expect }
await load.run({ ...job, seconds: 3 }) // warm-up
const from = nowMicroseconds()
const { answers } = await load.run({ ...job, seconds: Number(values.seconds) })
const until = nowMicroseconds()
await server.stop()
await load.stop()
await postgres?.stop()

const [file = ''] = readdirSync(folder)
const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile
const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])))

const selfTimes = new Map<string, number>()
const totalTimes = new Map<string, number>()
const add = (to: Map<string, number>, name: string, time: number) => to.set(name, (to.get(name) ?? 0) + time)
let busy = 0
let at = profile.startTime
for (const [i, id] of profile.samples.entries()) {
  at += profile.timeDeltas[i] ?? 0
  const time = profile.timeDeltas[i + 1] ?? 0
  const self = nameOf(id)
  if (at < from || at > until || self === '(idle)') continue
  busy += time
  add(selfTimes, self, time)
  const seen = new Set<string>()
  for (let node: number | undefined = id; node !== undefined; node = parents.get(node)) seen.add(nameOf(node))
  for (const name of seen) add(totalTimes, name, time)
}

function nameOf(id: number): string {
  const frame = nodes.get(id)?.callFrame
  if (!frame) return '?'
  const file = frame.url.startsWith('file:') ? relative(root, fileURLToPath(frame.url)) : frame.url
  return `${frame.functionName || '(anonymous)'}${file ? ` ${file}:${frame.lineNumber + 1}` : ''}`
}

function printTop(title: string, times: Map<string, number>): void {
  print(`\n## ${title}\n\n| share | µs per request | function |\n|---:|---:|---|`)
  const sorted = [...times].sort(([, a], [, b]) => b - a).slice(0, Number(values.top))
  for (const [name, time] of sorted)
    print(`| ${((time / busy) * 100).toFixed(1)} % | ${(time / answers).toFixed(1)} | ${name} |`)
}

print(`# ${scenario.title}, ${values.db}: ${answers} answers, ${(busy / answers).toFixed(1)} µs at work for each`)
printTop('Self time', selfTimes)
printTop('With what it calls', totalTimes)
