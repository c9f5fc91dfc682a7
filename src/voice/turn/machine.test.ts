// Properties of the turn machine that hold for any sequence of events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { World } from '../../../test/voice/turn-world.ts'
import { step } from './machine.ts'
import { defaultTurnRules, type TurnRules } from './rules.ts'
import { initialState, timerNames } from './state.ts'

/** The agent does not have the floor, and no reply is being generated. */
const isQuiet = ({ state }: World) => state.mode.name !== 'thinking' && state.mode.name !== 'speaking'

type Move = (world: World) => void
const turnOf = (world: World, isStale: boolean) => world.state.turn - (isStale ? 1 : 0)
const stale = fc.integer({ min: 0, max: 5 }).map((n) => n === 0)
const text = fc.constantFrom('', '', 'aham', 'sim', 'para', 'espera', 'amanhã', 'quero marcar', 'tchau', '1 2 3 4', 'e')
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.boolean().map(
    (on): Move =>
      (world) => {
        if (on !== world.state.isCallerSpeaking) world.take({ type: 'speech', on, atMs: world.nowMs, voicedMs: 128 })
      },
  ),
  fc.boolean().map(
    (on): Move =>
      (world) =>
        world.take({ type: 'speech', on, atMs: world.nowMs, voicedMs: 128 }),
  ),
  fc.tuple(text, stale, fc.boolean()).map(
    ([said, isOld, hasFailed]): Move =>
      (world) => {
        const recognition = world.state.recognition - (isOld ? 1 : 0)
        world.take({ type: 'transcript', recognition, text: hasFailed ? '' : said, atMs: world.nowMs, hasFailed })
      },
  ),
  fc.boolean().map(
    (on): Move =>
      (world) =>
        world.take({ type: 'speech-pause', on, voicedMs: 200 }),
  ),
  text.map(
    (said): Move =>
      (world) => {
        if (world.rules.hasLiveRecognition) world.take({ type: 'partial-transcript', text: said })
      },
  ),
  fc.tuple(stale, fc.double({ min: 0, max: 1, noNaN: true })).map(
    ([isOld, probability]): Move =>
      (world) => {
        const recognition = world.state.recognition - (isOld ? 1 : 0)
        world.take({ type: 'end-of-turn', recognition, probability, atMs: world.nowMs })
      },
  ),
  fc
    .tuple(fc.constantFrom('human', 'machine', 'ivr', 'unknown', null), fc.integer({ min: 0, max: 3 }), fc.boolean())
    .map(
      ([by, chance, isByWords]): Move =>
        (world) => {
          if (by === null) world.take({ type: 'beep' })
          else if (chance === 0) world.take({ type: 'voicemail-suspected' })
          else if (chance === 1) world.take({ type: 'amd-result', by, isByWords, atMs: world.nowMs })
          else if (chance === 2) world.take({ type: 'call-progress', isWaiting: isByWords })
        },
    ),
  fc.boolean().map(
    (on): Move =>
      (world) =>
        world.take({ type: 'speech-candidate', on, evidence: evidences[world.nowMs % evidences.length] ?? 'none' }),
  ),
  fc.constantFrom(...'12#*').map(
    (digit): Move =>
      (world) =>
        world.take({ type: 'digit', digit }),
  ),
  fc.constant<Move>((world) => world.wait()),
  fc.constant<Move>((world) => world.wait()),
  fc.constantFrom(...timerNames.filter((name) => name !== 'max-duration')).map(
    (name): Move =>
      (world) => {
        if (world.armed.has(name)) world.take({ type: 'timer', name })
      },
  ),
  stale.map(
    (isOld): Move =>
      (world) =>
        world.take({ type: 'playout-started', turn: turnOf(world, isOld) }),
  ),
  stale.map(
    (isOld): Move =>
      (world) =>
        world.take({ type: 'underrun', turn: turnOf(world, isOld) }),
  ),
  stale.map(
    (isOld): Move =>
      (world) =>
        world.take({ type: 'turn-played', turn: turnOf(world, isOld) }),
  ),
  fc.tuple(stale, fc.boolean()).map(
    ([isOld, on]): Move =>
      (world) => {
        world.take({ type: 'tool-wait', turn: turnOf(world, isOld), on, timeoutMs: 60_000 })
      },
  ),
  fc.boolean().map(
    (areRunning): Move =>
      (world) =>
        world.take({ type: 'tools-running', areRunning }),
  ),
  fc.constantFrom('late-tool-result' as const, 'delayed-message' as const).map(
    (type): Move =>
      (world) =>
        world.take({ type }),
  ),
  fc.tuple(stale, fc.integer({ min: 0, max: 19 })).map(
    ([isOld, which]): Move =>
      (world) => {
        const turn = turnOf(world, isOld)
        if (which === 0) world.take({ type: 'transferred', turn })
        else if (which < 3) world.take({ type: 'hang-up-after-turn', turn, reason: 'agent_ended' })
        else world.take({ type: 'filler-played', turn })
      },
  ),
  fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 5 })).map(
    ([isUrgent, which]): Move =>
      (world) => {
        if (which === 0) world.take({ type: 'transfer-started' })
        else if (which < 3) world.take({ type: 'transfer-failed' })
        else world.take({ type: 'operator-say', text: 'recado', isUrgent })
      },
  ),
  fc.tuple(stale, fc.constantFrom('model' as const, 'synthesis' as const)).map(
    ([isOld, stage]): Move =>
      (world) => {
        world.take({ type: 'turn-failed', turn: turnOf(world, isOld), stage })
      },
  ),
)
const begin = fc.record({
  interruptible: fc.boolean(),
  speculate: fc.boolean(),
  earlyRecognitionMs: fc.constantFrom(0, 64),
  hasLiveRecognition: fc.boolean(),
  judgeMs: fc.constantFrom(0, 150),
  voicemail: fc.constantFrom('ignore' as const, 'ignore' as const, 'message' as const, 'hangup' as const),
  speaks: fc.boolean(),
  afterMs: fc.constantFrom(0, 1200),
  fillerMs: fc.constantFrom(0, 3000),
  idleReminderMs: fc.constantFrom(0, 8000),
  maxDurationMs: fc.constantFrom(1000, 120_000, 1_800_000),
})

