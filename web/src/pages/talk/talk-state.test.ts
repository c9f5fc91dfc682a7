// Web call state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Turn } from '../../../../client/paths.ts'
import { type CallEvent, initialTalk, type TalkState, talkReducer } from './talk-state.ts'

const NOW = Date.UTC(2026, 0, 2)
const at = new Date(NOW).toISOString()
const after = (events: CallEvent[], from: TalkState = talkReducer(initialTalk, { do: 'call' })) =>
  events.reduce((state, event) => talkReducer(state, { do: 'hear', event, now: NOW }), from)

const started: CallEvent = { type: 'started', callId: 'cal_1', conversationId: 'cnv_1' }
const turn = (number: number, agent: string, totalMs: number): Turn => ({
  number,
  at,
  caller: 'Hi',
  agent,
  isCut: true,
  callerFromMs: null,
  callerToMs: null,
  agentFromMs: null,
  agentToMs: null,
  latency: {
    vadMs: 1,
    recognitionMs: 2,
    endOfTurnMs: 3,
    modelMs: 4,
    toolMs: 0,
    synthesisMs: 5,
    pacingMs: 6,
    totalMs,
  },
})

test('a call connects, is active and ends', () => {
  const talking = after([started])
  assert.equal(talking.phase, 'talking')
  assert.equal(talking.startedAt, NOW)
  const ended = after([{ type: 'ended', endReason: 'agent_ended' }], talking)
  assert.deepEqual([ended.phase, ended.endReason, ended.callId], ['ended', 'agent_ended', 'cal_1'])
})

test('lines are in order, and a reply gets its response time', () => {
  const { entries, turns } = after([
    started,
    { type: 'said', who: 'caller', text: 'Hi', at },
    { type: 'said', who: 'agent', text: 'Hello there', at },
    { type: 'turn', turn: turn(1, 'Hello there', 812) },
  ])
  assert.equal(turns.length, 1)
  assert.deepEqual(
    entries.map((entry) => entry.kind === 'line' && [entry.who, entry.text, entry.waitedMs, entry.isCut]),
    [
      ['caller', 'Hi', null, false],
      ['agent', 'Hello there', 812, true],
    ],
  )
})

test('lines have their time in the call; a turn sets it to the position in the recording', () => {
  const hear = (state: TalkState, event: CallEvent, now: number) => talkReducer(state, { do: 'hear', event, now })
  const connected = hear(talkReducer(initialTalk, { do: 'call' }), started, NOW)
  const asked = hear(connected, { type: 'said', who: 'caller', text: 'Hi', at }, NOW + 12_000)
  const answered = hear(asked, { type: 'said', who: 'agent', text: 'Hello', at }, NOW + 15_000)
  const times = ({ entries }: TalkState) => entries.map((entry) => entry.kind === 'line' && entry.fromMs)
  assert.deepEqual(times(answered), [12_000, 15_000])
  const placed = { ...turn(2, 'Hello', 812), callerFromMs: 10_500, agentFromMs: 12_400 }
  assert.deepEqual(times(hear(answered, { type: 'turn', turn: placed }, NOW + 16_000)), [10_500, 12_400])
})

test('a repeated turn replaces the earlier one', () => {
  const { turns } = after([
    started,
    { type: 'turn', turn: turn(1, 'a', 100) },
    { type: 'turn', turn: turn(2, 'b', 200) },
    { type: 'turn', turn: turn(1, 'a', 150) },
  ])
  assert.deepEqual(
    turns.map(({ number, latency }) => [number, latency.totalMs]),
    [
      [1, 150],
      [2, 200],
    ],
  )
})

test('a tool call is one line from start to end; two calls are two lines', () => {
  const tool = (status: 'running' | 'done' | 'failed'): CallEvent => ({ type: 'tool', name: 'lookup', status })
  const { entries } = after([started, tool('running'), tool('running'), tool('failed'), tool('done')])
  assert.deepEqual(
    entries.map((entry) => entry.kind === 'tool' && entry.call.status),
    ['failed', 'done'],
  )
})

test('a failed call stays failed', () => {
  const failed = talkReducer(after([started]), { do: 'fail', problem: 'No microphone', now: NOW })
  assert.equal(failed.phase, 'failed')
  assert.equal(after([{ type: 'ended', endReason: 'caller_hangup' }], failed).phase, 'failed')
  assert.equal(talkReducer(failed, { do: 'leave', now: NOW }).problem, 'No microphone')
})

test('only a caller who hung up themselves is told so', () => {
  const left = talkReducer(after([started]), { do: 'leave', now: NOW })
  assert.deepEqual([left.phase, left.endReason], ['ended', 'caller_hangup'])
  const cut = after([started, { type: 'ended', endReason: 'canceled_by_api' }])
  assert.equal(talkReducer(cut, { do: 'leave', now: NOW }).endReason, 'canceled_by_api')
  const waiting = talkReducer(initialTalk, { do: 'call' })
  assert.equal(talkReducer(waiting, { do: 'leave', now: NOW }).endReason, null, 'there was no call yet')
})

test('a new call resets the state', () => {
  const ended = after([started, { type: 'ended', endReason: 'agent_ended' }])
  assert.deepEqual(talkReducer(ended, { do: 'call' }), { ...initialTalk, phase: 'connecting' })
})

test('words appear while they are spoken, and the complete line replaces them', () => {
  const hear = (state: TalkState, event: CallEvent, now = 5000) => talkReducer(state, { do: 'hear', event, now })
  let state = hear(initialTalk, { type: 'speaking', who: 'caller', text: 'Quero' })
  state = hear(state, { type: 'speaking', who: 'caller', text: 'Quero marcar' }, 6000)
  state = hear(state, { type: 'speaking', who: 'agent', text: 'Claro. Que dia?', startsAt: 0, durationMs: 1000 }, 7000)
  assert.deepEqual(
    state.live.map(({ who, text }) => [who, text]),
    [
      ['caller', 'Quero marcar'],
      ['agent', 'Claro. Que dia?'],
    ],
  )
  state = hear(state, { type: 'said', who: 'caller', text: 'Quero marcar.', at: '2026-01-01T00:00:00.000Z' })
  assert.deepEqual(
    state.live.map(({ who }) => who),
    ['agent'],
  )
  const cut = hear(state, { type: 'clear' }, 7500)
  assert.deepEqual([cut.live[0]?.text, cut.live[0]?.durationMs], ['Claro. Que', 0])
  assert.deepEqual(hear(state, { type: 'speaking', who: 'agent', text: '' }).live, [])
  assert.deepEqual(talkReducer(state, { do: 'leave', now: 8000 }).live, [])
})
