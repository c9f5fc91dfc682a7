// The floor: how the agent gets it, holds it, loses it and gives it back. Pure, as turns.ts, which decides when.
import type { EndReason } from '../base/end-reasons.ts'
import type { SessionEndReason } from './ports.ts'
import { judgedPause, pauseAfter, type TurnRules } from './turn-rules.ts'
import { type Phrase, type Step, type TimerName, type TurnCommand, type TurnState, timerNames } from './turn-state.ts'

export const stay = (state: TurnState, ...commands: TurnCommand[]): Step => ({ state, commands })

export const after = (commands: readonly TurnCommand[], step: Step): Step => ({
  state: step.state,
  commands: [...commands, ...step.commands],
})

export const arm = (timer: TimerName, ms: number): TurnCommand => ({
  do: 'arm',
  timer,
  ms: Math.max(0, Math.round(ms)),
})
export const disarm = (...timers: TimerName[]): TurnCommand[] => timers.map((timer) => ({ do: 'disarm', timer }))
const stop = ({ turn }: TurnState, isForGood: boolean): TurnCommand => ({ do: 'stop', turn, isForGood })
export const joined = (before: string, text: string) => `${before} ${text}`.trim()
export const hasFloor = ({ phase }: TurnState) => phase === 'thinking' || phase === 'speaking'

/** The caller is about to have said something. */
export const isBusy = ({ isVoiced, isRecognising, keys }: TurnState) => isVoiced || isRecognising || keys !== ''

export const isFree = (state: TurnState) =>
  state.phase === 'listening' && !state.isCut && !isBusy(state) && state.heard === ''
export const mayInterrupt = (state: TurnState, rules: TurnRules) =>
  rules.interruptible && state.leaving === null && !state.isUrgent

/** A tool has its own limit; ours is for one that does not keep it. */
const SPARE_TOOL_MS = 5000

export const answerIn = ({ isWorking, workMs }: TurnState, rules: TurnRules) =>
  arm('answer', isWorking ? Math.max(rules.toolMs, workMs + SPARE_TOOL_MS) : rules.answerMs)

/** Its sound begins a little after it is wanted. */
const SPARE_SOUND_MS = 500
/** So long at most nothing is heard while a tool works. */
const quietMs = ({ fillerMs }: TurnRules) => Math.max(fillerMs - SPARE_SOUND_MS, SPARE_SOUND_MS)
export const quietIn = (rules: TurnRules): TurnCommand[] => (rules.fillerMs > 0 ? [arm('filler', quietMs(rules))] : [])

/** Nothing is heard of the agent's turn yet, or nothing more for now. */
export function awaitSound(state: TurnState, rules: TurnRules): TurnCommand[] {
  const fills = (state.kind === 'reply' || state.kind === 'news') && rules.fillerMs > 0
  const filler = state.isWorking ? quietIn(rules) : [arm('filler', rules.fillerMs)]
  return [...(fills ? filler : []), answerIn(state, rules)]
}

/** The agent gets the floor. */
export function speak(
  state: TurnState,
  kind: TurnState['kind'],
  command: (turn: number) => TurnCommand,
  rules: TurnRules,
): Step {
  const silence = kind === 'reminder' ? state.silence : 'off'
  const next: TurnState = {
    ...state,
    phase: 'thinking',
    kind,
    turn: state.turn + 1,
    hasSounded: false,
    isWorking: false,
    isCut: false,
    isUrgent: false,
    fillers: 0,
    holds: 0,
    murmur: '',
    silence,
  }
  const quiet = disarm(
    'opening',
    'pause',
    'resume',
    'idle',
    'interrupt',
    ...(silence === 'off' ? ['silence' as const] : []),
  )
  return stay(next, ...quiet, ...disarm('filler'), ...awaitSound(next, rules), command(next.turn))
}

export function say(state: TurnState, phrase: Phrase, times: number, rules: TurnRules): Step {
  return speak(state, phrase === 'reminder' ? phrase : 'phrase', (turn) => ({ do: 'say', turn, phrase, times }), rules)
}