type Begin = { speaks: boolean; afterMs: number } & Partial<TurnRules>

function played({ speaks, afterMs, ...rules }: Begin, moves: readonly Move[]): World {
  const world = new World({ ...defaultTurnRules, ...rules, endPhrases: ['tchau'] })
  world.take({ type: 'begin', speaks, afterMs })
  for (const each of moves) each(world)
  return world
}

const moves = fc.array(move, { maxLength: 80, size: 'max' })
const runs = { numRuns: 1500 }

const evidences = ['none', 'long', 'over', 'interruption'] as const

test('in any sequence of events a next event is pending, turn numbers rise, and a stopped turn is silent', () => {
  fc.assert(
    fc.property(begin, moves, (first, all) => void played(first, all)),
    runs,
  )
})

test('without further input every conversation ends', () => {
  fc.assert(
    fc.property(begin, moves, fc.boolean(), (first, all, answers) => {
      const world = played({ ...first, maxDurationMs: Number.MAX_SAFE_INTEGER }, all)
      // Tools have their own timeout; a transferred call is ended by its parties.
      world.take({ type: 'tools-running', areRunning: false })
      if (world.state.mode.name === 'transferring') return
      const from = world.nowMs
      for (let i = 0; i < 300 && !world.isOver; i++) {
        const { mode, turn, recognition, isRecognizing } = world.state
        if (isRecognizing && answers) world.take({ type: 'transcript', recognition, text: '', atMs: world.nowMs })
        else if (mode.name === 'speaking') world.take({ type: 'turn-played', turn })
        else world.wait()
      }
      assert.ok(world.isOver, `still ${JSON.stringify(world.state)}`)
      assert.ok(world.nowMs - from < 300_000, `it took ${world.nowMs - from} ms`)
    }),
    runs,
  )
})

