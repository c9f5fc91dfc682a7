// Tool calls without a conversation around them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../test/voice/manual-clock.ts'
import { ok, type ScriptedTool, slowTool } from '../../test/voice/scripted-tool.ts'
import { toolCalls } from './tool-calls.ts'

const asked = (id: string, args: unknown = {}) => ({ id, name: 'agenda', args })

function working(script: ScriptedTool) {
  const clock = new ManualClock()
  const log: string[] = []
  const tool = slowTool(() => clock, script)
  const work = toolCalls({
    tools: [tool],
    act: async () => ({ status: 'done' }),
    clock,
    onRunningChange: (isOut) => log.push(`${clock.now()} ${isOut ? 'out' : 'none out'}`),
    onDelayedMessage: () => log.push(`${clock.now()} due`),
    onLateResult: () => log.push(`${clock.now()} news`),
  })
  return { clock, log, tool, work }
}

test('a result is late only if no reply waits for it', async () => {
  const { clock, log, work } = working({ ms: 1000 })
  const turn = new AbortController()
  work.start(work.withUniqueId(asked('a')), [], turn.signal)
  await clock.pass(2000)
  assert.deepEqual(log, ['0 out', '1000 none out'])
  work.start(work.withUniqueId(asked('b')), [], turn.signal)
  await clock.pass(500)
  turn.abort()
  await clock.pass(1000)
  assert.deepEqual(log.slice(2), ['2000 out', '3000 none out', '3000 news'])
  assert.deepEqual(
    work.takeLate().map(({ callIds: ids }) => ids),
    [['b']],
  )
  assert.deepEqual(work.takeLate(), [])
})

test('equal arguments in another order are the same call, others are not', async () => {
  const { clock, tool, work } = working({ ms: 1000 })
  const { signal } = new AbortController()
  const begin = (id: string, args: unknown) => work.start(work.withUniqueId(asked(id, args)), [], signal)
  const first = begin('a', { day: 1, at: { h: 9, m: 30 } })
  assert.equal(begin('b', { at: { m: 30, h: 9 }, day: 1 }), first)
  assert.notEqual(begin('c', { day: 2, at: { h: 9, m: 30 } }), first)
  assert.notEqual(begin('d', 'day 1'), first)
  await clock.pass(2000)
  assert.equal(tool.runs.length, 3)
  assert.notEqual(begin('e', { day: 1, at: { h: 9, m: 30 } }), first, 'what is done can be done again')
  const known = work.withResults(['a', 'b', 'e'].map((callId) => ({ role: 'tool', content: '', callId })))
  assert.deepEqual(
    known.map(({ content }) => content.slice(0, 8)),
    ['às nove', 'às nove', 'Still ru'],
  )
})

test('a delayed message is spoken once, also shortly before it is due; after that its timer reports nothing', async () => {
  const delayed = [
    { text: 'Um.', atMs: 2000 },
    { text: 'Dois.', atMs: 5000 },
    { text: 'Para o modelo.', atMs: 5500, role: 'system' as const },
  ]
  const { clock, log, work } = working({ ms: 6000, delayed })
  work.start(work.withUniqueId(asked('a')), [], new AbortController().signal)
  await clock.pass(400)
  assert.equal(work.takeDelayedMessage(), null)
  await clock.pass(200)
  assert.equal(work.takeDelayedMessage(), 'Um.')
  assert.equal(work.takeDelayedMessage(), null)
  await clock.pass(4500)
  assert.deepEqual(log, ['0 out', '5000 due'])
  assert.equal(work.takeDelayedMessage(), 'Dois.')
  assert.equal(work.takeDelayedMessage(), null)
})

test('after close nothing is reported, and running tools finish', async () => {
  const { clock, log, work } = working({ ms: 3000, result: ok('x'), delayed: [{ text: 'Um.', atMs: 2000 }] })
  const run = work.start(work.withUniqueId(asked('a')), [], new AbortController().signal)
  await clock.pass(1000)
  work.close()
  await clock.pass(5000)
  assert.deepEqual(log, ['0 out'])
  assert.ok(run.outcome)
})