export function takeTurn(state: TurnState, rules: TurnRules): Step {
  const { heard: to, owesOpening } = state
  if (state.relays.length > 0 && !owesOpening) return takeRelay(state, rules)
  const next: TurnState = {
    ...state,
    heard: '',
    beganAtMs: null,
    pausedMs: null,
    isGuessed: false,
    guesses: 0,
    owesOpening: false,
    reminders: 0,
  }
  return owesOpening
    ? speak(next, 'opening', (turn) => ({ do: 'open', turn, to }), rules)
    : speak({ ...next, hasNews: false }, 'reply', (turn) => ({ do: 'reply', turn, to }), rules)
}

export const takeNews = (state: TurnState, rules: TurnRules): Step =>
  speak({ ...state, hasNews: false }, 'news', (turn) => ({ do: 'news', turn }), rules)

/** The first of an operator's words. They stand for the reply to what the caller has said; if he still speaks, that comes after them. */
export function takeRelay(state: TurnState, rules: TurnRules): Step {
  const [text = '', ...relays] = state.relays
  const isUrgent = isBusy(state)
  const answered = isUrgent ? {} : { heard: '', beganAtMs: null, pausedMs: null, guesses: 0 }
  const next: TurnState = { ...state, ...answered, relays, owesOpening: false, reminders: 0 }
  const to = isUrgent ? '' : state.heard
  const said = speak(next, 'relay', (turn) => ({ do: 'relay', turn, to, text }), rules)
  return { ...said, state: { ...said.state, relayed: text, isUrgent, holds: isUrgent ? rules.maxHolds : 0 } }
}

/** Nobody speaks: the caller may, and is reminded if he does not. */
export function waiting(state: TurnState, rules: TurnRules): Step {
  const next: TurnState = { ...state, phase: 'listening', isCut: false }
  const quiet = disarm('filler', 'answer', 'resume')
  if (isFree(next) && state.relays.length > 0 && !state.owesOpening) return after(quiet, takeRelay(next, rules))
  if (isFree(next) && state.hasNews && !state.owesOpening) return after(quiet, takeNews(next, rules))
  if (isFree(next) && state.silence === 'passed') return after(quiet, over(next, 'silence_timeout'))
  if (isFree(next) && state.warning === 'due') return after(quiet, warn(next, rules))
  const silence = state.silence === 'off' ? [arm('silence', rules.silenceHangupMs)] : []
  const reminds = rules.idleReminderMs > 0 && state.reminders < rules.maxReminders && !isBusy(state)
  // It is the agent whom both wait for while a tool works.
  const fills = state.toolsOut && rules.fillerMs > 0 && !isBusy(state)
  const idle = fills || reminds ? [arm('idle', fills ? quietMs(rules) : rules.idleReminderMs)] : disarm('idle')
  return stay({ ...next, silence: state.silence === 'off' ? 'running' : state.silence }, ...quiet, ...silence, ...idle)
}

/** What was said waits until the pause is long enough. */
export function awaitMore(state: TurnState, atMs: number, rules: TurnRules, atLeastMs = 0): Step {
  const pauseMs = Math.max(atLeastMs, pauseAfter(state.heard, rules, state.paceMs))
  const leftMs = pauseMs - Math.max(0, atMs - state.changedAtMs)
  // Who asks to wait gets time, whatever a model thinks of it.
  if (atLeastMs > 0) return stay(state, ...disarm('idle'), arm('pause', leftMs))
  const { recognition, beganAtMs: fromMs, heard: text } = state
  if (rules.judgeMs === 0 || fromMs === null) return after(disarm('idle'), awaitEnd(state, leftMs, rules))
  const judge: TurnCommand = { do: 'judge', recognition, fromMs, text }
  return after([...disarm('idle'), judge], awaitEnd(state, Math.max(leftMs, rules.judgeMs), rules))
}

/** The turn is taken after so long; the model is asked already, if it may be. */
function awaitEnd(state: TurnState, waitMs: number, rules: TurnRules): Step {
  if (!mayGuess(state, waitMs, rules)) return stay(state, arm('pause', waitMs))
  const next = { ...state, isGuessed: true, guesses: state.guesses + 1 }
  return stay(next, arm('pause', waitMs), { do: 'guess', to: state.heard })
}

function mayGuess(state: TurnState, waitMs: number, rules: TurnRules): boolean {
  const spokeMs = state.beganAtMs === null ? 0 : state.changedAtMs - state.beganAtMs
  const isWorth = state.guesses < rules.maxGuesses && spokeMs <= rules.guessWithinMs && waitMs > 0
  // What a tool is about to bring will be part of the question; what an operator wants said will be the answer.
  const isWhole = !isBusy(state) && !state.owesOpening && !state.toolsOut && !state.hasNews && state.relays.length === 0
  return rules.speculate && isWorth && isWhole && !state.isGuessed
}

