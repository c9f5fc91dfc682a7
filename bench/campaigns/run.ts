// Campaign benchmark: import of a list, rule decisions, claims in the attempt ledger, and running campaigns against
// real SIP callees, next to API traffic and inbound calls. It prints only what it measured.
//
// npm run bench:campaigns -- [--only import,rules,claims,calls,inbound] [--seconds 20] [--repeats 5] [--rows 100000]
// [--db sqlite|postgres|both] [--short]
import { parseArgs } from 'node:util'
import { ensurePrograms, startPostgres } from '../../test/servers.ts'
import { newPlace } from '../api/servers.ts'
import { count, type Figure, megabytes, ms, spread, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'
import { type Latency, measureApi } from './api-latency.ts'
import { type Load, measureInbound, measureLoad } from './calls.ts'
import { measureClaims } from './claims.ts'
import { type ImportRow, measureImports } from './import.ts'
import { startCallees, startPlatform } from './platform.ts'
import { measureRules } from './rules.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    only: { type: 'string', default: 'import,rules,claims,calls,inbound' },
    seconds: { type: 'string' },
    repeats: { type: 'string' },
    rows: { type: 'string' },
    db: { type: 'string' },
  },
})
const known = ['import', 'rules', 'claims', 'calls', 'inbound']
const parts = values.only.split(',')
const seconds = Number(values.seconds ?? (values.short ? 3 : 20))
const repeats = Number(values.repeats ?? (values.short ? 2 : 5))
const rows = Number(values.rows ?? (values.short ? 5000 : 100_000))
const db = values.db ?? (values.short ? 'sqlite' : 'both')
const inboundCalls = values.short ? 20 : 60
/** Rounds per measurement; the table shows median and range. */
const importRounds = values.short ? 1 : 2

/** Runs on each of the chosen databases. */
async function eachDatabase(run: (name: string, postgresUrl: string | null) => Promise<void>): Promise<void> {
  if (db !== 'postgres') await run('SQLite', null)
  if (db === 'sqlite') return
  ensurePrograms('initdb', 'postgres')
  const postgres = await startPostgres()
  try {
    await run('PostgreSQL', postgres.url)
  } finally {
    await postgres.stop()
  }
}

async function imports(report: Report): Promise<void> {
  report.heading(`Import of a list of ${count(rows)} contacts`)
  report.text(`Median and range of ${importRounds} rounds. Another request runs every 20 ms meanwhile.`)
  const heads = ['file', 'accepted after', 'done after', 'server before', 'server at most', 'reading process at most', 'event-loop delay p99', 'longest', 'another request p99', 'longest', 'results as CSV'] // biome-ignore format: one row
  const table = report.table(heads)
  await eachDatabase(async (name, postgresUrl) => {
    const found: ImportRow[] = []
    for (let i = 0; i < importRounds; i++) found.push(...(await measureImports(rows, postgresUrl, `import_${i}`)))
    for (const kind of ['CSV', 'XLSX']) {
      const own = found.filter((row) => row.kind === kind)
      const of = (figure: (row: ImportRow) => Figure, show: (n: Figure) => string) => spread(own.map(figure), show)
      const s = withUnit('s', 1)
      table.row([
        ...[`${name}, ${kind} of ${withUnit('MB', 1)(own[0]?.fileMb ?? null)}`, of((row) => row.acceptedSeconds, s)],
        ...[
          of((row) => row.doneSeconds, s),
          of((row) => row.beforeMb, megabytes),
          of((row) => row.serverMb, megabytes),
        ],
        ...[of((row) => row.readerMb, megabytes), of((row) => row.loopP99Ms, ms), of((row) => row.loopMaxMs, ms)],
        ...[of((row) => row.requestP99Ms, ms), of((row) => row.requestMaxMs, ms), of((row) => row.resultSeconds, s)],
      ])
    }
  })
}

function rules(report: Report): void {
  const { perSecond, decisions } = measureRules(repeats)
  report.heading('Rule decisions')
  report.text(
    `br-strict, every area code and hour: ${spread(perSecond, count)} decisions each second on one core, median and range of ${repeats} runs of ${count(decisions)}.`,
  )
}

