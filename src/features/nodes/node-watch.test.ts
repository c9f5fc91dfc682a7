// What a node logs and counts about the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Node } from '../../db/nodes.ts'
import { nodeWatch } from './node-watch.ts'

const node = (name: string, more: Partial<Node> = {}) =>
  ({ name, isAlive: true, isDraining: false, leaseUntil: '2030-01-01T00:00:10.000Z', ...more }) as Node

test('a node that dies is one line in the log, and one more when it is back; one that was stopped is none', () => {
  const logged: unknown[] = []
  const watch = nodeWatch(pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }))
  const round = (...nodes: Node[]) => {
    watch.saw(nodes)
    watch.report()
  }
  const told = () =>
    logged.splice(0).map((line) => [(line as Node & { node: string }).node, (line as { level: number }).level])
  const dead = node('two', { isAlive: false })
  round(node('one'), node('two'), node('three', { isDraining: true }), node('old', { isAlive: false }))
  assert.deepEqual(told(), [], 'nothing has changed since this node has looked')
  assert.deepEqual(watch.counts(), { up: 2, draining: 1, down: 1 })
  round(node('one'), dead)
  round(node('one'), dead)
  assert.deepEqual(told(), [['two', 40]])
  round(node('one'), node('two'))
  round(node('one'), node('two'))
  assert.deepEqual(told(), [['two', 30]])
  round(node('one'))
  round(node('one'), node('two'))
  assert.deepEqual(told(), [])
})
