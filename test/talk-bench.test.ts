// The talk benchmark's own scoring: what counts as understood, cut off, paused or interrupted.
// @run rest: it tests the benchmarks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pausesOf, stretchesOf } from '../bench/talk/agent-speech.ts'
import type { SpokenTurn, Trace } from '../bench/talk/caller.ts'
import { type Dialogue, talkClasses, wordsOf } from '../bench/talk/dialogue.ts'
import { dialogues } from '../bench/talk/dialogues.ts'
import { digitsIn } from '../bench/talk/digits.ts'
import { intentOf } from '../bench/talk/intents.ts'
import { replyOf } from '../bench/talk/model.ts'
import { turn } from '../bench/talk/scenes.ts'
import { scoreCall } from '../bench/talk/score.ts'
import { utteranceOf } from '../bench/talk/utterance.ts'

test('digits are found one by one, in tens, in hundreds and in figures', () => {
  assert.equal(digitsIn('vinte e um, nove, nove, meia, três', 'pt-BR'), '219963')
  assert.equal(digitsIn('duzentos e trinta e cinco 47', 'pt-BR'), '23547')
  assert.equal(digitsIn('dez. 529.982.247-25', 'pt-BR'), '1052998224725')
  assert.equal(digitsIn('twenty one five oh', 'en-US'), '2150')
  assert.equal(digitsIn('seis uno dos, treinta y cuatro', 'es-ES'), '61234')
  assert.equal(digitsIn('bom dia', 'pt-BR'), '')
})

test('the set has at least 60 dialogues of every class, most of them in Portuguese', () => {
  assert.ok(dialogues.length >= 60, `${dialogues.length}`)
  assert.deepEqual([...new Set(dialogues.map((one) => one.class))].toSorted(), [...talkClasses].toSorted())
  assert.equal(new Set(dialogues.map(({ id }) => id)).size, dialogues.length)
  assert.equal(new Set(dialogues.map(({ name }) => name)).size, dialogues.length)
  assert.ok(dialogues.filter(({ language }) => language === 'pt-BR').length > dialogues.length / 2)
})

test('words that are heard without an error are understood as meant', () => {
  for (const { id, language, turns } of dialogues)
    for (const one of turns) {
      if (one.asks === null || one.isCollected) continue
      assert.equal(intentOf(wordsOf(one), language), one.asks, `${id}: ${wordsOf(one)}`)
      if (one.digits !== undefined) assert.equal(digitsIn(wordsOf(one), language), one.digits, id)
    }
})

/** One frame every 20 ms in which the agent is audible. */
const from = (fromMs: number, toMs: number) => Array.from({ length: (toMs - fromMs) / 20 }, (_, i) => fromMs + i * 20)

test('the agent is heard in stretches, with the pauses between them', () => {
  const audible = [...from(0, 1000), ...from(1200, 2000), ...from(2600, 3000)]
  assert.deepEqual(stretchesOf(audible, 350), [
    { fromMs: 0, toMs: 2000 },
    { fromMs: 2600, toMs: 3000 },
  ])
  assert.deepEqual(pausesOf(audible, 300), [{ fromMs: 2000, toMs: 2600 }])
})

test('the level of an utterance does not depend on that of the synthesis, and its edges are its sounds', () => {
  const quiet = (i: number) => (i < 1600 || i >= 6400 ? 0 : Math.round(900 * Math.sin(i / 3)))
  const { pcm, firstMs, lastMs } = utteranceOf(Int16Array.from({ length: 8000 }, (_, i) => quiet(i)))
  assert.deepEqual([pcm.length, firstMs, lastMs], [4800, 0, 600])
  const { pcm: same } = utteranceOf(Int16Array.from({ length: 8000 }, (_, i) => 8 * quiet(i)))
  assert.ok(Math.abs(Math.max(...same) - Math.max(...pcm)) <= 20)
})

const scene = (turns: Dialogue['turns'], kind: Dialogue['class'] = 'plain'): Dialogue => ({
  id: 'x',
  class: kind,
  language: 'pt-BR',
  voice: 'pt-alex',
  name: 'Marta',
  turns,
})

