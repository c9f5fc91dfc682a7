// What tools do to a conversation: they take time, bring news, end it, or give it away. Pure, as turns.ts.
import {
  after,
  answerIn,
  arm,
  disarm,
  dropped,
  ended,
  hasFloor,
  isFree,
  joined,
  over,
  quietIn,
  resumed,
  say,
  stay,
  takeNews,
  warns,
} from './turn-floor.ts'
import { back } from './turn-operator.ts'
import type { TurnRules } from './turn-rules.ts'
import {
  type Step,
  type TimerName,
  type TurnCommand,
  type TurnEvent,
  type TurnState,
  timerNames,
} from './turn-state.ts'

export type ToolEvent = TurnEvent & { type: 'tool' | 'tools' | 'due' | 'filled' | 'news' | 'leaving' | 'given-away' }

export function toolStep(state: TurnState, event: ToolEvent, rules: TurnRules): Step {
  switch (event.type) {
    case 'tool': {
      if (event.turn !== state.turn) return stay(state)
      return worked({ ...state, isWorking: event.on, workMs: event.limitMs ?? 0 }, rules)
    }
    case 'tools':
      return stay({ ...state, toolsOut: event.areOut })
    case 'due':
      if (state.phase === 'thinking' && state.isWorking) return fill(state, rules)
      return state.toolsOut && isFree(state) && !state.owesOpening ? stillAtWork(state, rules) : stay(state)
    case 'filled': {
      const isAwaited = event.turn === state.turn && state.phase === 'thinking' && state.isWorking
      return stay(state, ...(isAwaited ? quietIn(rules) : []))
    }
    case 'news':
      // Not over the caller: what he says next is answered with it.
      return isFree(state) && !state.owesOpening ? takeNews(state, rules) : stay({ ...state, hasNews: true })
    case 'leaving': {
      if (event.turn !== state.turn || !(hasFloor(state) || state.isCut)) return stay(state)
      const next = { ...state, leaving: state.leaving ?? event.reason }
      return after(disarm('interrupt'), state.isCut ? resumed(next, rules) : stay(next))
    }
    case 'given-away':
      return event.turn === state.turn ? givenAway(state) : stay(state)
  }
}

function worked(state: TurnState, rules: TurnRules): Step {
  if (state.phase !== 'thinking') return stay(state)
  // While a tool works there is no end of fillers.
  const isWithout = state.isWorking && state.fillers >= rules.maxFillers
  return stay(state, answerIn(state, rules), ...(isWithout ? quietIn(rules) : []))
}

/** Something is said because it takes long. */
export function fill(state: TurnState, rules: TurnRules): Step {
  const next = rules.fillerMs > 0 ? [arm('filler', rules.nextFillerMs)] : []
  const command: TurnCommand = { do: 'fill', turn: state.turn, times: state.fillers }
  return stay({ ...state, fillers: state.fillers + 1 }, command, ...next)
}

/** The same where the agent has finished its turn and a tool of it works on. */
export const stillAtWork = (state: TurnState, rules: TurnRules): Step => say(state, 'filler', state.turn, rules)

/** Others speak with each other now: the agent is silent. What the caller has just said is still understood. */
export function givenAway(state: TurnState): Step {
  const quiet = dropped(state)
  const forgotten: TurnCommand[] = state.isGuessed ? [{ do: 'forget-guess' }] : []
  const still = { isGuessed: false, isVoiced: false, isMaybe: false, owesOpening: false } as const
  const next: TurnState = { ...quiet.state, ...still, isAway: true, keys: '', murmur: '', silence: 'off' }
  const needed: readonly TimerName[] = state.isRecognising ? ['limit', 'recognition'] : ['limit']
  return stay(next, ...quiet.commands, ...forgotten, ...disarm(...timerNames.filter((name) => !needed.includes(name))))
}

/** What is needed if the agent has to go on is kept; all else is not its business. */
export function away(state: TurnState, event: TurnEvent, rules: TurnRules): Step {
  switch (event.type) {
    case 'left':
      return ended(state)
    case 'back':
      return back(state, rules)
    case 'voice':
      return stay({ ...state, isVoiced: event.on, changedAtMs: event.atMs })
    case 'words': {
      if (!state.isRecognising || event.recognition !== state.recognition) return stay(state)
      const heard = joined(state.heard, event.text.trim())
      return stay({ ...state, isRecognising: false, heard }, ...disarm('recognition'))
    }
    case 'tools':
      return stay({ ...state, toolsOut: event.areOut })
    case 'news':
      return stay({ ...state, hasNews: true })
    case 'timer':
      if (event.name === 'recognition') return stay({ ...state, isRecognising: false }, { do: 'forget' })
      return event.name === 'limit' ? limitedAway(state, rules) : stay(state)
    default:
      return stay(state)
  }
}

function limitedAway(state: TurnState, rules: TurnRules): Step {
  if (state.warning !== 'none' || !warns(rules)) return over(state, 'max_duration')
  return stay({ ...state, warning: 'given' }, arm('limit', rules.warnBeforeMs))
}
