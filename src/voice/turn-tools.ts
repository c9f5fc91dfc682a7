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
  over,
  quietIn,
  resumed,
  say,
  stay,
  takeNews,
  warns,
} from './turn-floor.ts'
import type { TurnRules } from './turn-rules.ts'
import { type Step, type TurnCommand, type TurnEvent, type TurnState, timerNames } from './turn-state.ts'

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

/** Others speak with each other now: the agent is silent until the call ends. */
function givenAway(state: TurnState): Step {
  const quiet = dropped(state)
  const forgotten: TurnCommand[] = [
    ...(state.isRecognising ? [{ do: 'forget' as const }] : []),
    ...(state.isGuessed ? [{ do: 'forget-guess' as const }] : []),
  ]
  const next: TurnState = { ...quiet.state, isAway: true, isRecognising: false, isGuessed: false, isVoiced: false }
  return stay(next, ...quiet.commands, ...forgotten, ...disarm(...timerNames.filter((name) => name !== 'limit')))
}

export function away(state: TurnState, event: TurnEvent, rules: TurnRules): Step {
  if (event.type === 'left') return ended(state)
  if (event.type !== 'timer' || event.name !== 'limit') return stay(state)
  if (state.warning !== 'none' || !warns(rules)) return over(state, 'max_duration')
  return stay({ ...state, warning: 'given' }, arm('limit', rules.warnBeforeMs))
}
