// Campaign benchmark: import of a list, rule decisions, claims of the attempt ledger, and running campaigns against real SIP callees, beside
// the API and beside inbound calls. It prints only what it measured.
//
//   npm run bench:campaigns -- [--only import,rules,claims,calls,inbound] [--seconds 20] [--repeats 5] [--db sqlite|postgres|both]
import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePrograms, startPostgres } from '../../test/servers.ts'
import { newPlace } from '../api/servers.ts'
import { print, printMachine } from '../outage/report.ts'
import { type Latency, measureApi } from './api-latency.ts'
import { type Load, measureInbound, measureLoad } from './calls.ts'
import { measureClaims } from './claims.ts'
import { startCallees, startPlatform } from './platform.ts'
import { measureRules } from './rules.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'import,rules,claims,calls,inbound' },
    seconds: { type: 'string', default: '20' },
    repeats: { type: 'string', default: '5' },
    db: { type: 'string', default: 'both' },
  },
})
const known = ['import', 'rules', 'claims', 'calls', 'inbound']
const parts = values.only.split(',')
const unknown = parts.filter((part) => !known.includes(part))
if (unknown.length > 0) throw new Error(`--only knows ${known.join(', ')}; not ${unknown.join(', ')}`)
const [seconds, repeats] = [Number(values.seconds), Number(values.repeats)]
if (!(seconds > 0) || !(repeats > 0)) throw new Error('--seconds and --repeats must be numbers above 0')

const load = () => print(`\nLoad average now: ${(loadavg()[0] ?? 0).toFixed(2)}.`)
const whole = (n: number) => Math.round(n).toLocaleString('en-US')
const ms = (n: number) => (Number.isFinite(n) ? `${n.toFixed(1)} ms` : '-')
function spread(rates: readonly number[]): string {
  const sorted = rates.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  return `${whole(median)} (${whole(sorted[0] ?? Number.NaN)} to ${whole(sorted.at(-1) ?? Number.NaN)})`
}

async function claims(): Promise<void> {
  print('\n## Claims of the attempt ledger\n')
  print(`Median and range of ${repeats} runs of 300; 1,000 suppressed numbers, 20 attempts under way.\n`)
  print('| database | nodes | claims each second |')
  print('|---|---:|---:|')
  const row = async (name: string, postgresUrl: string | null, nodes: number) => {
    const place = await newPlace(postgresUrl, `claims${nodes}`)
    const { perSecond } = await measureClaims(place.database, { claims: 300, repeats, nodes })
    print(`| ${name} | ${nodes} | ${spread(perSecond)} |`)
  }
  if (values.db !== 'postgres') await row('SQLite', null, 1)
  if (values.db === 'sqlite') return
  ensurePrograms()
  const postgres = await startPostgres()
  try {
    for (const nodes of [1, 2]) await row('PostgreSQL', postgres.url, nodes)
  } finally {
    await postgres.stop()
  }
}

const loads: readonly Load[] = [
  { name: 'all busy', perSecond: 50, behaviour: { kind: 'busy' }, maxConcurrentCalls: 100 },
  {
    ...{ name: 'all answered, 4 s each', perSecond: 5, maxConcurrentCalls: 100 },
    behaviour: { kind: 'answer', ringMs: 300, talkMs: 4000 },
  },
]

async function calls(): Promise<void> {
  print('\n## A running campaign beside the API (SQLite, real SIP over UDP)\n')
  const callees = await startCallees()
  const platform = await startPlatform(callees)
  try {
    await measureApi(platform, 3) // warms up
    const alone = await measureApi(platform, seconds)
    print(`Rates as the callees counted INVITEs over ${seconds} s; GET /api/agents at 50 a second meanwhile.\n`)
    print(
      '| campaign | aim | attempts each second | attempts | answered | numbers called twice | API p50 | p99 | max |',
    )
    print(`|---|${'---:|'.repeat(8)}`)
    const api = ({ p50Ms, p99Ms, maxMs }: Latency) => `${ms(p50Ms)} | ${ms(p99Ms)} | ${ms(maxMs)}`
    print(`| none | - | - | - | - | - | ${api(alone)} |`)
    for (const each of loads) {
      const row = await measureLoad(platform, callees, each, seconds)
      const counted = [row.attempts, row.answered, row.repeatedNumbers].join(' | ')
      print(`| ${row.name} | ${row.wantedPerSecond} | ${row.perSecond.toFixed(1)} | ${counted} | ${api(row.api)} |`)
    }
  } finally {
    platform.stop()
    callees.stop()
  }
}

async function inbound(): Promise<void> {
  print('\n## Inbound calls while a campaign runs at its limit\n')
  const callees = await startCallees()
  const platform = await startPlatform(callees)
  try {
    await measureInbound(platform, callees, { calls: 10, limit: 0 }) // warms up
    print('| | inbound calls | refused | INVITE to 200: p50 | p95 | max | campaign calls meanwhile |')
    print(`|---|${'---:|'.repeat(6)}`)
    for (const limit of [0, 20, 0, 20]) {
      const row = await measureInbound(platform, callees, { calls: 60, limit })
      const times = [row.p50Ms, row.p95Ms, row.maxMs].map(ms).join(' | ')
      print(`| ${row.name} | ${row.calls} | ${row.refused} | ${times} | up to ${row.campaignCalls} |`)
    }
  } finally {
    platform.stop()
    callees.stop()
  }
}

printMachine('Campaigns')
if (parts.includes('import')) {
  print('\n## Import of a list\n')
  const file = join(import.meta.dirname, 'import.ts')
  if (spawnSync(process.execPath, [file], { stdio: 'inherit' }).status !== 0) throw new Error('the import failed')
  load()
}
if (parts.includes('rules')) {
  print('\n## Rule decisions\n')
  const { perSecond, decisions } = measureRules(repeats)
  print(
    `br-strict, every area code and hour: ${spread(perSecond)} decisions each second on one core, median and range of ${repeats} runs of ${whole(decisions)}.`,
  )
  load()
}
if (parts.includes('claims')) {
  await claims()
  load()
}
if (parts.includes('calls')) {
  await calls()
  load()
}
if (parts.includes('inbound')) {
  await inbound()
  load()
}
process.exit(0)
