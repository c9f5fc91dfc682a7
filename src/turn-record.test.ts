import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnRecord } from './turn-record.ts'

const said = (who: 'caller' | 'agent', text: string, isCut = false) => ({ type: 'said' as const, who, text, isCut })

test('what was said becomes turns, each with the time of its stages', () => {
  const record = turnRecord()
  record.add(said('agent', 'Olá.'))
  record.add(said('caller', 'Que horas abre?'))
  record.add({
    type: 'turn',
    turn: 2,
    voiceEndedAt: 1000,
    recognisedAt: 1420,
    repliedAt: 1430,
    wordAt: 1700,
    soundAt: 1820.4,
  })
  record.add(said('agent', 'Às oito', true))
  record.add(said('caller', 'E fecha?'))
  assert.deepEqual(
    record.turns.map(({ number, caller, agent, isCut }) => [number, caller, agent, isCut]),
    [
      [1, null, 'Olá.', false],
      [2, 'Que horas abre?', 'Às oito', true],
      [3, 'E fecha?', null, false],
    ],
  )
  const latency = { recognitionMs: 420, endOfTurnMs: 10, modelMs: 270, synthesisMs: 120, totalMs: 820 }
  assert.deepEqual(record.turns[1]?.latency, latency)
  assert.equal(record.turns[0]?.latency.totalMs, null)
})