async function claims(report: Report): Promise<void> {
  report.heading('Claims of the attempt ledger')
  report.text(`Median and range of ${repeats} runs of 300; 1,000 suppressed numbers, 20 attempts under way.`)
  const table = report.table(['database', 'nodes', 'claims each second'])
  await eachDatabase(async (name, postgresUrl) => {
    for (const nodes of postgresUrl === null ? [1] : [1, 2]) {
      const place = await newPlace(postgresUrl, `claims${nodes}`)
      const { perSecond } = await measureClaims(place.database, { claims: 300, repeats, nodes })
      table.row([name, nodes, spread(perSecond, count)])
    }
  })
}

const loads: readonly Load[] = [
  { name: 'all busy', perSecond: 50, behavior: { kind: 'busy' }, maxConcurrentCalls: 100 },
  {
    name: 'all answered, 4 s each',
    perSecond: 5,
    maxConcurrentCalls: 100,
    behavior: { kind: 'answer', ringMs: 300, talkMs: 4000 },
  },
]

async function calls(report: Report): Promise<void> {
  report.heading('A running campaign beside the API (SQLite, real SIP over UDP)')
  const callees = await startCallees()
  const platform = await startPlatform(callees)
  try {
    await measureApi(platform, 3) // warm-up
    report.text(`Rates as the callees counted INVITEs over ${seconds} s; GET /api/agents at 50 a second meanwhile.`)
    const table = report.table(['campaign', 'aim', 'attempts each second', 'attempts', 'answered', 'numbers called twice', 'API p50', 'p99', 'longest', 'requests failed']) // biome-ignore format: one row
    const api = ({ p50Ms, p99Ms, maxMs, requests, failed }: Latency) => [
      ...[ms(p50Ms), ms(p99Ms), ms(maxMs), `${failed} of ${requests}`],
    ]
    table.row(['none', '-', '-', '-', '-', '-', ...api(await measureApi(platform, seconds))])
    for (const each of loads) {
      const row = await measureLoad(platform, callees, each, seconds)
      const counted = [row.attempts, row.answered, row.repeatedNumbers]
      table.row([row.name, row.wantedPerSecond, withUnit('', 1)(row.perSecond), ...counted, ...api(row.api)])
      report.aim(`campaign, ${row.name}: no number called twice`, `${row.repeatedNumbers} of ${row.attempts}`, row.repeatedNumbers === 0) // biome-ignore format: one line
    }
  } finally {
    platform.stop()
    callees.stop()
  }
}

async function inbound(report: Report): Promise<void> {
  report.heading('Inbound calls while a campaign runs at its limit')
  const callees = await startCallees()
  const platform = await startPlatform(callees)
  try {
    await measureInbound(platform, callees, { calls: 10, limit: 0 }) // warm-up
    const table = report.table(['', 'inbound calls', 'refused', 'INVITE to 200: p50', 'p95', 'longest', 'campaign calls meanwhile']) // biome-ignore format: one row
    for (const limit of values.short ? [0, 20] : [0, 20, 0, 20]) {
      const row = await measureInbound(platform, callees, { calls: inboundCalls, limit })
      const times = [row.p50Ms, row.p95Ms, row.maxMs].map(ms)
      table.row([row.name, row.calls, row.refused, ...times, `up to ${row.campaignCalls}`])
    }
  } finally {
    platform.stop()
    callees.stop()
  }
}

await benchmark({ name: 'campaigns', title: 'Campaign benchmark' }, values, async (report) => {
  const unknown = parts.filter((part) => !known.includes(part))
  if (unknown.length > 0) throw new Error(`--only knows ${known.join(', ')}; not ${unknown.join(', ')}`)
  if (!(seconds > 0) || !(repeats > 0) || !(rows > 0)) throw new Error('--seconds, --repeats and --rows are above 0')
  if (parts.includes('import')) await imports(report)
  if (parts.includes('rules')) rules(report)
  if (parts.includes('claims')) await claims(report)
  if (parts.includes('calls')) await calls(report)
  if (parts.includes('inbound')) await inbound(report)
})
