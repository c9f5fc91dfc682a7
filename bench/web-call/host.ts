// The process under test: the platform with an agent that plays an endless tone, listens and records. It stalls on
// request and reports its event-loop delay.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { anAgent, startTestApp } from '../../test/app.ts'
import { toneAgent } from '../../test/phone/talks.ts'
import { addressOf } from '../../test/web-caller.ts'

export type HostIs = { address: string; key: string; agentId: string }
export type ToHost = { do: 'stall'; ms: number } | { do: 'watch' } | { do: 'report' }
/** Event-loop delay since `watch`, in milliseconds. */
export type LoopDelay = { p50: number; p99: number; max: number }

const app = await startTestApp({ MAX_CALLS: '2000', MAX_CALLS_PER_USER: '2000' }, { converse: toneAgent().converse })
const { id: agentId } = (await app.ana.post('/api/agents', anAgent)).json
const delay = monitorEventLoopDelay({ resolution: 1 })

function stall(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

function report(): void {
  delay.disable()
  const [p50 = 0, p99 = 0, max = 0] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) => ns / 1e6)
  process.send?.({ p50, p99, max } satisfies LoopDelay)
}

process.on('disconnect', () => process.exit(0))
process.on('message', (order: ToHost) => {
  if (order.do === 'stall') stall(order.ms)
  else if (order.do === 'report') report()
  else {
    delay.reset()
    delay.enable()
  }
})
process.send?.({ address: await addressOf(app), key: app.ana.key, agentId } satisfies HostIs)
