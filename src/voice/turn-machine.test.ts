// What always holds, whatever happens in whatever order: properties of the turn machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { step } from './turn-machine.ts'
import { type TurnRules, usualRules } from './turn-rules.ts'
import { start, type TimerName, type TurnCommand, type TurnEvent, type TurnState, timerNames } from './turn-state.ts'

/** A shell without sound: keeps the timers, and knows which turn may be heard. */
class World {
  readonly rules: TurnRules
  state: TurnState = start
  nowMs = 0
  readonly armed = new Map<TimerName, number>()
  sounding: number | null = null
  readonly dead = new Set<number>()
  isRecognising = false
  /** What the model is thinking about for nobody yet, and how often it was asked so since the last turn. */
  guess: string | null = null
  guesses = 0
  isOver = false

  constructor(rules: TurnRules) {
    this.rules = rules
  }

  take(event: TurnEvent): readonly TurnCommand[] {
    if (event.type === 'timer') this.armed.delete(event.name)
    if (event.type === 'words' && event.recognition === this.state.recognition) this.isRecognising = false
    if (event.type === 'spoken' && event.turn === this.sounding) this.sounding = null
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
    else if (command.do === 'forget') this.isRecognising = false
    else if (command.do === 'hang-up') this.isOver = true
    else if (command.do === 'guess') {
      this.guess = command.to
      this.guesses++
    } else if (command.do === 'forget-guess') {
      assert.notEqual(this.guess, null, 'only what was guessed is forgotten')
      this.guess = null
    } else if (command.do === 'judge') assert.ok(this.rules.judgeMs > 0, 'only a model that is there is asked')
    else if (isTurn(command)) {
      assert.equal(command.turn, before.turn + 1, 'a new turn has a new number')
      if (this.guess !== null) assert.ok(command.do === 'reply' && command.to === this.guess, 'a guess is for its turn')
      if (command.do === 'reply') this.guesses = 0
      this.guess = null
      this.sounding = command.turn
    } else if (command.do === 'stop') {
      if (this.sounding === command.turn) this.sounding = null
      if (command.isForGood) this.dead.add(command.turn)
    } else if (command.do === 'resume') {
      assert.ok(!this.dead.has(command.turn), 'what was stopped for good stays silent')
      this.sounding = command.turn
    } else if (command.do === 'fill')
      assert.equal(command.turn, this.sounding, 'only a turn that has the floor is filled')
  }

  /** In every state something is on its way that will move it. */
  #check(): void {
    const { phase, turn, isRecognising, isVoiced, leaving, holds, isGuessed, mailbox, heard } = this.state
    this.isOver ||= phase === 'over'
    if (this.isOver) return
    const due = (...names: TimerName[]) => names.some((name) => this.armed.has(name))
    assert.equal(isRecognising, this.isRecognising)
    assert.equal(isGuessed, this.guess !== null)
    assert.ok(this.guesses <= this.rules.maxGuesses && (this.rules.speculate || this.guesses === 0))
    if (isGuessed) {
      assert.ok(
        (phase === 'listening' && !isVoiced && due('pause')) || this.state.due.includes('pause'),
        'a guess is made only while a pause is waited for',
      )
      assert.equal(this.guess, heard, 'and to all that was said')
    }
    if (mailbox === 'greeting') {
      assert.ok(
        phase === 'listening' && this.sounding === null && due('message'),
        'a mailbox is listened to, not for ever',
      )
      assert.ok(isVoiced || due('quiet'))
      return
    }
    if (this.state.isAway) {
      assert.ok(due('limit') && this.sounding === null, 'who was given away hears nothing more of the agent')
      return
    }
    if (mailbox === 'suspected')
      assert.ok(due('message'), `whether it is a mailbox is not waited for for ever: ${JSON.stringify(this.state)}`)
    if (isRecognising) assert.ok(due('recognition'), 'a recognition is watched')
    if (phase === 'thinking' && isVoiced)
      assert.ok(leaving || holds === this.rules.maxHolds, 'the agent does not begin while the caller speaks')
    if (phase === 'thinking') assert.ok(due('answer') && this.sounding === turn, 'a thinking agent is watched')
    else if (phase === 'speaking') assert.equal(this.sounding, turn, 'a speaking agent speaks')
    else {
      assert.equal(this.sounding, null, 'a listening agent is silent')
      assert.ok(
        mailbox === 'suspected' ||
          due('opening', 'pause', 'resume', 'breath', 'recognition', 'keys', 'idle', 'silence'),
        `nothing is awaited: ${JSON.stringify(this.state)}`,
      )
    }
  }

  /** The next timer goes off. */
  wait(): void {
    const next = [...this.armed].sort((a, b) => a[1] - b[1])[0]
    if (!next) return
    this.nowMs = Math.max(this.nowMs, next[1])
    this.take({ type: 'timer', name: next[0] })
  }
}

