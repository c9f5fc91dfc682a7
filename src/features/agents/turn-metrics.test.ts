import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nowMs } from '../../base/time/clock.ts'
import type { Clock } from '../../voice/ports.ts'
import { turnMetrics, wallTime } from './turn-metrics.ts'

const never = async () => {}
const spoke = (at: number, fromMs: number, toMs: number) => ({
  startedAt: at,
  endedAt: at + toMs - fromMs,
  recorded: { fromMs, toMs },
})
const said = (
  who: 'caller' | 'agent',
  text: string,
  timing: ReturnType<typeof spoke> | null = null,
  isCut = false,
) => ({
  type: 'utterance' as const,
  who,
  text,
  isCut,
  timing,
})
const times = {
  type: 'turn' as const,
  turn: 2,
  speechEndedAt: 1000,
  speechEndKnownAt: 1280,
  recognizedAt: 1420,
  repliedAt: 1430,
  firstWordAt: 2700,
  toolMs: 1000,
  synthesizedAt: 2820.4,
  sentAt: 2835,
  heardAt: 2865,
}

test('utterances become turns, each with its offset in the recording and the latency of its stages', () => {
  const record = turnMetrics()
  record.add(said('agent', 'Olá.', spoke(10, 20, 700)))
  record.add(said('caller', 'Que horas abre?', spoke(900, 910.4, 2000)))
  record.add(times)
  record.add(said('agent', 'Às oito', spoke(2865, 2875, 3100), true))
  record.add(said('caller', '12'))
  assert.deepEqual(
    record.turns.map((turn) => [turn.number, turn.caller, turn.agent, turn.isCut]),
    [
      [1, null, 'Olá.', false],
      [2, 'Que horas abre?', 'Às oito', true],
      [3, '12', null, false],
    ],
  )
  assert.deepEqual(
    record.turns.map((turn) => [turn.callerFromMs, turn.callerToMs, turn.agentFromMs, turn.agentToMs]),
    [
      [null, null, 20, 700],
      [910, 2000, 2875, 3100],
      [null, null, null, null],
    ],
    'keys have no sound',
  )
  const latency = { vadMs: 280, recognitionMs: 140, endOfTurnMs: 10, modelMs: 270, toolMs: 1000 }
  assert.deepEqual(record.turns[1]?.latency, { ...latency, synthesisMs: 150, pacingMs: 15, totalMs: 1865 })
  assert.equal(record.turns[0]?.latency.totalMs, null)
})

test('stage latencies add up to the total, even if a stage ended before the previous one', () => {
  const record = turnMetrics()
  record.add(said('caller', 'Alô?'))
  record.add({ ...times, speechEndKnownAt: 400, recognizedAt: 900, toolMs: 0 })
  const { totalMs, ...stages } = record.turns[0]?.latency ?? assert.fail()
  assert.equal(totalMs, 1865)
  assert.ok(Math.abs(Object.values(stages).reduce<number>((sum, ms) => sum + (ms ?? 0), 0) - 1865) <= 3)
  assert.deepEqual([stages.vadMs, stages.recognitionMs, stages.endOfTurnMs], [0, 0, 430])
})

test('wall time is that of the first audio, and offsets are those of the recording', () => {
  const clock = { now: () => 5000, sleep: never } satisfies Clock
  const wall = wallTime(clock)
  const before = nowMs()
  const at = Date.parse(wall(spoke(4000, 1000, 2000)))
  assert.ok(at >= before - 1000 && at <= nowMs() - 1000)
  // Reported 200 ms late; the recording has the exact time.
  assert.equal(Date.parse(wall(spoke(9200, 6000, 7000))) - at, 5000)
  assert.ok(Date.parse(wall({ startedAt: 4900, endedAt: 5000, recorded: null })) >= before - 100)
  assert.ok(Date.parse(wall(null)) >= before)
})
