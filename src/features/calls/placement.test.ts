// Which node gets an outbound call, given the room that the nodes report.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../base/process/log.ts'
import type { Node } from '../../db/nodes.ts'
import type { CallRow } from '../../db/tables.ts'
import { callPlacement } from './placement.ts'

const aNode = (name: string, calls: number, more: Partial<Node> = {}): Node => ({
  name,
  calls,
  maxCalls: 100,
  processId: 'p',
  address: null,
  release: '1',
  schema: 's',
  busy: 0,
  isDraining: false,
  isAlive: true,
  startedAt: '',
  leaseUntil: '',
  ...more,
})
const aCall = (id: string, attemptId: string | null = null) => ({ id, attemptId }) as CallRow

async function placed(own: { calls: number; hasPhone?: boolean }, nodes: Node[]) {
  const given: string[] = []
  const woken: string[] = []
  const placement = callPlacement({
    nodeName: 'own',
    hasPhone: own.hasPhone ?? true,
    live: { total: own.calls, maxCalls: 100 },
    log: createLog('silent'),
    list: async () => [aNode('own', own.calls), ...nodes],
    wake: (node) => void woken.push(node),
    calls: { give: async (id, node) => id !== 'gone' && given.push(node) > 0 },
  })
  await placement.refresh()
  return { placement, given, woken }
}

test('a node keeps its calls while it has about as much room as the others', async () => {
  for (const others of [[], [aNode('b', 15)], [aNode('b', 60)]]) {
    const { placement, given } = await placed({ calls: 20 }, others)
    assert.equal(await placement.place(aCall('c'), false), false)
    assert.deepEqual(given, [])
  }
})

test('a full node, one without a phone and a draining one give calls to the emptiest node that takes them', async () => {
  const nodes = [
    aNode('b', 50),
    aNode('c', 40),
    aNode('draining', 0, { isDraining: true }),
    aNode('dead', 0, { isAlive: false }),
    aNode('phone off', 0, { maxCalls: null }),
    aNode('full', 5, { maxCalls: 5 }),
  ]
  for (const [own, isLeaving] of [
    [{ calls: 100 }, false],
    [{ calls: 0, hasPhone: false }, false],
    [{ calls: 0 }, true],
  ] as const) {
    const { placement, given, woken } = await placed(own, nodes)
    assert.equal(placement.hasRoom(), true)
    assert.equal(await placement.place(aCall('x'), isLeaving), true)
    assert.deepEqual([given, woken], [['c'], ['c']])
  }
})

test('calls given since the last report count: many at once are spread', async () => {
  const { placement, given } = await placed({ calls: 100 }, [aNode('b', 90), aNode('c', 92)])
  let kept = 0
  for (let i = 0; i < 20; i++) if (!(await placement.place(aCall(`${i}`), false))) kept++
  assert.equal(given.filter((name) => name === 'b').length, 10)
  assert.equal(given.filter((name) => name === 'c').length, 8)
  assert.equal(kept, 2, 'when all are full it waits here')
  assert.equal(placement.hasRoom(), false)
})

test('campaign calls, and calls that ended meanwhile, are not given away', async () => {
  const { placement } = await placed({ calls: 100 }, [aNode('b', 0)])
  assert.equal(await placement.place(aCall('c', 'att'), true), false)
  assert.equal(await placement.place(aCall('gone'), true), false)
})
