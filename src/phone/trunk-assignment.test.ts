import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeFor, trunkAssignment } from './trunk-assignment.ts'

const trunks = Array.from({ length: 1000 }, (_, i) => `user trunk-${i}`)
const assigned = (nodes: readonly string[]) => new Map(trunks.map((trunk) => [trunk, nodeFor(trunk, nodes)]))

test('trunks are spread evenly over the nodes', () => {
  const shares = Map.groupBy(assigned(['a', 'b', 'c', 'd']).values(), (node) => node)
  assert.deepEqual([...shares.keys()].sort(), ['a', 'b', 'c', 'd'])
  for (const [node, share] of shares) assert.ok(share.length > 200 && share.length < 300, `${node}: ${share.length}`)
})

test('a node that leaves or joins moves only its own share, whatever the order of the nodes', () => {
  const before = assigned(['a', 'b', 'c'])
  const after = assigned(['c', 'a'])
  for (const [trunk, node] of before) if (node !== 'b') assert.equal(after.get(trunk), node)
  assert.ok([...before].some(([trunk, node]) => node === 'b' && after.get(trunk) === 'a'))
  assert.ok([...before].some(([trunk, node]) => node === 'b' && after.get(trunk) === 'c'))
  assert.equal(nodeFor('user trunk', []), undefined)
})

test('the assignment follows the set of nodes', () => {
  const assignment = trunkAssignment()
  assert.equal(assignment.nodeOf('t'), undefined)
  assignment.setNodes(['a'])
  assert.equal(assignment.nodeOf('t'), 'a')
  assignment.setNodes(['b', 'b'])
  assert.equal(assignment.nodeOf('t'), 'b')
  const [moved] = trunks.filter((trunk) => nodeFor(trunk, ['a', 'b']) === 'a')
  assert.equal(assignment.nodeOf(moved as string), 'b')
  assignment.setNodes(['b', 'a'])
  assert.equal(assignment.nodeOf(moved as string), 'a')
  assignment.keepOnly(new Map())
  assert.equal(assignment.nodeOf(moved as string), 'a')
})