const isTurn = (command: TurnCommand) =>
  command.do === 'reply' ||
  command.do === 'news' ||
  command.do === 'relay' ||
  command.do === 'open' ||
  command.do === 'say' ||
  command.do === 'leave-message'

type Move = (world: World) => void
const turnOf = (world: World, isStale: boolean) => world.state.turn - (isStale ? 1 : 0)
const stale = fc.integer({ min: 0, max: 5 }).map((n) => n === 0)
const text = fc.constantFrom('', '', 'aham', 'sim', 'para', 'espera', 'amanhã', 'quero marcar', 'tchau', '1 2 3 4', 'e')
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.boolean().map(
    (on): Move =>
      (world) => {
        if (on !== world.state.isVoiced) world.take({ type: 'voice', on, atMs: world.nowMs, voicedMs: 128 })
      },
  ),
  fc.boolean().map(
    (on): Move =>
      (world) =>
        world.take({ type: 'voice', on, atMs: world.nowMs, voicedMs: 128 }),
  ),
  fc.tuple(text, stale, fc.boolean()).map(
    ([said, isOld, hasFailed]): Move =>
      (world) => {
        const recognition = world.state.recognition - (isOld ? 1 : 0)
        world.take({ type: 'words', recognition, text: hasFailed ? '' : said, atMs: world.nowMs, hasFailed })
      },
  ),
  fc.boolean().map(
    (on): Move =>
      (world) =>
        world.take({ type: 'lull', on, voicedMs: 200 }),
  ),
  fc.tuple(stale, fc.double({ min: 0, max: 1, noNaN: true })).map(
    ([isOld, finished]): Move =>
      (world) => {
        const recognition = world.state.recognition - (isOld ? 1 : 0)
        world.take({ type: 'judged', recognition, finished, atMs: world.nowMs })
      },
  ),
  fc.tuple(fc.constantFrom('human', 'machine', 'ivr', 'unknown', null), fc.integer({ min: 0, max: 3 })).map(
    ([by, chance]): Move =>
      (world) => {
        if (by === null) world.take({ type: 'beep' })
        else if (chance === 0) world.take({ type: 'suspected' })
        else if (chance === 1) world.take({ type: 'answered', by, atMs: world.nowMs })
      },
  ),
  fc.boolean().map(
    (on): Move =>
      (world) =>
        world.take({ type: 'maybe', on }),
  ),
  fc.constantFrom(...'12#*').map(
    (digit): Move =>
      (world) =>
        world.take({ type: 'key', digit }),
  ),
  fc.constant<Move>((world) => world.wait()),
  fc.constant<Move>((world) => world.wait()),
  fc.constantFrom(...timerNames.filter((name) => name !== 'limit')).map(
    (name): Move =>
      (world) => {
        if (world.armed.has(name)) world.take({ type: 'timer', name })
      },
  ),
  stale.map(
    (isOld): Move =>
      (world) =>
        world.take({ type: 'sounded', turn: turnOf(world, isOld) }),
  ),
  stale.map(
    (isOld): Move =>
      (world) =>
        world.take({ type: 'dry', turn: turnOf(world, isOld) }),
  ),
  stale.map(
    (isOld): Move =>
      (world) =>
        world.take({ type: 'spoken', turn: turnOf(world, isOld) }),
  ),
  fc.tuple(stale, fc.boolean()).map(
    ([isOld, on]): Move =>
      (world) => {
        world.take({ type: 'tool', turn: turnOf(world, isOld), on, limitMs: 60_000 })
      },
  ),
  fc.boolean().map(
    (areOut): Move =>
      (world) =>
        world.take({ type: 'tools', areOut }),
  ),
  fc.constantFrom('news' as const, 'due' as const).map(
    (type): Move =>
      (world) =>
        world.take({ type }),
  ),
  fc.tuple(stale, fc.integer({ min: 0, max: 19 })).map(
    ([isOld, which]): Move =>
      (world) => {
        const turn = turnOf(world, isOld)
        if (which === 0) world.take({ type: 'given-away', turn })
        else if (which < 3) world.take({ type: 'leaving', turn, reason: 'agent_ended' })
        else world.take({ type: 'filled', turn })
      },
  ),
  fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 5 })).map(
    ([isUrgent, which]): Move =>
      (world) => {
        if (which === 0) world.take({ type: 'away' })
        else if (which < 3) world.take({ type: 'back' })
        else world.take({ type: 'relay', text: 'recado', isUrgent })
      },
  ),
  fc.tuple(stale, fc.constantFrom('model' as const, 'synthesis' as const)).map(
    ([isOld, stage]): Move =>
      (world) => {
        world.take({ type: 'failed', turn: turnOf(world, isOld), stage })
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
  const world = new World({ ...usualRules, ...rules, endPhrases: ['tchau'] })
  world.take({ type: 'begin', speaks, afterMs })
  for (const each of moves) each(world)
  return world
}

const moves = fc.array(move, { maxLength: 80, size: 'max' })
const runs = { numRuns: 1500 }

test('whatever happens, something is always on its way, turns rise, and what is stopped is silent', () => {
  fc.assert(
    fc.property(begin, moves, (first, all) => void played(first, all)),
    runs,
  )
})

test('nobody holds the floor for ever: left alone, every conversation ends', () => {
  fc.assert(
    fc.property(begin, moves, fc.boolean(), (first, all, answers) => {
      const world = played({ ...first, maxDurationMs: Number.MAX_SAFE_INTEGER }, all)
      // A tool has its own limit; who was given away ends the call himself.
      world.take({ type: 'tools', areOut: false })
      if (world.state.isAway) return
      const from = world.nowMs
      for (let i = 0; i < 300 && !world.isOver; i++) {
        const { phase, turn, recognition, isRecognising } = world.state
        if (isRecognising && answers) world.take({ type: 'words', recognition, text: '', atMs: world.nowMs })
        else if (phase === 'speaking') world.take({ type: 'spoken', turn })
        else world.wait()
      }
      assert.ok(world.isOver, `still ${JSON.stringify(world.state)}`)
      assert.ok(world.nowMs - from < 300_000, `it took ${world.nowMs - from} ms`)
    }),
    runs,
  )
})

test('nor does a voice that never ends, words or not', () => {
  fc.assert(
    fc.property(begin, moves, text, (first, all, said) => {
      const world = played({ ...first, maxDurationMs: Number.MAX_SAFE_INTEGER }, all)
      if (world.isOver || world.state.isAway) return
      world.take({ type: 'voice', on: true, atMs: world.nowMs, voicedMs: 128 })
      const { turn } = world.state
      for (let i = 0; i < 40 && world.state.phase === 'listening'; i++) {
        const { recognition, isRecognising } = world.state
        if (isRecognising) world.take({ type: 'words', recognition, text: said, atMs: world.nowMs })
        else world.wait()
      }
      assert.ok(world.isOver || world.state.phase !== 'listening' || world.state.turn > turn)
    }),
    runs,
  )
})

test('after the caller has left nothing is done but stopping and disarming', () => {
  fc.assert(
    fc.property(begin, moves, moves, (first, before, later) => {
      const world = played(first, before)
      const commands = world.take({ type: 'left' })
      assert.ok(commands.every((command) => command.do === 'stop' || command.do === 'disarm'))
      assert.equal(world.state.phase, 'over')
      assert.ok(world.armed.size === 0 && world.sounding === null)
      for (const each of later) each(world)
      assert.equal(world.armed.size, 0)
    }),
    runs,
  )
})

test('the agent is quieter only while somebody speaks over it, or may do so', () => {
  fc.assert(
    fc.property(begin, moves, (first, all) => {
      const world = played(first, [])
      for (const each of all) {
        each(world)
        const { phase, isVoiced, isMaybe, isDucked, leaving, isUrgent } = world.state
        if (world.isOver) return
        const isOver = phase === 'speaking' && (isVoiced || isMaybe)
        assert.equal(isDucked, isOver && world.rules.interruptible && leaving === null && !isUrgent)
      }
    }),
    runs,
  )
})

test('news are told by themselves only while nobody speaks, and a goodbye is not interrupted', () => {
  fc.assert(
    fc.property(begin, moves, (first, all) => {
      const world = played(first, all)
      if (world.isOver) return
      const { leaving, turn } = world.state
      const isQuiet = world.state.phase === 'listening' && !world.state.isVoiced && !world.state.isCut
      const told = world.take({ type: 'news' }).some((command) => command.do === 'news')
      if (told) assert.ok(isQuiet, 'not over the caller')
      if (leaving === null || world.state.phase !== 'speaking') return
      world.take({ type: 'voice', on: true, atMs: world.nowMs, voicedMs: 128 })
      assert.deepEqual([world.state.phase, world.state.turn], ['speaking', turn])
    }),
    runs,
  )
})

test('a step does not change the state that it was given', () => {
  const frozen = Object.freeze({ ...start })
  const { state } = step(frozen, { type: 'begin', speaks: true, afterMs: 0 }, usualRules)
  assert.equal(frozen.turn, 0)
  assert.equal(state.turn, 1)
})
