// How much an answer hook adds to call setup: INVITE to 200 of real SIP calls, without a hook and with a fast, slow or
// dead one.
//
// npm run bench:answer-hook -- [--calls 60] [--at-once 6] [--rounds 3] [--short]
import type { TestContext } from 'node:test'
import { parseArgs } from 'node:util'
import type { Converse } from '../../src/phone/ports.ts'
import { hookedNumber } from '../../test/phone/answer-hook.ts'
import { startPhoneApp } from '../../test/phone-app.ts'
import { sendJson, type WebHandler } from '../../test/web-server.ts'
import { ms, percentile, spread } from '../report/figures.ts'
import { benchmark, commonOptions } from '../report/report.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    calls: { type: 'string' },
    'at-once': { type: 'string', default: '6' },
    rounds: { type: 'string' },
  },
})
const CALLS = Number(values.calls ?? (values.short ? 24 : 60))
const ROUNDS = Number(values.rounds ?? (values.short ? 1 : 3))
const AT_ONCE = Number(values['at-once'])
const SLOW_MS = 300
const TIMEOUT_MS = 2000

const hearOut: Converse = async (_call, transport) => {
  for await (const _ of transport.input);
  return { endReason: 'caller_hangup' }
}

const endings: (() => unknown)[] = []
const context = { after: (ending: () => unknown) => endings.push(ending) } as unknown as TestContext

const good: WebHandler = (_, response) => sendJson(response, { variables: { nome: 'Ana' }, context: 'VIP' })
const cases: [name: string, handle: WebHandler | null][] = [
  ['no hook', null],
  ['quick', good],
  [`slow (${SLOW_MS} ms)`, (asked, response) => void setTimeout(() => good(asked, response), SLOW_MS)],
  ['dead (breaker)', () => {}],
]

type App = Awaited<ReturnType<typeof startPhoneApp>>
type Round = { tookMs: number[]; refused: number; requests: number }

async function round(app: App, handle: WebHandler | null): Promise<Round> {
  const hooked = await hookedNumber(context, app, handle ?? good, { hook: { timeoutMs: TIMEOUT_MS } })
  if (!handle) await hooked.client.delete(hooked.hookUrl)
  const tookMs: number[] = []
  let refused = 0
  /** Each line places its calls one after another. */
  const line = async () => {
    for (let i = 0; i < CALLS / AT_ONCE; i++) {
      const startedAt = performance.now()
      const call = await hooked.call()
      const { status } = await call.final()
      if (status !== 200) refused++
      else {
        tookMs.push(performance.now() - startedAt)
        call.ack()
        await call.bye()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, line))
  return { tookMs, refused, requests: hooked.server.asked.length }
}

await benchmark({ name: 'answer-hook', title: 'Answer-hook benchmark' }, values, async (report) => {
  const app = await startPhoneApp({ ALLOWED_NETWORKS: '127.0.0.0/8', MAX_CALLS: '1000' }, { converse: hearOut })
  report.text(
    `INVITE to 200, ${CALLS} calls in each of ${ROUNDS} rounds, ${AT_ONCE} at once; time-out of the hook ${TIMEOUT_MS} ms. Median and range of the rounds.`,
  )
  const table = report.table(['hook', 'p50', 'p95', 'longest', 'answered', 'refused', 'requests to the hook'])
  for (const [name, handle] of cases) {
    const rounds: Round[] = []
    while (rounds.length < ROUNDS) rounds.push(await round(app, handle))
    const sum = (of: (one: Round) => number) => rounds.reduce((total, one) => total + of(one), 0)
    const times = [0.5, 0.95, 1].map((share) => spread(rounds.map(({ tookMs }) => percentile(tookMs, share)), ms)) // biome-ignore format: one line
    table.row([name, ...times, sum((one) => one.tookMs.length), sum((one) => one.refused), sum((one) => one.requests)])
  }
  await app.app.close()
  for (const ending of endings.toReversed()) await ending()
})