/** The call is answered at 0; all times are in milliseconds from then. */
function traceOf(
  dialogue: Dialogue,
  turns: SpokenTurn[],
  audible: readonly number[],
  said: [number, string, string][],
): Trace {
  const requests = turns.flatMap(({ turn: { asks }, toMs, turn: one }) =>
    asks === null
      ? []
      : [
          {
            atMs: toMs + 300,
            heard: '',
            intent: asks,
            answer: replyOf(dialogue, asks, one),
            collected: null,
            isAborted: false,
          },
        ],
  )
  return {
    dialogue,
    wallMs: 0,
    answeredAtMs: 0,
    endedAtMs: 30_000,
    turns,
    heard: audible.map((atMs) => ({ atMs, db: -20, pcm: new Int16Array(160) })),
    sent: [],
    requests,
    record: {
      status: 'completed',
      endReason: null,
      isEnded: true,
      turns: [],
      messages: said.map(([ms, type, content]) => ({ type, content, timestamp: new Date(ms).toISOString() })),
    },
    replySounds: new Map(turns.map(({ turn: one }) => [one, { soundMs: 3200, longestPauseMs: 0 }])),
    hasHungUp: true,
    isEndedByAgent: false,
    lateMs: 0,
  }
}
const spoken = (one: SpokenTurn['turn'], fromMs: number, toMs: number, more: Partial<SpokenTurn> = {}): SpokenTurn => ({
  turn: one,
  fromMs,
  toMs,
  untilMs: 30_000,
  overlaps: [],
  ...more,
})

const hours = turn('hours', ['Que horas a clínica abre?'])
const OPEN = 'Marta, abrimos das oito às dezoito horas.'

test('a turn is answered rightly when the model understood it and the reply was said', () => {
  const dialogue = scene([hours])
  const audible = [...from(500, 2000), ...from(5800, 8000)]
  const right = scoreCall(
    traceOf(dialogue, [spoken(hours, 3000, 5000)], audible, [
      [3050, 'user', 'Que horas a clínica abre?'],
      [5800, 'agent', OPEN],
    ]),
  )
  const [only] = right.turns
  assert.deepEqual([only?.isRight, only?.isCutOff, only?.gapMs, only?.errors.errors], [true, false, 800, 0])
  assert.deepEqual([right.greetingMs, right.deadAirMs, right.repeated, right.isStuck], [500, [], 0, false])
  const silent = scoreCall(traceOf(dialogue, [spoken(hours, 3000, 5000)], from(500, 2000), []))
  assert.equal(silent.turns[0]?.isRight, false)
  assert.equal(silent.deadAirMs.length, 1, 'nobody answered')
})

test('an agent that speaks within the turn cuts it off, one that begins together with the caller does not', () => {
  const cut = (agentFromMs: number) => {
    const trace = traceOf(scene([hours]), [spoken(hours, 3000, 6000)], from(agentFromMs, 9000), [])
    return scoreCall(trace).turns[0]?.isCutOff
  }
  assert.equal(cut(4000), true)
  assert.equal(cut(3100), false)
  assert.equal(cut(6020), false)
})

test('an interruption is measured to the last sound of the agent, and missed when it goes on', () => {
  const stop = turn('price', ['Espera, quanto custa a consulta?'], { intoMs: 2000 })
  const bargeIn = (agentToMs: number) => {
    const trace = traceOf(scene([stop]), [spoken(stop, 3000, 5000)], from(500, agentToMs), [])
    return scoreCall(trace).turns[0]?.bargeInMs
  }
  assert.equal(bargeIn(3300), 300)
  assert.equal(bargeIn(9000), Number.POSITIVE_INFINITY)
})

test('a pause at a backchannel is counted over 300 ms, and an answer that is not said to its end is dropped', () => {
  const told = { ...hours, overlaps: [{ atMs: 1000, say: 'aham' }] }
  const overlaps = [{ overlap: { atMs: 1000, say: 'aham' }, fromMs: 7000, toMs: 7300 }]
  const score = (audible: number[], reply: string) => {
    const trace = traceOf(scene([told], 'backchannel'), [spoken(told, 3000, 5000, { overlaps })], audible, [
      [5800, 'agent', reply],
    ])
    const [only] = scoreCall(trace).turns
    return [only?.overlaps[0]?.pauseMs, only?.isDropped, only?.soundRatio]
  }
  assert.deepEqual(score(from(5800, 9000), OPEN), [0, false, 1])
  assert.deepEqual(
    score([...from(5800, 7200), ...from(8100, 11_500)], OPEN),
    [900, false, 1.5],
    'and more was said than the reply has',
  )
  assert.deepEqual(score(from(5800, 7200), 'Marta, abrimos das oito'), [22_800, true, null])
})

test('what the agent says more often than it was asked is repeated', () => {
  const said: [number, string, string][] = [
    [5800, 'agent', OPEN],
    [9000, 'agent', OPEN],
  ]
  const trace = traceOf(scene([hours]), [spoken(hours, 3000, 5000)], from(5800, 11_000), said)
  assert.equal(scoreCall(trace).repeated, 1)
})
