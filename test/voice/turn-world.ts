// A session without audio for properties of the turn machine: keeps the timers and checks each step.
import assert from 'node:assert/strict'
import { isSameText } from '../../src/voice/same-text.ts'
import { step } from '../../src/voice/turn/machine.ts'
import type { TurnRules } from '../../src/voice/turn/rules.ts'
import {
  initialState,
  type TimerName,
  type TurnCommand,
  type TurnEvent,
  type TurnState,
} from '../../src/voice/turn/state.ts'

/** A session without audio: keeps the timers and tracks which turn may be audible. */
export class World {
  readonly rules: TurnRules
  state: TurnState = initialState
  nowMs = 0
  readonly armed = new Map<TimerName, number>()
  sounding: number | null = null
  readonly dead = new Set<number>()
  isRecognizing = false
  /** The text that the preemptive reply answers, and the number of such replies since the last turn. */
  earlyReply: string | null = null
  earlyReplies = 0
  isOver = false

  constructor(rules: TurnRules) {
    this.rules = rules
  }

  take(event: TurnEvent): readonly TurnCommand[] {
    if (event.type === 'timer') this.armed.delete(event.name)
    if (event.type === 'transcript' && event.recognition === this.state.recognition) this.isRecognizing = false
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
    else if (command.do === 'recognize') this.isRecognizing = true
    else if (command.do === 'cancel-recognition') this.isRecognizing = false
    else if (command.do === 'stream-speech') assert.ok(this.rules.hasLiveRecognition && this.state.isCallerSpeaking)
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
        assert.ok(command.do === 'reply' && isSameText(command.to, this.earlyReply), 'an early reply is for its turn')
      if (command.do === 'reply') this.earlyReplies = 0
      this.earlyReply = null
      this.sounding = command.turn
    } else if (command.do === 'stop') {
      if (this.sounding === command.turn) this.sounding = null
      if (command.isFinal) this.dead.add(command.turn)
    } else if (command.do === 'take-back') {
      assert.equal(command.turn, before.turn, 'only the last reply is taken back')
      if (this.sounding === command.turn) this.sounding = null
      this.dead.add(command.turn)
    } else if (command.do === 'resume') {
      assert.ok(!this.dead.has(command.turn), 'a turn stopped for good stays silent')
      this.sounding = command.turn
    } else if (command.do === 'play-filler')
      assert.equal(command.turn, this.sounding, 'only a turn with the floor gets a filler')
  }

  /** Asserts that in every state a timer or the session will cause the next event. */
  #check(): void {
    const { mode, turn, isRecognizing, isCallerSpeaking, hangupReason, answerPending, transcript } = this.state
    this.isOver ||= mode.name === 'ended'
    if (this.isOver) return
    const due = (...names: TimerName[]) => names.some((name) => this.armed.has(name))
    assert.equal(isRecognizing, this.isRecognizing)
    const hasEarlyReply = mode.name === 'listening' && mode.hasEarlyReply
    assert.equal(hasEarlyReply, this.earlyReply !== null)
    assert.ok(this.earlyReplies <= this.rules.maxEarlyReplies && (this.rules.speculate || this.earlyReplies === 0))
    if (hasEarlyReply) {
      assert.ok(
        isCallerSpeaking || isRecognizing || due('endpointing') || answerPending?.heldTimers.includes('endpointing'),
        'early replies are generated only during a pause, and kept until its transcript is there',
      )
      assert.equal(this.earlyReply, this.state.earlyReplyTo)
      const isKnown = !isCallerSpeaking && !isRecognizing
      if (isKnown) assert.ok(isSameText(this.earlyReply ?? '', transcript), 'and to the whole transcript')
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
    if (answerPending)
      assert.ok(due('voicemail-max'), `the wait for an AMD result has a limit: ${JSON.stringify(this.state)}`)
    if (isRecognizing) assert.ok(due('recognition'), 'a recognition has a time limit')
    if (mode.name === 'thinking' && isCallerSpeaking)
      assert.ok(
        hangupReason || mode.falseStarts === this.rules.maxFalseStarts || this.state.earlyRecognition !== null,
        'the agent does not start while the caller speaks',
      )
    if (mode.name === 'thinking') assert.ok(due('reply') && this.sounding === turn, 'a reply has a time limit')
    else if (mode.name === 'speaking') assert.equal(this.sounding, turn, 'a speaking agent speaks')
    else {
      assert.equal(this.sounding, null, 'a listening agent is silent')
      assert.ok(
        answerPending !== null ||
          due(
            'opening',
            'endpointing',
            'resume',
            'overlap',
            'max-utterance',
            'recognition',
            'digits',
            'idle',
            'silence',
          ),
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
