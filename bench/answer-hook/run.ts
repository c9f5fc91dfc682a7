// What an answer hook adds to the set-up of a call: INVITE to 200 of real SIP calls, without a hook and with one that is quick, slow or dead.
//
//   npm run bench:answer-hook -- [--calls 60] [--at-once 6]
import type { TestContext } from 'node:test'
import { parseArgs } from 'node:util'
import type { Converse } from '../../src/phone/ports.ts'
import { hookedNumber } from '../../test/phone/answer-hook.ts'
import { startPhoneApp } from '../../test/phone-app.ts'
import { sendJson, type WebHandler } from '../../test/web-server.ts'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '60' }, 'at-once': { type: 'string', default: '6' } },
})
const CALLS = Number(values.calls)
const AT_ONCE = Number(values['at-once'])
const SLOW_MS = 300
const TIMEOUT_MS = 2000

const print = (line: string) => process.stdout.write(`${line}\n`)
const percentile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN

const hearOut: Converse = async (_call, transport) => {
  for await (const _ of transport.input);
  return { endReason: 'caller_hangup' }
}

const endings: (() => unknown)[] = []
const context = { after: (ending: () => unknown) => endings.push(ending) } as unknown as TestContext
const app = await startPhoneApp({ ALLOWED_NETWORKS: '127.0.0.0/8', MAX_CALLS: '1000' }, { converse: hearOut })

const good: WebHandler = (_, response) => sendJson(response, { variables: { nome: 'Ana' }, context: 'VIP' })
const cases: [name: string, handle: WebHandler | null][] = [
  ['no hook', null],
  ['quick', good],
  [`slow (${SLOW_MS} ms)`, (asked, response) => void setTimeout(() => good(asked, response), SLOW_MS)],
  ['dead (breaker)', () => {}],
]

print(`${CALLS} calls, ${AT_ONCE} at once; time from INVITE to 200, time-out of the hook ${TIMEOUT_MS} ms`)
print('| hook | p50 ms | p95 ms | max ms | answered | requests |')
print('|---|---:|---:|---:|---:|---:|')
for (const [name, handle] of cases) {
  const hooked = await hookedNumber(context, app, handle ?? good, { hook: { timeoutMs: TIMEOUT_MS } })
  if (!handle) await hooked.client.delete(hooked.hookUrl)
  const times: number[] = []
  let refused = 0
  /** One caller after another on each of the lines. */
  const line = async () => {
    for (let i = 0; i < CALLS / AT_ONCE; i++) {
      const startedAt = performance.now()
      const call = await hooked.call()
      const { status } = await call.final()
      if (status !== 200) refused++
      else {
        times.push(performance.now() - startedAt)
        call.ack()
        await call.bye()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, line))
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(0))
  const count = refused > 0 ? `${times.length} (${refused} refused by load)` : `${times.length}`
  print(`| ${name} | ${p50} | ${p95} | ${max} | ${count} | ${hooked.server.asked.length} |`)
}
await app.app.close()
for (const ending of endings.toReversed()) await ending()
process.exit()
