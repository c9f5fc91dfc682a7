// Properties of the turn machine that hold for any sequence of events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { step } from './turn-machine.ts'
import { defaultTurnRules, type TurnRules } from './turn-rules.ts'
import {
  initialState,
  type TimerName,
  type TurnCommand,
  type TurnEvent,
  type TurnState,
  timerNames,
} from './turn-state.ts'

/** A session without audio: keeps the timers, and knows which turn may be audible. */
class World {
  readonly rules: TurnRules
  state: TurnState = initialState
  nowMs = 0
  readonly armed = new Map<TimerName, number>()
  sounding: number | null = null
  readonly dead = new Set<number>()
  isRecognising = false
  /** What the early reply answers, and how many were started since the last turn. */
  earlyReply: string | null = null
  earlyReplies = 0
  isOver = false

  constructor(rules: TurnRules) {
    this.rules = rules
  }

  take(event: TurnEvent): readonly TurnCommand[] {
    if (event.type === 'timer') this.armed.delete(event.name)
    if (event.type === 'transcript' && event.recognition === this.state.recognition) this.isRecognising = false
    if (event.type === 'turn-played' && event.turn === this.sounding) this.sounding = null
    const before = this.state
    const next = step(before, event, this.rules)
    this.state = next.state
    assert.ok(next.state.turn >= before.turn, 'turn numbers rise')
    for (const command of next.commands) this.#run(command, before)
    this.#check()
    return next.commands
  }

  #run(command: TurnCommand, before: TurnState): void {
    assert.ok(!this.isOver || command.do === 'disarm' || command.do === 'stop', `${command.do} after the end`)
    if (command.do === 'arm') this.armed.set(command.timer, this.nowMs + command.ms)
    else if (command.do === 'disarm') this.armed.delete(command.timer)
    else if (command.do === 'recognise') this.isRecognising = true
    else if (command.do === 'cancel-recognition') this.isRecognising = false
    else if (command.do === 'hang-up') this.isOver = true
    else if (command.do === 'generate-early') {
      this.earlyReply = command.to
      this.earlyReplies++
    } else if (command.do === 'cancel-early') {
      assert.notEqual(this.earlyReply, null, 'only an early reply is cancelled')
      this.earlyReply = null
    } else if (command.do === 'predict-end-of-turn') assert.ok(this.rules.turnModelMs > 0, 'only with a turn model')
    else if (isTurn(command)) {
      assert.equal(command.turn, before.turn + 1, 'a new turn has a new number')
      if (this.earlyReply !== null)
        assert.ok(command.do === 'reply' && command.to === this.earlyReply, 'an early reply is for its turn')
      if (command.do === 'reply') this.earlyReplies = 0
      this.earlyReply = null
      this.sounding = command.turn
    } else if (command.do === 'stop') {
      if (this.sounding === command.turn) this.sounding = null
      if (command.isFinal) this.dead.add(command.turn)
    } else if (command.do === 'resume') {
      assert.ok(!this.dead.has(command.turn), 'a turn stopped for good stays silent')
      this.sounding = command.turn
    } else if (command.do === 'play-filler')
      assert.equal(command.turn, this.sounding, 'only a turn with the floor gets a filler')
  }

  /** In every state a timer or the session will cause the next event. */
  #check(): void {
    const { mode, turn, isRecognising, isCallerSpeaking, hangupReason, suspectedVoicemail, transcript } = this.state
    this.isOver ||= mode.name === 'ended'
    if (this.isOver) return
    const due = (...names: TimerName[]) => names.some((name) => this.armed.has(name))
    assert.equal(isRecognising, this.isRecognising)
    const hasEarlyReply = mode.name === 'listening' && mode.hasEarlyReply
    assert.equal(hasEarlyReply, this.earlyReply !== null)
    assert.ok(this.earlyReplies <= this.rules.maxEarlyReplies && (this.rules.speculate || this.earlyReplies === 0))
    if (hasEarlyReply) {
      assert.ok(
        (!isCallerSpeaking && due('endpointing')) || suspectedVoicemail?.heldTimers.includes('endpointing'),
        'early replies are generated only during the endpointing pause',
      )
      assert.equal(this.earlyReply, transcript, 'and to the whole transcript')
    }
    if (mode.name === 'voicemail-greeting') {
      assert.ok(this.sounding === null && due('voicemail-max'), 'a greeting is listened to in silence, with a limit')
      assert.ok(isCallerSpeaking || due('voicemail-silence'))
      return
    }
    if (mode.name === 'transferring') {
      assert.ok(due('max-duration') && this.sounding === null, 'the agent is silent during a transfer')
      return
    }
    if (suspectedVoicemail)
      assert.ok(due('voicemail-max'), `the wait for an AMD result has a limit: ${JSON.stringify(this.state)}`)
    if (isRecognising) assert.ok(due('recognition'), 'a recognition has a time limit')
    if (mode.name === 'thinking' && isCallerSpeaking)
      assert.ok(
        hangupReason || mode.falseStarts === this.rules.maxFalseStarts,
        'the agent does not start while the caller speaks',
      )
    if (mode.name === 'thinking') assert.ok(due('reply') && this.sounding === turn, 'a reply has a time limit')
    else if (mode.name === 'speaking') assert.equal(this.sounding, turn, 'a speaking agent speaks')
    else {
      assert.equal(this.sounding, null, 'a listening agent is silent')
      assert.ok(
        suspectedVoicemail !== null ||
          due('opening', 'endpointing', 'resume', 'max-utterance', 'recognition', 'digits', 'idle', 'silence'),
        `no timer is armed: ${JSON.stringify(this.state)}`,
      )
    }
  }

  /** Fires the next timer. */
  wait(): void {
    const next = [...this.armed].sort((a, b) => a[1] - b[1])[0]
    if (!next) return
    this.nowMs = Math.max(this.nowMs, next[1])
    this.take({ type: 'timer', name: next[0] })
  }
}

