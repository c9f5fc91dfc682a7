// Who has the floor. Pure: no clock, no promise, no audio. Events in, the next state and what is to be done out; all of barge-in is here.

import { asksToWait, isBackchannel, isStopWord, saysOneOf, wordsIn } from './backchannel.ts'
import { updateAveragePause } from './endpointing.ts'
import {
  after,
  arm,
  awaitMore,
  awaitSound,
  cut,
  disarm,
  dropped,
  ended,
  failed,
  hasFloor,
  isBusy,
  isFree,
  joined,
  judged,
  mayInterrupt,
  over,
  resumed,
  say,
  speak,
  spoken,
  stay,
  takeTurn,
  unguessed,
  waiting,
  warn,
  warns,
} from './turn-floor.ts'
import { relay } from './turn-operator.ts'
import type { TurnRules } from './turn-rules.ts'
import type { Step, TimerName, TurnCommand, TurnEvent, TurnState } from './turn-state.ts'
import { away, fill, givenAway, stillAtWork, toolStep } from './turn-tools.ts'
import { answeredBy, atMailbox, heldBack, suspected, toneHeard, trusted } from './turn-voicemail.ts'

const MAX_KEYS = 32

export function step(state: TurnState, event: TurnEvent, rules: TurnRules): Step {
  if (state.phase === 'over') return stay(state)
  if (state.isAway) return away(state, event, rules)
  const held = heldBack(state, event)
  if (held) return held
  const isAtMailbox = state.mailbox === 'greeting' && event.type !== 'maybe'
  return ducked(isAtMailbox ? atMailbox(state, event, rules) : decided(state, event, rules), rules)
}

/** Quieter from the first thing over the agent that may be a voice, until it is known what that was. */
function ducked({ state, commands }: Step, rules: TurnRules): Step {
  const isDucked = state.phase === 'speaking' && (state.isVoiced || state.isMaybe) && mayInterrupt(state, rules)
  if (state.phase === 'over' || isDucked === state.isDucked) return { state, commands }
  return { state: { ...state, isDucked }, commands: [...commands, { do: isDucked ? 'duck' : 'unduck' }] }
}

function decided(state: TurnState, event: TurnEvent, rules: TurnRules): Step {
  switch (event.type) {
    case 'begin':
      return state.turn > 0 ? stay(state) : after([firstLimit(rules)], begun(state, event, rules))
    case 'voice':
      return event.on ? voiceBegan(state, event, rules) : voiceEnded(state, event.atMs, rules)
    case 'maybe':
      return stay({ ...state, isMaybe: event.on })
    case 'lull':
      // A voice that is shorter than the threshold is known to have ended only after it.
      if (event.on) return stay(state, ...disarm('interrupt'))
      return stay(state, ...(state.isVoiced ? interruptIn(state, event.voicedMs, rules) : []))
    case 'words':
      if (!state.isRecognising || event.recognition !== state.recognition) return stay(state)
      return after(disarm('recognition'), wordless(recognised({ ...state, isRecognising: false }, event, rules)))
    case 'judged':
      return event.recognition === state.recognition ? judged(state, event.finished, event.atMs, rules) : stay(state)
    case 'suspected':
      return suspected(state, rules)
    case 'answered':
      return answeredBy(state, event, rules)
    case 'beep':
      return toneHeard(state, rules)
    case 'key':
      return state.leaving === null ? pressed(state, event.digit, rules) : stay(state)
    case 'timer':
      return timed(state, event.name, rules)
    case 'sounded':
      if (event.turn !== state.turn || state.phase !== 'thinking') return stay(state)
      return sounded({ ...state, phase: 'speaking', hasSounded: true, holds: state.isUrgent ? state.holds : 0 }, rules)
    case 'dry':
      if (event.turn !== state.turn || state.phase !== 'speaking') return stay(state)
      return state.isVoiced && state.leaving === null && !state.isUrgent
        ? cut(state, rules)
        : stay({ ...state, phase: 'thinking', fillers: 0 }, ...awaitSound(state, rules))
    case 'tool':
    case 'tools':
    case 'due':
    case 'filled':
    case 'news':
    case 'leaving':
    case 'given-away':
      return toolStep(state, event, rules)
    case 'spoken':
      return event.turn === state.turn && hasFloor(state) ? spoken(state, rules) : stay(state)
    case 'failed':
      // A turn that is held fails again when it is resumed.
      if (event.turn !== state.turn || !hasFloor(state)) return stay(state)
      return failed(state, 'apology', event.stage === 'model' ? 'llm_error' : 'tts_error', rules)
    case 'relay':
      return relay(state, event, rules)
    case 'away':
      return state.leaving === null ? givenAway(state) : stay(state)
    case 'back':
      return stay(state)
    case 'left':
      return ended(state)
  }
}

