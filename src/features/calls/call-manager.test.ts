// Calls of other nodes: those given to this node, and those orphaned.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { testConfig } from '../../../test/app.ts'
import { atEnd } from '../../../test/endings.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import { openDatabase } from '../../db/database.ts'
import type { ServiceContext } from '../service.ts'
import { type CallManagerParts, callManager } from './call-manager.ts'

const { database: config } = await testConfig()
const database = await openDatabase(config, () => {})
atEnd(database.close)

const node = (name: string) => ({ name, isAlive: true, isDraining: false, calls: 0, maxCalls: 10_000 })

type Parts = {
  within?: <T>(ms: number, task: Promise<T>) => Promise<T>
  calls?: object
  live?: object
  request?: () => Promise<unknown>
  shared?: boolean
  elapsedMs?: () => number
}

function manager({ shared = false, elapsedMs = monotonicMs, within = (_ms, task) => task, ...parts }: Parts) {
  const handlers = new Map<string, (body: never) => Promise<unknown>>()
  const logged: { level: number; msg: string; [field: string]: unknown }[] = []
  const context = {
    config: { calls: { perSecond: 1, maxWaiting: 10_000 } },
    db: database.db,
    nodeName: 'this',
    database: { shared, isAway: () => false, lastOutageMs: () => Number.NEGATIVE_INFINITY, within },
    log: pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) }),
    nodes: { list: async () => [node('other')], reportChanges: () => {} },
    cluster: { handle: handlers.set.bind(handlers), request: parts.request ?? (async () => {}) },
  }
  const live = { total: 0, maxCalls: 10, ids: () => [], get: () => undefined, ...parts.live }
  const own = {
    calls: { closeOrphans: async () => [], orphanedOf: async () => [], takeWaiting: async () => [], ...parts.calls },
    phone: {},
    live,
    elapsedMs,
  }
  return {
    logged,
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
  await closeOrphans() // reads the list of nodes
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
    const closeOrphans = async (_own: unknown, { ofThisNode }: { ofThisNode: boolean }) => {
      scopes.push(ofThisNode)
      return []
    }
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

test('a renewal that hangs is cut off after less than a lease and made once more at once', async () => {
  let renewals = 0
  const limits: number[] = []
  const { renewLeases } = manager({
    within: (ms, task) => {
      limits.push(ms)
      return renewals === 1 ? Promise.reject(new Error('too late')) : task
    },
    calls: {
      async renewLeases() {
        renewals++
        return []
      },
    },
    live: { ids: () => ['cal_live'] },
  })
  await renewLeases()
  assert.equal(renewals, 2)
  assert.ok(
    limits.every((ms) => ms * 2 < 10_000 - 3000),
    `${limits} ms`,
  )
})

test('calls that a node closes, and those that it has lost, are one line in the log', async () => {
  const closed = ['dead', 'dead', 'gone'].map((nodeId) => ({ nodeId }))
  const lost = manager({
    calls: {
      closeOrphans: async () => closed,
      renewLeases: async (ids: string[]) => ids,
      orphanedOf: async (ids: string[]) => ids.filter((id) => id !== 'cal_api'),
    },
    live: { ids: () => ['cal_a', 'cal_b', 'cal_api'], get: () => ({ hangUp: () => {} }) },
  })
  await lost.closeOrphans()
  await lost.renewLeases()
  assert.deepEqual(
    lost.logged.map(({ level, msg, node, calls }) => [level, msg, node, calls]),
    [
      [40, 'closed the calls of a process that ended', 'dead', 2],
      [40, 'closed the calls of a process that ended', 'gone', 1],
      [40, 'hung up calls that another node had closed: their leases had expired', undefined, 2],
    ],
  )
  const harmless = manager({
    calls: { renewLeases: async () => ['cal_api'] },
    live: { ids: () => ['cal_api'], get: () => ({ hangUp: () => {} }) },
  })
  await harmless.closeOrphans()
  await harmless.renewLeases()
  assert.deepEqual(harmless.logged, [])
})