const isTurn = (command: TurnCommand) =>
  command.do === 'reply' ||
  command.do === 'tell-late-result' ||
  command.do === 'say-for-operator' ||
  command.do === 'open' ||
  command.do === 'say' ||
  command.do === 'leave-message'

/** Neither the agent has the floor nor a reply is generated. */
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
  fc.tuple(stale, fc.double({ min: 0, max: 1, noNaN: true })).map(
    ([isOld, probability]): Move =>
      (world) => {
        const recognition = world.state.recognition - (isOld ? 1 : 0)
        world.take({ type: 'end-of-turn', recognition, probability, atMs: world.nowMs })
      },
  ),
  fc.tuple(fc.constantFrom('human', 'machine', 'ivr', 'unknown', null), fc.integer({ min: 0, max: 3 })).map(
    ([by, chance]): Move =>
      (world) => {
        if (by === null) world.take({ type: 'beep' })
        else if (chance === 0) world.take({ type: 'voicemail-suspected' })
        else if (chance === 1) world.take({ type: 'amd-result', by, atMs: world.nowMs })
      },
  ),
  fc.boolean().map(
    (on): Move =>
      (world) =>
        world.take({ type: 'speech-candidate', on }),
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
      // A tool has its own time-out; a transferred call is ended by its parties.
      world.take({ type: 'tools-running', areRunning: false })
      if (world.state.mode.name === 'transferring') return
      const from = world.nowMs
      for (let i = 0; i < 300 && !world.isOver; i++) {
        const { mode, turn, recognition, isRecognising } = world.state
        if (isRecognising && answers) world.take({ type: 'transcript', recognition, text: '', atMs: world.nowMs })
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
        const { recognition, isRecognising } = world.state
        if (isRecognising) world.take({ type: 'transcript', recognition, text: said, atMs: world.nowMs })
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