function begun(state: TurnState, { speaks, afterMs }: { speaks: boolean; afterMs: number }, rules: TurnRules): Step {
  if (!speaks) return waiting(state, rules)
  const owing = { ...state, owesOpening: true }
  if (afterMs > 0) return stay(owing, arm('opening', afterMs))
  // Who is called says hello first: the agent lets him finish.
  return isFree(state) ? takeTurn(owing, rules) : stay(owing)
}

/** What is left of the threshold is waited for. */
const interruptIn = (state: TurnState, voicedMs: number, rules: TurnRules): TurnCommand[] =>
  state.phase === 'speaking' && mayInterrupt(state, rules) ? [arm('interrupt', rules.interruptAfterMs - voicedMs)] : []

const sounded = (state: TurnState, rules: TurnRules): Step =>
  stay(state, ...disarm('filler', 'answer'), ...(state.isVoiced ? interruptIn(state, 0, rules) : []))

/** What nobody found a word in was no beginning. */
const wordless = ({ state, commands }: Step): Step =>
  state.heard === '' && state.murmur === '' && !state.isVoiced
    ? { state: { ...state, beganAtMs: null }, commands }
    : { state, commands }

/** Something was said before this voice, or may have been, that belongs to the same turn. */
const goesOn = ({ heard, murmur, isRecognising, isVoiced }: TurnState) =>
  heard !== '' || murmur !== '' || isRecognising || isVoiced

/** How long he was quiet before this voice, if he goes on with it; what is too short to be taken for an end tells nothing. */
function pauseBefore(state: TurnState, atMs: number, rules: TurnRules): number | null {
  const isWaitedFor = state.phase === 'listening' && !state.isCut && (state.heard !== '' || state.isRecognising)
  const isTakenTooSoon = state.phase === 'thinking' && state.kind === 'reply' && !state.hasSounded
  const pauseMs = Math.min(atMs - state.changedAtMs, rules.maxPauseMs)
  const isPause = !state.isVoiced && pauseMs >= rules.minPauseMs
  return isPause && (isWaitedFor || isTakenTooSoon) ? pauseMs : null
}

function voiceBegan(state: TurnState, { atMs, voicedMs }: { atMs: number; voicedMs: number }, rules: TurnRules): Step {
  const next: TurnState = {
    ...state,
    isVoiced: true,
    isMaybe: false,
    changedAtMs: atMs,
    beganAtMs: goesOn(state) ? (state.beganAtMs ?? atMs) : atMs,
    pausedMs: pauseBefore(state, atMs, rules),
    isRecognising: false,
    isGuessed: false,
    breaths: 0,
  }
  const quiet: TurnCommand[] = [
    ...unguessed(state).commands,
    ...disarm('pause', 'idle', 'resume', 'recognition'),
    ...(state.isRecognising ? [{ do: 'forget' as const }] : []),
    arm('breath', state.isCut ? rules.resumeAfterMs : rules.breathMs),
  ]
  if (state.leaving !== null) return stay(next, ...quiet)
  // Nobody hears the agent yet: it holds its tongue at once.
  if (state.phase === 'thinking' && state.holds < rules.maxHolds)
    return after(quiet, cut({ ...next, holds: state.holds + 1 }, rules))
  return stay(next, ...quiet, ...interruptIn(next, voicedMs, rules))
}

