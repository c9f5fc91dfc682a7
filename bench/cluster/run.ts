// Cluster benchmark: a live command sent to the node that does not run the call, and calls through Kamailio to one and
// two nodes.
//
// npm run bench:cluster -- [--commands 200] [--seconds 10] [--rounds 2] [--only commands,calls] [--short]
//
// About four minutes; --short: one. Nodes, database, Redis, proxy and callers share the cores of this machine: two
// nodes show the cost of a second node, not what a second machine would add.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { answeredCall, NUMBER, spoken } from '../../test/phone-service.ts'
import { startSipp } from '../../test/phones/sipp.ts'
import { caller } from '../../test/phones/sipp-scenarios.ts'
import { ensurePrograms, startPostgres, startRedis } from '../../test/servers.ts'
import { ask } from '../../test/service.ts'
import { type Figure, largest, median, ms, percentile, ratio, spread, times, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'
import { openComponents, type Work } from './components.ts'
import { type Nodes, OUTSIDE, type Servers, startNodes } from './nodes.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    commands: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string', default: 'commands,calls' },
  },
})
const commands = Number(values.commands ?? (values.short ? 20 : 200))
const seconds = Number(values.seconds ?? (values.short ? 4 : 10))
const rounds = Number(values.rounds ?? (values.short ? 1 : 2))
const parts = values.only.split(',')
const COMMAND_AIM_MS = 50
const RATES = [5, 10]
const WARM_UP = 20
/** By then the agent has started to speak: messages beyond its queue limit would be refused. */
const SPEAKING_MS = 60

/** Sends each command to both nodes in turn. */
async function measureCommands(report: Report, servers: Servers): Promise<void> {
  report.heading('A live command: `POST /api/calls/:id/say`, from the request to its response')
  const table = report.table(['bus', 'through', 'commands', 'p50', 'p95', 'longest'])
  for (const [bus, redisUrl] of [
    ['Redis', servers.redisUrl],
    ['PostgreSQL', null],
  ] as const) {
    // biome-ignore format: one line
    const { nodes, carrier, stop } = await startNodes(2, { ...servers, redisUrl })
    try {
      const [one, two] = nodes
      if (!one || !two) throw new Error('two nodes are needed')
      const call = await answeredCall(carrier, one.sipPort)
      const { id } = await spoken(one)
      const took = { 'its own node': [] as number[], 'the other node': [] as number[] }
      for (let i = 0; i < WARM_UP + commands; i++)
        for (const [name, node] of [
          ['its own node', one],
          ['the other node', two],
        ] as const) {
          // biome-ignore format: one line
          const startedMs = performance.now()
          const { status, text } = await ask(`${node.url}/api/calls/${id}/say`, node.key, 'POST', {
            text: 'Ok.',
            interrupt: true,
          })
          if (status !== 200) throw new Error(`say through ${name}: ${status} ${text}`)
          if (i >= WARM_UP) took[name].push(performance.now() - startedMs)
          await sleep(SPEAKING_MS)
        }
      for (const [name, all] of Object.entries(took))
        table.row([bus, name, all.length, ms(percentile(all, 0.5)), ms(percentile(all, 0.95)), ms(largest(all))])
      const p95 = percentile(took['the other node'], 0.95)
      report.under(`a live command through the other node under ${COMMAND_AIM_MS} ms (p95), ${bus}`, p95, COMMAND_AIM_MS, ms) // biome-ignore format: one line
      await call.bye()
    } finally {
      await stop()
    }
  }
}

type CallsRow = { calls: number; failed: number; cpuMs: Figure; work: Work }
/** The process ids of PostgreSQL and Redis. */
type Pids = { postgres: number; redis: number }

