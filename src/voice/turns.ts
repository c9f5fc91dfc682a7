// Who has the floor. Pure: no clock, no promise, no audio. Events in, the next state and what is to be done out; all of barge-in is here.
import { isAcknowledgement, isStopWord, wordsIn } from './small-words.ts'
import { pauseAfter, type TurnRules } from './turn-rules.ts'

export type TimerName = 'pause' | 'interrupt' | 'resume' | 'idle' | 'silence' | 'filler' | 'answer'

export type TurnState = {
  readonly phase: 'listening' | 'thinking' | 'speaking' | 'over'
  /** The caller's voice is heard now. */
  readonly isVoiced: boolean
  /** When that voice began or ended, in media time. */
  readonly changedAtMs: number
  /** Recognitions that have not come back. */
  readonly recognising: number
  /** What the caller has said since the agent was last given the floor. */
  readonly heard: string
  /** Number of the agent's turn: what an older one still says or does is nobody's business. */
  readonly turn: number
  /** The agent was stopped by a voice, and nobody knows yet whether it said anything. */
  readonly isCut: boolean
  readonly reminders: number
  readonly failures: number
  /** The opening phrase is still owed: somebody spoke before it. */
  readonly owesOpening: boolean
  /** It answers the caller, rather than saying a phrase of the platform. */
  readonly isReply: boolean
  /** The last words are being said: after them the call is hung up. */
  readonly isLeaving: boolean
}

export type TurnEvent =
  | { type: 'begin'; speaks: boolean }
  | { type: 'voice'; on: boolean; atMs: number }
  /** An utterance was recognised; empty when it was noise. `atMs` is media time now. */
  | { type: 'words'; text: string; atMs: number }
  /** Keys that belong together. */
  | { type: 'keys'; digits: string }
  | { type: 'timer'; name: TimerName }
  /** The first sound of this turn has been heard. */
  | { type: 'sounded'; turn: number }
  /** Everything of this turn was said and heard. */
  | { type: 'spoken'; turn: number }
  /** No reply could be made for this turn. */
  | { type: 'failed'; turn: number }
  | { type: 'left' }

export type Phrase = 'filler' | 'reminder' | 'apology' | 'goodbye' | 'not-heard'

export type TurnCommand =
  | { do: 'recognise' }
  | { do: 'reply'; turn: number; to: string }
  /** The opening phrase, perhaps after a hello. */
  | { do: 'open'; turn: number; to?: string }
  | { do: 'say'; turn: number; phrase: Phrase }
  /** The reply takes long: something is said before it. */
  | { do: 'fill'; turn: number }
  /** Nothing more of this turn is heard. */
  | { do: 'stop'; turn: number }
  /** It was stopped by mistake: the rest of it is said. */
  | { do: 'resume'; turn: number }
  | { do: 'arm'; timer: TimerName; ms: number }
  | { do: 'disarm'; timer: TimerName }
  | { do: 'hang-up'; reason: string }

export type Step = { readonly state: TurnState; readonly commands: readonly TurnCommand[] }

export const start: TurnState = {
  phase: 'listening',
  isVoiced: false,
  changedAtMs: 0,
  recognising: 0,
  heard: '',
  turn: 0,
  isCut: false,
  reminders: 0,
  failures: 0,
  owesOpening: false,
  isReply: false,
  isLeaving: false,
}

const stay = (state: TurnState, ...commands: TurnCommand[]): Step => ({ state, commands })
const arm = (timer: TimerName, ms: number): TurnCommand => ({ do: 'arm', timer, ms: Math.max(0, Math.round(ms)) })
const disarm = (...timers: TimerName[]): TurnCommand[] => timers.map((timer) => ({ do: 'disarm', timer }))

