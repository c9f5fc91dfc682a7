// Latency of GET /api/agents at a fixed rate. An open loop: a request that waits does not keep the next from being sent.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from './platform.ts'

export type Latency = { p50Ms: number; p99Ms: number; maxMs: number; requests: number }

const EVERY_MS = 20

export async function measureApi({ url, key }: Pick<Platform, 'url' | 'key'>, seconds: number): Promise<Latency> {
  const took: number[] = []
  const asked: Promise<void>[] = []
  const startedAt = performance.now()
  for (let i = 0; performance.now() - startedAt < seconds * 1000; i++) {
    asked.push(
      (async () => {
        const sentAt = performance.now()
        const answer = await fetch(`${url}/api/agents`, { headers: { 'x-api-key': key } })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`GET /api/agents: ${answer.status}`)
        took.push(performance.now() - sentAt)
      })(),
    )
    await sleep(Math.max(0, startedAt + (i + 1) * EVERY_MS - performance.now()))
  }
  await Promise.all(asked)
  return { p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99), maxMs: Math.max(...took), requests: took.length }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
