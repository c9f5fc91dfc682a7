// The cost of a tool call beside a bare fetch of the same server: one after another, and a hundred at once. Both
// alternate in one run.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { apiRequest } from '../../src/tools/api-request.ts'
import { guardedHttp } from '../../src/tools/http/guarded-http.ts'
import { tokenSource } from '../../src/tools/http/oauth.ts'
import { aRun, aTool } from '../../test/tool-runs.ts'

const WARM_UP = 300
const ROUNDS = 2000
const BURSTS = 40
const AT_ONCE = 100
const AIM_MS = 2

const print = (line: string) => process.stdout.write(`${line}\n`)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
const ms = (value: number) => `${value.toFixed(3)} ms`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const server = fork(join(import.meta.dirname, 'server.ts'))
const [port] = (await once(server, 'message')) as [number]
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

/** Alternating, so that disturbances affect both. */
async function compare(rounds: number, ours: () => Promise<unknown>, theirs: () => Promise<unknown>) {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
  for (let i = 0; i < rounds; i++) {
    times.theirs.push(await timed(theirs))
    times.ours.push(await timed(ours))
  }
  return times
}

await compare(WARM_UP, tool, bare)
const one = await compare(ROUNDS, tool, bare)
const overheadMs = median(one.ours) - median(one.theirs)
print(`one api_request, ${ROUNDS} times in turn with a bare fetch (POST, templates, bearer, filter, variables)`)
print(`  api_request  median ${ms(median(one.ours))}  p99 ${ms(p99(one.ours))}`)
print(`  bare fetch   median ${ms(median(one.theirs))}  p99 ${ms(p99(one.theirs))}`)
print(
  `  overhead     ${ms(overheadMs)} (aim: under ${AIM_MS} ms), ${(median(one.ours) / median(one.theirs)).toFixed(2)} times`,
)

await compare(3, burst(tool), burst(bare))
const many = await compare(BURSTS, burst(tool), burst(bare))
print(`${AT_ONCE} at once, ${BURSTS} times in turn: until the last has its answer`)
print(`  api_request  median ${ms(median(many.ours))}  p99 ${ms(p99(many.ours))}`)
print(`  bare fetch   median ${ms(median(many.theirs))}  p99 ${ms(p99(many.theirs))}`)
print(`  ratio        ${(median(many.ours) / median(many.theirs)).toFixed(2)} times`)

await http.close()
server.disconnect()
process.exitCode = overheadMs < AIM_MS ? 0 : 1