export function step(state: TurnState, event: TurnEvent, rules: TurnRules): Step {
  if (state.phase === 'over') return stay(state)
  switch (event.type) {
    case 'begin':
      if (!event.speaks) return waiting(state, rules)
      // Who is called says hello first: the agent lets him finish.
      if (state.isVoiced || state.recognising > 0 || state.heard !== '') return stay({ ...state, owesOpening: true })
      return speak(state, (turn) => ({ do: 'open', turn }), rules)
    case 'voice':
      return event.on ? voiceBegan(state, event.atMs, rules) : voiceEnded(state, event.atMs)
    case 'words':
      return recognised({ ...state, recognising: Math.max(0, state.recognising - 1) }, event, rules)
    case 'keys':
      return takeTurn({ ...state, heard: joined(state.heard, event.digits) }, rules)
    case 'timer':
      return timed(state, event.name, rules)
    case 'sounded':
      return event.turn === state.turn && state.phase === 'thinking'
        ? stay(
            { ...state, phase: 'speaking', failures: state.isReply ? 0 : state.failures },
            ...disarm('filler', 'answer'),
          )
        : stay(state)
    case 'spoken':
      if (event.turn !== state.turn || state.isCut) return stay(state)
      return state.isLeaving ? over(state, 'llm_error') : waiting(state, rules)
    case 'failed':
      return event.turn === state.turn ? failed(state, rules) : stay(state)
    case 'left':
      return stay({ ...state, phase: 'over' }, { do: 'stop', turn: state.turn }, ...disarm(...allTimers))
  }
}

const allTimers: readonly TimerName[] = ['pause', 'interrupt', 'resume', 'idle', 'silence', 'filler', 'answer']
const hasFloor = ({ phase }: TurnState) => phase === 'thinking' || phase === 'speaking'
const joined = (before: string, text: string) => `${before} ${text}`.trim()

/** The agent gets the floor. */
function speak(state: TurnState, command: (turn: number) => TurnCommand, rules: TurnRules): Step {
  const turn = state.turn + 1
  const said = command(turn)
  const isReply = said.do === 'reply'
  const next: TurnState = { ...state, phase: 'thinking', turn, heard: '', isCut: false, isReply }
  const quiet = disarm('pause', 'resume', 'idle', 'silence')
  const filler = isReply && rules.fillerMs > 0 ? [arm('filler', rules.fillerMs)] : []
  return stay(next, ...quiet, ...filler, arm('answer', rules.answerMs), said)
}

/** Nobody speaks: the caller may, and is reminded if he does not. */
function waiting(state: TurnState, rules: TurnRules): Step {
  const next: TurnState = { ...state, phase: 'listening', isCut: false }
  const timers = [arm('silence', rules.silenceHangupMs)]
  if (rules.idleReminderMs > 0 && state.reminders < rules.maxReminders) timers.push(arm('idle', rules.idleReminderMs))
  return stay(next, ...disarm('filler', 'answer', 'resume'), ...(state.isVoiced ? [] : timers))
}

function voiceBegan(state: TurnState, atMs: number, rules: TurnRules): Step {
  const next: TurnState = { ...state, isVoiced: true, changedAtMs: atMs }
  const quiet = disarm('pause', 'idle', 'silence', 'resume')
  // A voice is known to be one only after some of it: what is left of the threshold is waited for.
  if (hasFloor(state) && rules.interruptible)
    return stay(next, ...quiet, arm('interrupt', rules.interruptAfterMs - rules.voiceKnownAfterMs))
  return stay(next, ...quiet)
}

function voiceEnded(state: TurnState, atMs: number): Step {
  const next = { ...state, isVoiced: false, changedAtMs: atMs, recognising: state.recognising + 1 }
  return stay(next, ...disarm('interrupt'), { do: 'recognise' })
}

function recognised(state: TurnState, { text, atMs }: { text: string; atMs: number }, rules: TurnRules): Step {
  const said = text.trim()
  if (said === '') return nothingSaid(state, rules)
  const isShort = wordsIn(said).length < rules.interruptAfterWords
  if (hasFloor(state) && !state.isCut) {
    if (!rules.interruptible || isAcknowledgement(said)) return stay(state)
    // A turn that has not sounded yet is answered anew, with all that was said; one that sounds is stopped by words, not by a cough.
    if (state.phase === 'speaking' && isShort && !isStopWord(said)) return stay(state)
    return hear({ ...state, phase: 'listening' }, said, atMs, rules, [{ do: 'stop', turn: state.turn }])
  }
  if (state.isCut && isAcknowledgement(said)) return resumed(state)
  return hear({ ...state, isCut: false }, said, atMs, rules, [])
}