/** The caller goes on: what the model thought of is for nobody. */
export function unguessed(state: TurnState): Step {
  return state.isGuessed ? stay({ ...state, isGuessed: false }, { do: 'forget-guess' }) : stay(state)
}

/** A turn model has its say in time: the pause is as long as it thinks. */
export function judged(state: TurnState, finished: number, atMs: number, rules: TurnRules): Step {
  if (state.phase !== 'listening' || state.isCut || isBusy(state) || state.heard === '') return stay(state)
  const pauseMs = judgedPause(state.heard, finished, rules)
  return stay(state, arm('pause', pauseMs - Math.max(0, atMs - state.changedAtMs)))
}

export function spoken(state: TurnState, rules: TurnRules): Step {
  if (state.leaving !== null) return over(state, state.leaving)
  if (state.kind === 'reply' && !state.hasSounded) return failed(state, 'apology', 'llm_error', rules)
  const failures = state.kind === 'reply' ? 0 : state.failures
  // What was said over the agent without stopping it is answered now; so is a yes in its last second.
  const heard = state.heard || state.murmur
  const next: TurnState = { ...state, phase: 'listening', isUrgent: false, failures, heard, murmur: '' }
  if (heard === '') return waiting(next, rules)
  const quiet = disarm('filler', 'answer', 'murmur')
  return isBusy(next) ? stay(next, ...quiet) : after(quiet, awaitEnd(next, rules.minPauseMs, rules))
}

/** The caller has the floor; of what he prevented wholly, the opening and an operator's words are still owed to him. */
export function dropped(state: TurnState): Step {
  if (!hasFloor(state) && !state.isCut) return stay(state)
  const owesOpening = state.owesOpening || (state.kind === 'opening' && !state.hasSounded)
  const relays = state.kind === 'relay' && !state.hasSounded ? [state.relayed, ...state.relays] : state.relays
  const floor = { phase: 'listening', isCut: false, isUrgent: false, isWorking: false } as const
  const next: TurnState = { ...state, ...floor, owesOpening, relays }
  return stay(next, stop(state, true), ...disarm('filler', 'answer', 'resume', 'interrupt'))
}

/** Held: it goes on if it turns out that nobody said anything. */
export function cut(state: TurnState, rules: TurnRules): Step {
  const next: TurnState = { ...state, phase: 'listening', isCut: true }
  const timers = disarm('filler', 'answer', 'interrupt')
  return stay(next, ...timers, stop(state, false), arm('breath', rules.resumeAfterMs))
}

export function resumed(state: TurnState, rules: TurnRules): Step {
  const next: TurnState = { ...state, phase: 'thinking', isCut: false }
  return stay(next, ...disarm('resume', 'breath'), ...awaitSound(next, rules), { do: 'resume', turn: state.turn })
}

export const warns = ({ maxDurationMs, warnBeforeMs }: TurnRules) =>
  warnBeforeMs > 0 && maxDurationMs > 2 * warnBeforeMs

export const warn = (state: TurnState, rules: TurnRules) => say({ ...state, warning: 'given' }, 'warning', 0, rules)

/** Once an apology, again an apology, then a goodbye: never silence. */
export function failed(state: TurnState, phrase: Phrase, reason: EndReason, rules: TurnRules): Step {
  const failures = state.failures + 1
  if (state.leaving !== null || failures > rules.maxFailures) return over(state, state.leaving ?? reason)
  const leaving = failures === rules.maxFailures ? reason : null
  const first = hasFloor(state) ? [stop(state, true)] : []
  const said = say({ ...state, failures, leaving }, leaving ? 'goodbye' : phrase, failures - 1, rules)
  // Not over the caller's voice, unless it is the last word.
  const next = state.isVoiced && leaving === null ? after(said.commands, cut(said.state, rules)) : said
  return after(first, next)
}

export const over = (state: TurnState, reason: SessionEndReason): Step => {
  const end = ended(state)
  return { state: end.state, commands: [...end.commands, { do: 'hang-up', reason }] }
}

export const ended = (state: TurnState): Step =>
  stay({ ...state, phase: 'over' }, ...(state.turn > 0 ? [stop(state, true)] : []), ...disarm(...timerNames))
