// Transcript lines and their positions in the recording.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message, ToolCall, Turn } from '../../../client/paths.ts'
import { lineAt, linesOf, spokenWords, withPending, withTools } from './transcript-lines.ts'

const START = Date.UTC(2026, 0, 2, 12, 0, 0)
const at = (ms: number) => new Date(START + ms).toISOString()
const message = (id: string, type: Message['type'], content: string, ms: number): Message => ({
  id,
  type,
  content,
  timestamp: at(ms),
})
const turn = (number: number, given: Partial<Turn>, totalMs: number | null = null): Turn => ({
  number,
  at: at(0),
  caller: null,
  agent: null,
  isCut: false,
  callerFromMs: null,
  callerToMs: null,
  agentFromMs: null,
  agentToMs: null,
  ...given,
  latency: {
    vadMs: null,
    recognitionMs: null,
    endOfTurnMs: null,
    modelMs: null,
    toolMs: null,
    synthesisMs: null,
    pacingMs: null,
    totalMs,
  },
})

const turns = [
  turn(1, { agent: 'Hello!', agentFromMs: 500, agentToMs: 1200 }),
  turn(
    2,
    {
      caller: 'Are you open?',
      callerFromMs: 2000,
      callerToMs: 3000,
      agent: 'Yes, until six.',
      agentFromMs: 3800,
      agentToMs: 5200,
      isCut: true,
    },
    800,
  ),
]
const messages = [
  message('a', 'agent', 'Hello!', 500),
  message('b', 'user', 'Are you  open?', 2000),
  message('c', 'agent', 'Yes, until six.', 3800),
]

test('a message gets position, interruption and response time from its turn', () => {
  const lines = linesOf(messages, turns)
  assert.deepEqual(
    lines.map(({ id, who, fromMs, toMs, isCut, waitedMs }) => [id, who, fromMs, toMs, isCut, waitedMs]),
    [
      ['a', 'agent', 500, 1200, false, null],
      ['b', 'caller', 2000, 3000, false, null],
      ['c', 'agent', 3800, 5200, true, 800],
    ],
  )
})

test('the words of an operator are marked, with and without a turn', () => {
  const said = messages.map((one) => (one.id === 'b' ? one : { ...one, author: 'operator' as const }))
  for (const given of [turns, []])
    assert.deepEqual(
      linesOf(said, given).map(({ isOperator = false }) => isOperator),
      [true, false, true],
    )
})

test('repeated texts match their own turns', () => {
  const twice = [
    turn(1, { caller: 'Yes', callerFromMs: 100, callerToMs: 200 }),
    turn(2, { caller: 'Yes', callerFromMs: 900, callerToMs: 950 }),
  ]
  const lines = linesOf([message('a', 'user', 'Yes', 100), message('b', 'user', 'Yes', 900)], twice)
  assert.deepEqual(
    lines.map(({ fromMs }) => fromMs),
    [100, 900],
  )
})

test('a turn without a message is skipped', () => {
  const more = [turn(1, { agent: 'Lost', agentFromMs: 1 }), ...turns]
  assert.equal(linesOf(messages, more)[0]?.fromMs, 500)
})

test('a message without a turn is positioned by time, clamped to the start', () => {
  const odd = [message('x', 'system', 'Note', -9000), ...messages, message('z', 'system', 'The end', 6000)]
  const lines = linesOf(odd, turns)
  assert.equal(lines.at(-1)?.fromMs, 6000)
  assert.equal(lines[0]?.fromMs, 0)
})

test('without turns, no line has a position', () => {
  assert.ok(linesOf(messages, []).every(({ fromMs }) => fromMs === null))
})

test('tool calls are inserted by time', () => {
  const call = { id: 'tc', startedAt: at(3100), name: 'hours', status: 'done' } as ToolCall
  const order = withTools(linesOf(messages, turns), [call]).map(({ id }) => id)
  assert.deepEqual(order, ['a', 'b', 'tc', 'c'])
})

test('finds the line at a playback position', () => {
  const entries = linesOf(messages, turns)
  const heard = [0, 600, 1500, 1700, 2500, 3900, 9000].map((ms) => lineAt(entries, ms))
  assert.deepEqual(heard, [null, 'a', 'a', null, 'b', 'c', null])
})

test('a pending message and reply appear once, also when events deliver them or the same text is sent again', () => {
  const message = (n: number, type: 'user' | 'agent', content: string) =>
    ({ id: `m${n}`, type, content, timestamp: `2026-11-15T10:00:0${n}.000Z` }) as const
  const seen = (messages: ReturnType<typeof message>[], pending: { text: string; answer: string } | null) => {
    const { entries, answering } = withPending(messages, [], pending)
    return [entries.map((entry) => (entry.kind === 'line' ? entry.text : '')), answering]
  }
  const [asked, told] = [message(1, 'user', 'Open?'), message(2, 'agent', 'Yes.')]
  assert.deepEqual(seen([], { text: 'Open?', answer: 'Y' }), [['Open?'], 'Y'])
  assert.deepEqual(seen([asked], { text: 'Open?', answer: 'Ye' }), [['Open?'], 'Ye'])
  assert.deepEqual(seen([asked, told], { text: 'Open?', answer: 'Yes.' }), [['Open?', 'Yes.'], null])
  assert.deepEqual(seen([asked, told], null), [['Open?', 'Yes.'], null])
  assert.deepEqual(seen([asked, told], { text: 'Open?', answer: '' }), [['Open?', 'Yes.', 'Open?'], ''])
})

test('the words of a spoken sentence appear one by one, those before it at once', () => {
  const line = { text: 'Bom dia. Em que posso ajudar?', startsAt: 9, durationMs: 2000, at: 1000 }
  assert.equal(spokenWords(line, 1000), 'Bom dia. Em')
  assert.equal(spokenWords(line, 2000), 'Bom dia. Em que posso')
  assert.equal(spokenWords(line, 3000), line.text)
  assert.equal(spokenWords({ text: 'Quero marcar', at: 1000 }, 1000), 'Quero marcar')
})
