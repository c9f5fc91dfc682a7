// Calls of other nodes: those that they give, and those that they left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { testConfig } from '../../../test/app.ts'
import { atEnd } from '../../../test/endings.ts'
import { monotonicMs } from '../../base/clock.ts'
import { openDatabase } from '../../db/database.ts'
import type { ServiceContext } from '../service.ts'
import { type CallManagerParts, callManager } from './call-manager.ts'

const { database: config } = await testConfig()
const database = await openDatabase(config, () => {})
atEnd(database.close)

const node = (name: string) => ({ name, isAlive: true, isDraining: false, calls: 0, maxCalls: 10_000 })

type Parts = {
  calls?: object
  live?: object
  request?: () => Promise<unknown>
  shared?: boolean
  elapsedMs?: () => number
}

function manager({ shared = false, elapsedMs = monotonicMs, ...parts }: Parts) {
  const handlers = new Map<string, (body: never) => Promise<unknown>>()
  const context = {
    ...{ config: { calls: { perSecond: 1, maxWaiting: 10_000 } }, db: database.db, database: { shared } },
    ...{ isDatabaseUp: async () => true, log: pino({ level: 'silent' }), nodeName: 'this' },
    nodes: { list: async () => [node('other')] },
    cluster: { handle: handlers.set.bind(handlers), request: parts.request ?? (async () => {}) },
  }
  const live = { total: 0, maxCalls: 10, ids: () => [], get: () => undefined, ...parts.live }
  const own = {
    calls: { closeOrphans: async () => [], takeWaiting: async () => [], ...parts.calls },
    phone: {},
    live,
    elapsedMs,
  }
  return {
    ...callManager(context as unknown as ServiceContext, own as unknown as CallManagerParts),
    wake: () => handlers.get('calls-wait')?.({} as never),
  }
}

test('a node that is told of many calls looks for them once at a time', async () => {
  let [looks, now, most] = [0, 0, 0]
  const takeWaiting = async () => {
    looks++
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
    return []
  }
  const { wake } = manager({ calls: { takeWaiting } })
  await Promise.all(Array.from({ length: 100 }, wake))
  assert.deepEqual([looks, most], [2, 1], 'the last to tell is not missed')
})

test('a node that gives many calls away tells the other one once at a time', async () => {
  let [told, now, most] = [0, 0, 0]
  const request = async () => {
    told++
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
  }
  const given: string[] = []
  const { queue, closeOrphans, drain } = manager({
    request,
    calls: { give: async (id: string) => given.push(id) > 0 },
  })
  await closeOrphans() // reads which nodes there are
  for (let i = 0; i < 50; i++) await queue.add('usr', async () => ({ id: `cal_${i}`, userId: 'usr' }) as never)
  drain()
  while (given.length < 50) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(most, 1)
  assert.ok(told > 0 && told < 50, `${told} times`)
  queue.close()
})

test('a node that starts leaves the calls of other nodes alone for the time of a lease', async () => {
  async function scopesOf(shared: boolean): Promise<boolean[]> {
    let elapsedMs = 5000
    const scopes: boolean[] = []
    const closeOrphans = async (_own: unknown, { ofThisNode }: { ofThisNode: boolean }) => void scopes.push(ofThisNode)
    const work = manager({ shared, elapsedMs: () => elapsedMs, calls: { closeOrphans } }).closeOrphans
    for (; elapsedMs <= 15_000; elapsedMs += 2000) await work()
    return scopes
  }
  assert.deepEqual(await scopesOf(true), [true, true, true, true, true, false])
  assert.ok(!(await scopesOf(false)).includes(true), 'SQLite has no other nodes')
})

test('the leases of running and waiting calls are renewed; a call that another process ended is hung up', async () => {
  const renewed: string[][] = []
  const hungUp: string[] = []
  const { queue, renewLeases } = manager({
    calls: {
      async renewLeases(ids: string[]) {
        renewed.push(ids.toSorted())
        return ['cal_lost']
      },
    },
    live: {
      ids: () => ['cal_live', 'cal_lost'],
      get: (id: string) => ({ hangUp: (by: string) => hungUp.push(`${id} by ${by}`) }),
    },
  })
  for (const id of ['cal_a', 'cal_b', 'cal_c']) await queue.add('usr', async () => ({ id, userId: 'usr' }) as never)
  const waiting = [...queue.waiting()]
  assert.ok(waiting.length > 0)
  await renewLeases()
  assert.deepEqual(renewed, [['cal_live', 'cal_lost', ...waiting].toSorted()])
  assert.deepEqual(hungUp, ['cal_lost by api'])
  queue.close()
})
