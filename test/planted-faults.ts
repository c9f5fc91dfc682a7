// A platform in which a test plants faults: its calls, and which faults it has contained.

import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { agentOnService, answeredCall, databaseOfRun, NUMBER, startPhoneService } from './phone-service.ts'
import { type CallMade, openByHand } from './phones/by-hand.ts'
import { ask } from './service.ts'
import { until } from './until.ts'

const child = join(import.meta.dirname, 'planted-faults-child.ts')

export const startPlanted = async () =>
  startPhoneService({ EMBEDDED_VOICE: 'off', ...(await databaseOfRun()) }, undefined, child)

type Row = { id: string; status: string; channel: string }

/** A platform with this many active calls. */
export async function callsUp(t: TestContext, count: number) {
  const service = await startPlanted()
  const carrier = await openByHand(t)
  const { agentId } = await agentOnService(service, { host: '127.0.0.1', port: carrier.port }, NUMBER)
  const calls: CallMade[] = []
  while (calls.length < count) calls.push(await answeredCall(carrier, service.sipPort))
  const inProgress = async () =>
    ((await service.get('/api/calls')) as Row[]).filter(({ status }) => status === 'in_progress')
  await until('all agents speak', async () => (await inProgress()).length === count)
  return { service, carrier, agentId, calls, inProgress }
}

export const containedOf = ({ output }: { output(): string }) =>
  output()
    .split('\n')
    .filter((line) => line.includes('"fault contained"'))
    .map((line) => JSON.parse(line) as { owner: string; id: string; err: { message: string } })

export async function counted(url: string): Promise<Record<string, number>> {
  const { text } = await ask(`${url}/metrics`, undefined, 'GET')
  const values = text.matchAll(/^ramal_contained_faults_total\{owner="(\w+)"\} (\d+)/gm)
  return Object.fromEntries([...values].map(([, owner, value]) => [owner, Number(value)]))
}
