import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tool } from '../../../../client/paths.ts'
import { attachedBases, detachSteps, toolFor } from './knowledge-links.ts'

const tool = (id: string, name: string, ids: string[], type = 'query') =>
  ({ id, name, type, config: { knowledgeBaseIds: ids } }) as unknown as Tool
const using = (id: string, ...agents: string[]) => ({
  id,
  name: id,
  isActive: true,
  agents: agents.map((one) => ({ id: one, name: one })),
})
const ownNames = ['search_prices']
const detach = (tools: Tool[], ...users: ReturnType<typeof using>[]) =>
  detachSteps({ baseId: 'kb1', agentId: 'a1', tools, users, ownNames })

test('an agent has the bases that its search tools name', () => {
  const tools = [tool('t1', 'x', ['kb1']), tool('t2', 'y', ['kb2', 'kb3']), tool('t3', 'z', ['kb4'], 'calendar')]
  assert.deepEqual([...attachedBases(tools)], ['kb1', 'kb2', 'kb3'])
  assert.equal(toolFor('kb1', tools)?.id, 't1')
  assert.equal(toolFor('kb2', tools), undefined)
})

test('a tool that the page made goes with its last agent; others are unlinked', () => {
  assert.deepEqual(detach([tool('t1', 'search_prices', ['kb1'])], using('t1', 'a1')), [{ do: 'delete', toolId: 't1' }])
  assert.deepEqual(detach([tool('t1', 'search_prices', ['kb1'])], using('t1', 'a1', 'a2')), [
    { do: 'unlink', toolId: 't1' },
  ])
  assert.deepEqual(detach([tool('t1', 'my own', ['kb1'])], using('t1', 'a1')), [{ do: 'unlink', toolId: 't1' }])
})

test('a tool with several bases keeps the others, and other agents keep the tool', () => {
  const both = [tool('t1', 'search_prices', ['kb1', 'kb2'])]
  assert.deepEqual(detach(both, using('t1', 'a1')), [{ do: 'narrow', toolId: 't1', baseIds: ['kb2'] }])
  assert.deepEqual(detach(both, using('t1', 'a1', 'a2')), [{ do: 'split', toolId: 't1', baseIds: ['kb2'] }])
  assert.deepEqual(detach([tool('t2', 'x', ['kb2'])], using('t1', 'a1')), [])
})