function voiceEnded(state: TurnState, atMs: number, rules: TurnRules): Step {
  const free = unguessed(state)
  const next = { ...free.state, isVoiced: false, changedAtMs: atMs, breaths: 0 }
  const resume = state.isCut ? [arm('resume', rules.resumeAfterMs)] : []
  const first = [...free.commands, ...disarm('interrupt', 'breath', 'pause'), ...resume]
  return after(first, recognise(next, false, rules))
}

function recognise(state: TurnState, isProbe: boolean, rules: TurnRules): Step {
  const recognition = state.recognition + 1
  const first: TurnCommand[] = state.isRecognising ? [{ do: 'forget' }] : []
  const next = { ...state, recognition, isRecognising: true }
  return stay(next, ...first, arm('recognition', rules.recognitionMs), { do: 'recognise', recognition, isProbe })
}

type Words = { text: string; atMs: number; hasFailed?: boolean }

function recognised(state: TurnState, { text, atMs, hasFailed = false }: Words, rules: TurnRules): Step {
  const said = text.trim()
  // Nobody could tell what this voice says: it is asked again.
  if (hasFailed && state.isVoiced && state.breaths < rules.maxBreaths) return stay(state, arm('breath', rules.breathMs))
  // A voice in which nobody finds a word is none.
  if (said === '') return nothingSaid({ ...state, isVoiced: false }, atMs, hasFailed, rules)
  if (state.isVoiced && state.breaths < rules.maxBreaths) {
    const known = state.isCut && !isBackchannel(said) ? dropped(state) : stay(state)
    return after(known.commands, stay(known.state, arm('breath', rules.breathMs)))
  }
  return understood({ ...state, isVoiced: false }, said, atMs, rules)
}

/** The caller has said what ends the call: the agent says goodbye, and hangs up when that was heard. */
function farewell(state: TurnState, to: string, rules: TurnRules): Step {
  const quiet = unguessed(state)
  const free = dropped(quiet.state)
  const next: TurnState = { ...free.state, heard: '', beganAtMs: null, owesOpening: false, leaving: 'end_phrase' }
  const said = speak(next, 'phrase', (turn) => ({ do: 'say', turn, phrase: 'farewell', times: 0, to }), rules)
  return after([...quiet.commands, ...free.commands], said)
}

function understood(state: TurnState, said: string, atMs: number, rules: TurnRules): Step {
  if (state.leaving !== null) return stay(state)
  if (saysOneOf(said, rules.endPhrases)) return farewell(state, joined(state.heard, said), rules)
  const holdsFloor = hasFloor(state) || state.isCut
  if (holdsFloor && isBackchannel(said)) {
    const murmured = { ...state, murmur: state.hasSounded ? joined(state.murmur, said) : '' }
    return after([arm('murmur', rules.murmurMs)], state.isCut ? resumed(murmured, rules) : stay(murmured))
  }
  const isShort = wordsIn(said).length < rules.interruptAfterWords && !isStopWord(said)
  // One that sounds is stopped by words, not by a cough; but nothing that was said is lost.
  if ((state.phase === 'speaking' || state.isUrgent) && (!mayInterrupt(state, rules) || isShort))
    return stay({ ...state, heard: joined(state.heard, said) })
  const free = dropped(state)
  const next: TurnState = {
    ...free.state,
    heard: joined(state.heard, said),
    pausedMs: null,
    paceMs: state.pausedMs === null ? state.paceMs : updateAveragePause(state.paceMs, state.pausedMs),
    murmur: '',
    reminders: 0,
    silence: 'off',
  }
  const first = [...free.commands, ...disarm('silence')]
  return after(first, awaitMore(next, atMs, rules, holdsFloor && asksToWait(said) ? rules.maxPauseMs : 0))
}

function nothingSaid(state: TurnState, atMs: number, hasFailed: boolean, rules: TurnRules): Step {
  const quiet = disarm('interrupt', 'breath')
  if (state.isCut) return after(quiet, resumed(state, rules))
  if (hasFloor(state)) return stay(state, ...quiet)
  if (state.heard !== '') return after(quiet, awaitMore(state, atMs, rules))
  if (state.owesOpening) return stay(state, ...quiet, arm('pause', rules.minPauseMs))
  if (hasFailed) return after(quiet, failed(state, 'not-heard', 'stt_error', rules))
  return after(quiet, waiting(state, rules))
}

