// The transcript of a run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rehearsal } from '../../../../client/paths.ts'
import { runLines } from './run-lines.ts'

test('lines and tool calls are in the order of the call, with the wait for each answer', () => {
  const run = {
    id: 'reh_1',
    startedAt: '2026-01-01T00:00:00.000Z',
    transcript: [
      { who: 'caller', text: 'Oi', fromMs: 100, toMs: 200, isCut: false },
      { who: 'agent', text: 'Bom dia', fromMs: 900, toMs: 1500, isCut: true },
    ],
    toolCalls: [{ name: 'agenda', args: {}, atMs: 500, result: 'x', failed: true, isScripted: true }],
    turns: [{ number: 1, agent: 'Bom dia', latency: { totalMs: 700 } }],
  } as unknown as Rehearsal
  const entries = runLines(run)
  assert.deepEqual(
    entries.map(({ kind, at }) => [kind, at.slice(17)]),
    [
      ['line', '00.100Z'],
      ['tool', '00.500Z'],
      ['line', '00.900Z'],
    ],
  )
  const [, tool, line] = entries
  assert.ok(tool?.kind === 'tool' && tool.call.status === 'failed')
  assert.ok(line?.kind === 'line' && line.waitedMs === 700 && line.isCut)
})
