// The cost of a tool call compared with a bare fetch of the same server: sequential, and a hundred at once. Both
// alternate in one run.
//
// npm run bench:tools -- [--short]
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { guardedHttp } from '../../src/base/outside/guarded-http.ts'
import { apiRequest } from '../../src/tool-types/api-request.ts'
import { tokenSource } from '../../src/tool-types/http/oauth.ts'
import { aRun, aTool } from '../../test/tool-runs.ts'
import { nextMessage, own } from '../report/child.ts'
import { type Figure, median, percentile, ratio, spread, times, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'

const { values } = parseArgs({ options: commonOptions })
const WARM_UP = 300
const CALLS = values.short ? 500 : 2000
const BURSTS = values.short ? 20 : 100
const ROUNDS = values.short ? 1 : 3
const AT_ONCE = 100
const AIM_MS = 2

const ms = withUnit('ms', 3)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const server = own(fork(join(import.meta.dirname, 'server.ts')))
const port = await nextMessage<number>(server)
const url = `http://127.0.0.1:${port}`
const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'] })
const [offer] = apiRequest({ http, tokens: tokenSource(http) }).functions(
  aTool({
    method: 'POST',
    requestUrl: `${url}/orders/{id}?lang={lang}`,
    headers: { 'X-Customer': '{id}' },
    authorization: { type: 'bearer', token: 'a-token-of-some-length' },
    body: { id: '{id}', note: 'for {lang}', nested: { list: ['{id}', 1, true] } },
    config: { responseFilter: ['order.status', 'order.items[*].name'], responseVariables: { orderId: 'order.id' } },
  }),
)
const { signal } = new AbortController()

const tool = async () => {
  const outcome = await offer?.run(aRun({ id: 'A1', lang: 'pt' }), signal)
  if (!outcome?.ok) throw new Error(JSON.stringify(outcome))
}
const bare = async () => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer a-token-of-some-length' }
  const body = JSON.stringify({ id: 'A1', note: 'for pt', nested: { list: ['A1', 1, true] } })
  const answer = await fetch(`${url}/orders/A1?lang=pt`, { method: 'POST', headers, body })
  await answer.json()
}
const burst = (work: () => Promise<unknown>) => () => Promise.all(Array.from({ length: AT_ONCE }, work))

type Pair = { ours: number[]; theirs: number[] }
/** Alternates the two, so that disturbances affect both. */
async function compare(howOften: number, ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<Pair> {
  const took: Pair = { ours: [], theirs: [] }
  for (let i = 0; i < howOften; i++) {
    took.theirs.push(await timed(theirs))
    took.ours.push(await timed(ours))
  }
  return took
}

const overhead = ({ ours, theirs }: Pair): Figure => {
  const [a, b] = [median(ours), median(theirs)]
  return a === null || b === null ? null : a - b
}
const ratioOf = ({ ours, theirs }: Pair) => ratio(median(ours), median(theirs))

/** Any unexpected response stops the benchmark. */
async function add(report: Report, title: string, rounds: readonly Pair[]): Promise<void> {
  report.heading(title)
  const table = report.table(['', 'median', 'p99'])
  const row = (name: string, side: keyof Pair) =>
    table.row([name, ...[0.5, 0.99].map((share) => spread(rounds.map((pair) => percentile(pair[side], share)), ms))]) // biome-ignore format: one line
  row('api_request', 'ours')
  row('bare fetch', 'theirs')
  report.text(`api_request adds ${spread(rounds.map(overhead), ms)}: ${spread(rounds.map(ratioOf), times)} the time.`)
}

await benchmark({ name: 'tools', title: 'Tools benchmark' }, values, async (report) => {
  const repeat = async (run: () => Promise<Pair>) => {
    const all: Pair[] = []
    while (all.length < ROUNDS) all.push(await run())
    return all
  }
  report.text(`Median and range of ${ROUNDS} rounds. POST with templates, a bearer token, a filter and variables.`)
  await compare(WARM_UP, tool, bare)
  const one = await repeat(() => compare(CALLS, tool, bare))
  await add(report, `One request after another, ${CALLS} in turn with a bare fetch`, one)
  report.under(`a tool's request adds under ${AIM_MS} ms to a bare fetch`, median(one.map(overhead)), AIM_MS, ms)
  await compare(3, burst(tool), burst(bare))
  const many = await repeat(() => compare(BURSTS, burst(tool), burst(bare)))
  await add(report, `${AT_ONCE} at once, ${BURSTS} times in turn: until the last has its answer`, many)
  await http.close()
})