/** What was said is kept, and the caller may go on until the pause is long enough. */
function hear(state: TurnState, said: string, atMs: number, rules: TurnRules, first: TurnCommand[]): Step {
  const heard = joined(state.heard, said)
  const next: TurnState = { ...state, phase: 'listening', heard, reminders: 0 }
  if (state.isVoiced || state.recognising > 0) return stay(next, ...first, ...disarm('resume'))
  const waitedMs = atMs - state.changedAtMs
  return stay(next, ...first, ...disarm('resume', 'idle'), arm('pause', pauseAfter(heard, rules) - waitedMs))
}

function nothingSaid(state: TurnState, rules: TurnRules): Step {
  if (state.isVoiced || state.recognising > 0) return stay(state)
  if (state.isCut) return resumed(state)
  if (hasFloor(state)) return stay(state)
  if (state.owesOpening && state.heard === '') return takeTurn(state, rules)
  return state.heard === '' ? waiting(state, rules) : stay(state, arm('pause', rules.minPauseMs))
}

const resumed = (state: TurnState): Step =>
  stay({ ...state, phase: 'speaking', isCut: false }, ...disarm('resume'), { do: 'resume', turn: state.turn })

function takeTurn(state: TurnState, rules: TurnRules): Step {
  const to = state.heard
  const stop: TurnCommand[] = hasFloor(state) ? [{ do: 'stop', turn: state.turn }] : []
  const given = state.owesOpening
    ? speak({ ...state, owesOpening: false }, (turn) => ({ do: 'open', turn, to }), rules)
    : speak({ ...state, reminders: 0 }, (turn) => ({ do: 'reply', turn, to }), rules)
  return { state: given.state, commands: [...stop, ...given.commands] }
}

function timed(state: TurnState, name: TimerName, rules: TurnRules): Step {
  switch (name) {
    case 'pause':
      if (state.isVoiced || state.recognising > 0 || state.heard === '') return stay(state)
      return takeTurn(state, rules)
    case 'interrupt':
      if (!hasFloor(state) || !state.isVoiced) return stay(state)
      // A turn that nobody has heard yet is simply dropped; its question is still to be answered with what is added now.
      return stay(
        { ...state, phase: 'listening', isCut: state.phase === 'speaking' },
        ...disarm('filler', 'answer'),
        {
          do: 'stop',
          turn: state.turn,
        },
        arm('resume', rules.resumeAfterMs),
      )
    case 'resume':
      if (!state.isCut || state.isVoiced || state.recognising > 0) return stay(state, ...rearm(state, rules))
      return resumed(state)
    case 'idle':
      if (state.phase !== 'listening' || state.isVoiced) return stay(state)
      return say({ ...state, reminders: state.reminders + 1 }, 'reminder', rules)
    case 'silence':
      if (state.phase !== 'listening' || state.isVoiced) return stay(state)
      return over(state, 'silence_timeout')
    case 'filler':
      return state.phase === 'thinking' ? stay(state, { do: 'fill', turn: state.turn }) : stay(state)
    case 'answer':
      return state.phase === 'thinking' ? failed(state, rules) : stay(state)
  }
}

const rearm = (state: TurnState, rules: TurnRules): TurnCommand[] =>
  state.isCut ? [arm('resume', rules.resumeAfterMs)] : []

const say = (state: TurnState, phrase: Phrase, rules: TurnRules): Step =>
  speak(state, (turn) => ({ do: 'say', turn, phrase }), rules)

/** Once an apology, again an apology, then a goodbye: never silence. */
function failed(state: TurnState, rules: TurnRules): Step {
  const failures = state.failures + 1
  const stop: TurnCommand = { do: 'stop', turn: state.turn }
  if (failures > rules.maxFailures) {
    const ended = over(state, 'llm_error')
    return { state: ended.state, commands: [stop, ...ended.commands] }
  }
  const isLeaving = failures === rules.maxFailures
  const said = say({ ...state, failures, isLeaving }, isLeaving ? 'goodbye' : 'apology', rules)
  return { state: said.state, commands: [stop, ...said.commands] }
}

const over = (state: TurnState, reason: string): Step =>
  stay({ ...state, phase: 'over' }, ...disarm(...allTimers), { do: 'hang-up', reason })