async function measureCalls(report: Report, servers: Servers & { redisUrl: string }, pids: Pids): Promise<void> {
  report.heading('Calls through Kamailio: row, agent, recording; 1 s of call each')
  const table = report.table(['nodes', 'calls a second', 'calls', 'failed', 'CPU a call, all nodes'])
  const costs = new Map<string, Figure>()
  const works: (CallsRow & { nodes: number })[] = []
  for (const count of [1, 2] as const) {
    const nodes = await startNodes(count, servers)
    const components = await openComponents({
      databaseUrl: nodes.databaseUrl,
      redisUrl: servers.redisUrl,
      pids: { ...pids, proxy: nodes.proxyPid },
    })
    const place = (rate: number, forSeconds: number) => placeCalls({ nodes, read: components.read, rate, forSeconds })
    try {
      await place(RATES[0] as number, 3) // JIT warm-up
      for (const rate of RATES) {
        const all: CallsRow[] = []
        while (all.length < rounds) all.push(await place(rate, seconds))
        const sum = (of: (row: CallsRow) => number) => all.reduce((total, row) => total + of(row), 0)
        const cpu = all.map(({ cpuMs }) => cpuMs)
        table.row([count, rate, sum((row) => row.calls), sum((row) => row.failed), spread(cpu, withUnit('ms'))])
        costs.set(`${count} ${rate}`, median(cpu))
        works.push(...all.map((row) => ({ ...row, nodes: count })))
        const failed = sum((row) => row.failed)
        report.aim(`${rate} calls a second over ${count} node${count > 1 ? 's' : ''}, none failed`, `${failed} failed`, failed === 0) // biome-ignore format: one line
      }
    } finally {
      await components.close()
      await nodes.stop()
    }
  }
  const overhead = RATES.map((rate) => {
    const more = ratio(costs.get(`2 ${rate}`) ?? null, costs.get(`1 ${rate}`) ?? null)
    return `${rate} calls a second: ${times(more)}`
  })
  report.text(`CPU a call of two nodes against one: ${overhead.join('; ')}.`)
  showWork(report, works)
}

/** Cost per call over all rounds; it includes the work of idle nodes (leases, heartbeats). */
function showWork(report: Report, rows: readonly (CallsRow & { nodes: number })[]): void {
  report.heading('What a call costs the other parts')
  const heads = [
    'nodes',
    'PostgreSQL CPU',
    'transactions',
    'write-ahead log',
    'Redis CPU',
    'Redis commands',
    'Kamailio CPU',
  ]
  const table = report.table(heads)
  for (const count of [1, 2]) {
    const own = rows.filter(({ nodes }) => nodes === count)
    const calls = own.reduce((sum, { calls: made, failed }) => sum + made - failed, 0)
    const each = (of: (work: Work) => number): Figure =>
      calls === 0 ? null : own.reduce((sum, { work }) => sum + of(work), 0) / calls
    table.row([
      ...[count, ms(each((work) => work.postgresSeconds * 1000)), withUnit('', 1)(each((work) => work.transactions))],
      ...[withUnit('KB', 1)(each((work) => work.walBytes / 1000)), ms(each((work) => work.redisSeconds * 1000))],
      ...[withUnit('', 1)(each((work) => work.redisCommands)), ms(each((work) => work.proxySeconds * 1000))],
    ])
  }
}

type Placing = { nodes: Nodes; read: () => Promise<Work>; rate: number; forSeconds: number }

async function placeCalls({ nodes, read, rate, forSeconds }: Placing): Promise<CallsRow> {
  const calls = rate * forSeconds
  const [cpuBefore, before] = [nodes.cpuSeconds(), await read()]
  const sipp = await startSipp({
    scenario: caller({ talkMs: 1000 }),
    to: nodes.to,
    address: OUTSIDE,
    service: NUMBER,
    calls,
    rate,
    withinMs: (forSeconds + 30) * 1000,
  })
  const { statistics } = await sipp.finished()
  await sipp.stop()
  const after = await read()
  const good = Number(statistics.get('SuccessfulCall(C)') ?? 0)
  const work = Object.fromEntries(
    Object.entries(after).map(([name, total]) => [name, total - before[name as keyof Work]]),
  ) as Work
  const cpuMs = good === 0 ? null : ((nodes.cpuSeconds() - cpuBefore) * 1000) / good
  return { calls, failed: calls - good, cpuMs, work }
}

await benchmark({ name: 'cluster', title: 'Cluster benchmark' }, values, async (report) => {
  if (!(commands > 0) || !(seconds > 0) || !(rounds > 0))
    throw new Error('--commands, --seconds and --rounds must be numbers above 0')
  ensurePrograms('initdb', 'postgres', 'redis-server', 'kamailio', 'sipp')
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const servers = { postgresUrl: postgres.url, redisUrl: redis.url }
  if (parts.includes('commands')) await measureCommands(report, servers)
  const pids = { postgres: postgres.process.pid as number, redis: redis.process.pid as number }
  if (parts.includes('calls')) await measureCalls(report, servers, pids)
})
