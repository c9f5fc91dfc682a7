// Latency of GET /api/agents at a fixed rate. Open loop: a pending request does not delay the next one.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, largest, percentile } from '../report/figures.ts'
import type { Platform } from './platform.ts'

export type Latency = { p50Ms: Figure; p99Ms: Figure; maxMs: Figure; requests: number; failed: number }

const EVERY_MS = 20

export async function measureApi({ url, key }: Pick<Platform, 'url' | 'key'>, seconds: number): Promise<Latency> {
  const took: number[] = []
  let failed = 0
  const asked: Promise<void>[] = []
  const startedAt = performance.now()
  for (let i = 0; performance.now() - startedAt < seconds * 1000; i++) {
    asked.push(
      (async () => {
        const sentAt = performance.now()
        const answer = await fetch(`${url}/api/agents`, { headers: { 'x-api-key': key } })
        await answer.arrayBuffer()
        if (answer.ok) took.push(performance.now() - sentAt)
        else failed++
      })().catch(() => {
        failed++
      }),
    )
    await sleep(Math.max(0, startedAt + (i + 1) * EVERY_MS - performance.now()))
  }
  await Promise.all(asked)
  const at = (share: number) => percentile(took, share)
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: largest(took), requests: took.length + failed, failed }
}
