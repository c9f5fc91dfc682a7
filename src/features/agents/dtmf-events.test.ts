import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { Converse } from '../../phone/ports.ts'
import type { Transport } from '../../voice/ports.ts'
import { dtmfEvents } from './dtmf-events.ts'

test('digits are stored in order and reach the conversation; errors never show them', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const told: string[] = []
  const heard: string[] = []
  const converse: Converse = async (_call, transport) => {
    for await (const digit of transport.digits) heard.push(digit)
    return { endReason: 'agent_ended' }
  }
  const tell = async (callId: string, digit: string) => {
    await new Promise((wake) => setImmediate(wake))
    if (digit === '7') throw new Error('the database is away')
    told.push(`${callId} ${digit}`)
  }
  async function* digits() {
    yield* ['4', '7', '#']
  }
  const transport = { digits: digits() } as unknown as Transport
  const call = { callId: 'cal_1' } as Parameters<Converse>[0]
  const end = await dtmfEvents(converse, tell, log)(call, transport, new AbortController().signal)
  assert.deepEqual([end.endReason, heard], ['agent_ended', ['4', '7', '#']])
  while (told.length < 2) await new Promise((wake) => setImmediate(wake))
  assert.deepEqual(told, ['cal_1 4', 'cal_1 #'])
  assert.equal(lines.length, 1)
  assert.ok(!lines[0]?.includes('"7"'))
})
