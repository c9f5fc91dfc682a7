// tau-voice's and EVA's scores on timelines made by hand.
// @run rest: it tests the benchmarks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutOffAt, type Decision, silenceOnly, sweep, waitAt } from '../bench/end-of-turn/sweep.ts'
import { quieterAfter } from '../bench/talk/agent-speech.ts'
import type { SpokenOverlap, SpokenTurn } from '../bench/talk/caller.ts'
import type { Overlap } from '../bench/talk/dialogue.ts'
import { type Interaction, interactionOf } from '../bench/talk/interaction.ts'
import { turn } from '../bench/talk/scenes.ts'

/** One frame every 20 ms in which the agent is audible. */
const from = (fromMs: number, toMs: number) => Array.from({ length: (toMs - fromMs) / 20 }, (_, i) => fromMs + i * 20)

const asked = (fromMs: number, toMs: number, more: Partial<SpokenTurn> = {}): SpokenTurn => ({
  turn: turn('price', ['Quanto custa?']),
  fromMs,
  toMs,
  untilMs: 20_000,
  overlaps: [],
  ...more,
})
const over = (overlap: Partial<Overlap>, fromMs: number, toMs: number): SpokenOverlap => ({
  overlap: { atMs: 0, ...overlap },
  fromMs,
  toMs,
})
const interaction = (turns: SpokenTurn[], audible: readonly number[]): Interaction =>
  interactionOf({ turns, audible, endedAtMs: 20_000, naturalPauseMs: () => 400, isEndless: false })

test('a reply 1.2 s after the turn: latency, rate, and a full score', () => {
  const found = interaction([asked(1000, 3000)], from(4200, 7000))
  assert.deepEqual(found.responsesMs, [1200])
  assert.deepEqual(found.turnTaking, [1])
  assert.equal(found.intrusions, 0)
})

test('a turn that the caller has to repeat has no response, and scores 0', () => {
  const found = interaction([asked(1000, 3000), asked(9000, 10_000)], from(11_000, 12_000))
  assert.deepEqual(found.responsesMs, [null, 1000])
  assert.deepEqual(found.turnTaking, [0, 1])
})

test('promptness falls off on both sides: at 0 ms, and after 2 s; a tool may take longer', () => {
  const after = (ms: number, one = asked(1000, 3000)) => interaction([one], from(3000 + ms, 9000)).turnTaking[0] ?? -1
  assert.equal(after(20), 0.52)
  assert.ok(Math.abs(after(2760) - 0.493) < 0.01)
  assert.equal(after(3500), 0)
  const collects = asked(1000, 3000, { turn: turn('price', ['Meu CPF é'], { collects: 'cpf' }) })
  assert.equal(after(2760, collects), 1)
})

test('an agent that begins within a turn intrudes: at most 0.5, less the longer both speak', () => {
  const found = interaction([asked(1000, 5000)], [...from(2000, 2400), ...from(6000, 8000)])
  assert.equal(found.intrusions, 1)
  assert.deepEqual(found.turnTaking, [0.4])
  assert.deepEqual(found.responsesMs, [1000], 'and answers afterwards')
  assert.equal(interaction([asked(1000, 5000)], from(1180, 1400)).intrusions, 0, 'both began together')
})

test('an interruption: how fast the agent yields, and that it does', () => {
  const interruption = (silentMs: number) =>
    interaction(
      [asked(3000, 5000, { turn: turn('price', ['Espera.'], { intoMs: 2000 }) })],
      [...from(1000, 3000 + silentMs), ...(silentMs < 2000 ? from(6000, 7000) : [])],
    )
  assert.deepEqual(interruption(400).yieldsMs, [400])
  assert.deepEqual(interruption(400).turnTaking, [0.8])
  assert.deepEqual(interruption(2400).yieldsMs, [Number.POSITIVE_INFINITY])
  assert.deepEqual(interruption(2400).turnTaking, [0])
  assert.equal(interruption(2400).intrusions, 0)
})

test('backchannels, tics and side talk are ignored unless the agent falls silent within a second', () => {
  const reply = (gapFromMs: number) => [...from(4000, gapFromMs), ...from(gapFromMs + 700, 9000)]
  const heard = (overlap: Partial<Overlap>, audible: readonly number[]) =>
    interaction([asked(1000, 3000, { overlaps: [over(overlap, 5000, 5500)] })], audible).ignored
  assert.deepEqual(heard({ say: 'aham' }, reply(5600)), [{ kind: 'backchannel', isRight: false }])
  assert.deepEqual(heard({ say: 'aham' }, reply(6200)), [{ kind: 'backchannel', isRight: true }])
  assert.deepEqual(heard({ sound: 'cough' }, reply(6200)), [{ kind: 'tic', isRight: true }])
  assert.deepEqual(heard({ say: 'Já vou.', kind: 'side-talk' }, from(4000, 5400)), [{ kind: 'side-talk', isRight: false }]) // biome-ignore format: one line
  assert.deepEqual(heard({ sound: 'keys' }, reply(5600)), [], 'keys are no utterance')
})

test('in silence they are ignored unless the agent answers within two seconds', () => {
  const heard = (audible: readonly number[]) =>
    interaction(
      [asked(1000, 3000, { overlaps: [over({ say: 'Já vou.', kind: 'side-talk', inSilence: true }, 8000, 9000)] })],
      [...from(4000, 6000), ...audible],
    ).ignored[0]?.isRight
  assert.equal(heard(from(10_000, 11_000)), false)
  assert.equal(heard(from(11_200, 12_000)), true)
  assert.equal(heard([]), true)
})

test('the agent lowers its voice when its loud frames stop, though it still sounds', () => {
  const frames = (loudUntilMs: number) =>
    from(0, 4000).map((atMs, i) => ({ atMs, pcm: new Int16Array(0), db: atMs < loudUntilMs ? (i % 5 === 0 ? -40 : -20) : -34 })) // biome-ignore format: one line
  const at = quieterAfter(frames(2200), 2000)
  assert.ok(at !== null && at >= 2180 && at <= 2220, `${at}`)
  assert.equal(quieterAfter(frames(9000), 2000), null)
})

test('the end-of-turn sweep: what the best policy cuts off at a wait, and how long it waits at a share', () => {
  const at = (doubt: number, pauseMs: number | null): Decision => ({ doubt, pauseMs })
  const decisions = [at(0, null), at(0, null), at(1, null), at(1, 400), at(1, 800), at(0, 200), at(1, 300)]
  const points = sweep(decisions)
  assert.equal(waitAt(points, 0), (200 + 200 + 800) / 3, 'sure ends at once, the doubtful one after the longest pause')
  assert.equal(cutOffAt(points, 300), 0.25, 'waits 200, 200 and 400 ms')
  const silent = silenceOnly(decisions)
  assert.deepEqual([waitAt(silent, 0), waitAt(silent, 0.25), cutOffAt(silent, 300)], [800, 400, 0.5])
})