/** The first key silences the agent; those that follow each other closely are one number, and # ends it. */
function pressed(state: TurnState, digit: string, rules: TurnRules): Step {
  const quiet = unguessed(state)
  const isHeld = state.isUrgent || (state.phase === 'speaking' && !rules.interruptible)
  const free = isHeld ? quiet : after(quiet.commands, dropped(quiet.state))
  const keys = digit === '#' && state.keys !== '' ? state.keys : state.keys + digit
  const next: TurnState = { ...free.state, keys, reminders: 0, silence: 'off' }
  const first = [...free.commands, ...disarm('idle', 'silence')]
  if (digit === '#' || keys.length >= MAX_KEYS) return after(first, keyed(next, rules))
  return stay(next, ...first, arm('keys', rules.keysGapMs))
}

function keyed(state: TurnState, rules: TurnRules): Step {
  const next: TurnState = { ...state, heard: joined(state.heard, state.keys), keys: '' }
  if (hasFloor(next) || next.isCut || isBusy(next)) return stay(next, ...disarm('keys'))
  return after(disarm('keys'), takeTurn(next, rules))
}

function timed(state: TurnState, name: TimerName, rules: TurnRules): Step {
  const isListening = state.phase === 'listening' && !state.isCut && !isBusy(state)
  switch (name) {
    case 'opening':
      return state.owesOpening && isFree(state) ? takeTurn(state, rules) : stay(state)
    case 'pause':
      return isListening && (state.heard !== '' || state.owesOpening) ? takeTurn(state, rules) : stay(state)
    case 'interrupt':
      return state.phase === 'speaking' && state.isVoiced && mayInterrupt(state, rules)
        ? cut(state, rules)
        : stay(state)
    case 'resume':
      return state.isCut && !state.isVoiced ? resumed(state, rules) : stay(state)
    case 'breath':
      if (!state.isVoiced) return stay(state)
      return recognise({ ...state, breaths: state.breaths + 1 }, state.breaths + 1 < rules.maxBreaths, rules)
    case 'recognition': {
      if (!state.isRecognising) return stay(state)
      const lost = { text: '', atMs: state.changedAtMs, hasFailed: true }
      return after([{ do: 'forget' }], recognised({ ...state, isRecognising: false }, lost, rules))
    }
    case 'murmur':
      return stay({ ...state, murmur: '' })
    case 'keys':
      return state.keys === '' ? stay(state) : keyed(state, rules)
    case 'idle':
      if (!isFree(state) || state.owesOpening) return stay(state)
      if (state.toolsOut && rules.fillerMs > 0) return stillAtWork(state, rules)
      return say({ ...state, reminders: state.reminders + 1 }, 'reminder', state.reminders, rules)
    case 'silence':
      if (state.silence !== 'running') return stay(state)
      return isFree(state) ? over(state, 'silence_timeout') : stay({ ...state, silence: 'passed' })
    case 'filler':
      if (state.phase !== 'thinking') return stay(state)
      return state.isWorking || state.fillers < rules.maxFillers ? fill(state, rules) : stay(state)
    case 'answer':
      return state.phase === 'thinking' ? failed(state, 'apology', 'llm_error', rules) : stay(state)
    case 'limit':
      return limited(state, rules)
    case 'message':
      return state.mailbox === 'suspected' ? trusted(state) : stay(state)
    case 'quiet':
      return stay(state)
  }
}

const firstLimit = (rules: TurnRules) =>
  arm('limit', warns(rules) ? rules.maxDurationMs - rules.warnBeforeMs : rules.maxDurationMs)

function limited(state: TurnState, rules: TurnRules): Step {
  if (state.warning !== 'none' || !warns(rules)) return over(state, 'max_duration')
  const next: TurnState = { ...state, warning: 'due' }
  const last = [arm('limit', rules.warnBeforeMs)]
  return isFree(next) && !next.owesOpening ? after(last, warn(next, rules)) : stay(next, ...last)
}