test('speech that never ends, with or without words, does not keep the floor', () => {
  fc.assert(
    fc.property(begin, moves, text, (first, all, said) => {
      const world = played({ ...first, maxDurationMs: Number.MAX_SAFE_INTEGER }, all)
      if (world.isOver || world.state.mode.name === 'transferring') return
      world.take({ type: 'speech', on: true, atMs: world.nowMs, voicedMs: 128 })
      const { turn } = world.state
      for (let i = 0; i < 40 && isQuiet(world); i++) {
        const { recognition, isRecognizing } = world.state
        if (isRecognizing) world.take({ type: 'transcript', recognition, text: said, atMs: world.nowMs })
        else world.wait()
      }
      assert.ok(world.isOver || !isQuiet(world) || world.state.turn > turn)
    }),
    runs,
  )
})

test('after the caller has left only stop and disarm commands follow', () => {
  fc.assert(
    fc.property(begin, moves, moves, (first, before, later) => {
      const world = played(first, before)
      const commands = world.take({ type: 'caller-left' })
      assert.ok(commands.every((command) => command.do === 'stop' || command.do === 'disarm'))
      assert.equal(world.state.mode.name, 'ended')
      assert.ok(world.armed.size === 0 && world.sounding === null)
      for (const each of later) each(world)
      assert.equal(world.armed.size, 0)
    }),
    runs,
  )
})

test('the agent is ducked only during possible speech over it', () => {
  fc.assert(
    fc.property(begin, moves, (first, all) => {
      const world = played(first, [])
      for (const each of all) {
        each(world)
        const { mode, isCallerSpeaking, isSpeechCandidate, hangupReason } = world.state
        if (world.isOver) return
        if (mode.name !== 'speaking') continue
        const mayDuck = world.rules.interruptible && hangupReason === null && !mode.isUrgent
        assert.equal(mode.isDucked, (isCallerSpeaking || isSpeechCandidate) && mayDuck)
      }
    }),
    runs,
  )
})

test('late tool results are reported only while nobody speaks, and a goodbye is not interrupted', () => {
  fc.assert(
    fc.property(begin, moves, (first, all) => {
      const world = played(first, all)
      if (world.isOver) return
      const { hangupReason, turn } = world.state
      const isFree = world.state.mode.name === 'listening' && !world.state.isCallerSpeaking
      const told = world.take({ type: 'late-tool-result' }).some((command) => command.do === 'tell-late-result')
      if (told) assert.ok(isFree, 'not over the caller')
      if (hangupReason === null || world.state.mode.name !== 'speaking') return
      world.take({ type: 'speech', on: true, atMs: world.nowMs, voicedMs: 128 })
      assert.deepEqual([world.state.mode.name, world.state.turn], ['speaking', turn])
    }),
    runs,
  )
})

test('a step does not mutate its input state', () => {
  const frozen = Object.freeze({ ...initialState })
  const { state } = step(frozen, { type: 'begin', speaks: true, afterMs: 0 }, defaultTurnRules)
  assert.equal(frozen.turn, 0)
  assert.equal(state.turn, 1)
})

test('what was keyed in while it rang is answered with the opening once the wait is over', () => {
  const world = new World({ ...defaultTurnRules, voicemail: 'hangup' })
  world.take({ type: 'begin', speaks: true, afterMs: 0 })
  world.take({ type: 'digit', digit: '1' })
  while (world.nowMs < 2500) world.wait()
  world.take({ type: 'call-progress', isWaiting: true })
  const opens = world.take({ type: 'call-progress', isWaiting: false })
  assert.ok(
    opens.some((command) => command.do === 'arm' && command.timer === 'endpointing'),
    JSON.stringify(opens),
  )
  world.wait()
  assert.equal(world.state.mode.name, 'thinking')
})
