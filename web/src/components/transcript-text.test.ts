import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, Line } from './transcript-lines.ts'
import { fileName, transcriptText } from './transcript-text.ts'

const names = { caller: 'Caller', agent: 'Ana', system: 'System', tool: 'Tool', byOperator: 'operator' }
const line = (who: 'caller' | 'agent', text: string, seconds: number, fromMs: number | null = null): Line => ({
  kind: 'line',
  id: text,
  who,
  text,
  at: new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)).toISOString(),
  fromMs,
  toMs: null,
  isCut: false,
  waitedMs: null,
})

test('each line has its time, speaker and words; tools stand between them', () => {
  const tool: Entry = {
    kind: 'tool',
    id: 't',
    at: '2026-01-01T12:00:08.000Z',
    call: { name: 'agenda', status: 'done' },
  }
  const text = transcriptText(
    ['Browser · 1 Jan'],
    [line('agent', 'Hello', 0), line('caller', 'Two\n lines', 5), tool, line('agent', 'Bye', 10, 3_725_000)],
    names,
  )
  assert.equal(
    text,
    'Browser · 1 Jan\n\n[0:00] Ana: Hello\n[0:05] Caller: Two\n  lines\n[0:08] Tool: agenda (done)\n[1:02:05] Ana: Bye\n',
  )
  assert.equal(transcriptText(['Nothing'], [], names), 'Nothing\n\n')
})

test('what an operator had the agent say is told as theirs', () => {
  const said = { ...line('agent', 'One moment', 0), isOperator: true }
  assert.equal(transcriptText(['Call'], [said], names), 'Call\n\n[0:00] Ana (operator): One moment\n')
})

test('a file name has no character that a system refuses', () => {
  assert.equal(fileName('+55 11 98765-4321', '15 nov, 20:18'), '55-11-98765-4321-15-nov-20-18.txt')
  assert.equal(fileName('../Ação/"x"'), 'acao-x.txt')
})
