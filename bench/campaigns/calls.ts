// A running campaign next to API traffic and inbound calls: attempts per second as counted by the callees.
import { setTimeout as sleep } from 'node:timers/promises'
import { openSipCaller } from '../outage/sip-calls.ts'
import { type Figure, largest, percentile } from '../report/figures.ts'
import { type Latency, measureApi } from './api-latency.ts'
import type { Behavior } from './endpoints.ts'
import { type Callees, NUMBER, type Platform } from './platform.ts'

export type LoadRow = {
  name: string
  wantedPerSecond: number
  /** INVITEs per second at the callees, in the middle of the run. */
  perSecond: Figure
  attempts: number
  answered: number
  repeatedNumbers: number
  api: Latency
}

export type Load = { name: string; perSecond: number; behavior: Behavior; maxConcurrentCalls: number }

const WARM_UP_MS = 2000
/**
 * The governor pauses a campaign after 200 unanswered attempts, so the load is divided among several campaigns of one
 * user.
 */
const GOVERNED = 190

export async function measureLoad(platform: Platform, callees: Callees, load: Load, seconds: number): Promise<LoadRow> {
  const { name, perSecond: wanted, behavior, maxConcurrentCalls } = load
  await callees.behave(behavior)
  const contacts = Math.ceil(wanted * (seconds + WARM_UP_MS / 1000 + 5))
  const ids: string[] = []
  const campaigns = Math.ceil(contacts / GOVERNED)
  const pacing = { maxConcurrentCalls, callsPerSecond: wanted / campaigns }
  for (let i = 0; i < campaigns; i++) ids.push(await platform.campaign(Math.ceil(contacts / campaigns), pacing))
  await callees.report()
  for (const id of ids) await platform.request('POST', `/api/campaigns/${id}/start`, {})
  await sleep(WARM_UP_MS)
  await callees.report()
  const api = await measureApi(platform, seconds)
  const { invites, answered, repeatedNumbers, atMs } = await callees.report()
  // One of them may be completed already.
  for (const id of ids) await platform.request('POST', `/api/campaigns/${id}/cancel`, {}).catch(() => {})
  await quiet(platform)
  const spanSeconds = ((atMs.at(-1) ?? 0) - (atMs[0] ?? 0)) / 1000
  const perSecond = invites > 1 ? (invites - 1) / spanSeconds : null
  return { name, wantedPerSecond: wanted, perSecond, attempts: invites, answered, repeatedNumbers, api }
}

/** Waits until no call is in progress. */
async function quiet({ request }: Platform): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const live: unknown[] = await request('GET', '/api/calls?live=true&limit=1')
    if (live.length === 0) return
    await sleep(200)
  }
  throw new Error('calls of the campaign did not end')
}

export type InboundRow = {
  name: string
  p50Ms: Figure
  p95Ms: Figure
  maxMs: Figure
  calls: number
  refused: number
  campaignCalls: number
}

/**
 * Setup time (INVITE to 200) of inbound calls, one every 250 ms; `limit`: calls that a campaign holds at the same time.
 */
export async function measureInbound(
  platform: Platform,
  callees: Callees,
  { calls, limit }: { calls: number; limit: number },
): Promise<InboundRow> {
  let id: string | null = null
  if (limit > 0) {
    await callees.behave({ kind: 'answer', ringMs: 200, talkMs: 8000 })
    id = await platform.campaign(Math.ceil(limit * (4 + calls / 32)), { maxConcurrentCalls: limit, callsPerSecond: 50 })
    await platform.request('POST', `/api/campaigns/${id}/start`, {})
    await sleep(5000)
  }
  const caller = await openSipCaller(platform.inboundPort, { sipPort: platform.sipPort, number: NUMBER })
  const took: number[] = []
  let refused = 0
  let campaignCalls = 0
  for (let i = 0; i < calls; i++) {
    const sentAt = performance.now()
    await caller.call(i, 9).then(
      (call) => {
        took.push(performance.now() - sentAt)
        caller.hangUpAll()
        call.isOver = true
      },
      () => refused++,
    )
    if (id !== null && i % 10 === 0) {
      const { contacts } = await platform.request('GET', `/api/campaigns/${id}`)
      campaignCalls = Math.max(campaignCalls, contacts.calling)
    }
    await sleep(250)
  }
  if (id !== null) await platform.request('POST', `/api/campaigns/${id}/cancel`, {})
  await quiet(platform)
  caller.close()
  const [p50Ms, p95Ms] = [percentile(took, 0.5), percentile(took, 0.95)]
  const name = limit === 0 ? 'without a campaign' : `campaign at its limit of ${limit} calls`
  return { name, p50Ms, p95Ms, maxMs: largest(took), calls, refused, campaignCalls }
}
