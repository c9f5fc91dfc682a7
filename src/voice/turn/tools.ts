// Tools and turn taking: waiting for tools, late results, ending and transferring the call. Pure, as machine.ts.
import { withoutEarlyReply } from './end-of-turn.ts'
import {
  armReply,
  armToolFiller,
  dropTurn,
  ended,
  hangUp,
  hasWarning,
  resumeTurn,
  say,
  sayUnlessCallerSpeaks,
  settled,
  tellLateResult,
  withoutTurn,
} from './floor.ts'
import { wholeText } from './recognition.ts'
import type { TurnRules } from './rules.ts'
import {
  type AgentTurnMode,
  type TimerName,
  type TurnCommand,
  type TurnEvent,
  type TurnState,
  type TurnStep,
  timerNames,
} from './state.ts'
import { after, arm, disarm, isFloorFree, stay, turnIn } from './step.ts'

type ToolEvent = TurnEvent & {
  type:
    | 'tool-wait'
    | 'tools-running'
    | 'delayed-message'
    | 'filler-played'
    | 'late-tool-result'
    | 'hang-up-after-turn'
    | 'transferred'
}

export function toolStep(state: TurnState, event: ToolEvent, rules: TurnRules): TurnStep {
  const { mode } = state
  const isWaiting = mode.name === 'thinking' && mode.toolWaitMs !== null
  switch (event.type) {
    case 'tool-wait': {
      const turn = turnIn(state)
      if (event.turn !== state.turn || !turn) return stay(state)
      // A turn that has called a tool is not taken back.
      const heard = state.answered ? settled(state) : stay(state)
      const waiting = { ...turn, toolWaitMs: event.on ? (event.timeoutMs ?? 0) : null }
      return after(heard.commands, waitForTool(heard.state, waiting, rules))
    }
    case 'tools-running':
      return stay({ ...state, areToolsRunning: event.areRunning })
    case 'delayed-message':
      if (isWaiting) return playFiller(state, mode, rules)
      return state.areToolsRunning && isFloorFree(state) && !state.owesOpening
        ? sayStillWorking(state, rules)
        : stay(state)
    case 'filler-played':
      return stay(state, ...(event.turn === state.turn && isWaiting ? armToolFiller(rules) : []))
    case 'late-tool-result':
      // Not over the caller: the reply to their next turn includes it.
      return isFloorFree(state) && !state.owesOpening
        ? tellLateResult(state, rules)
        : stay({ ...state, hasLateToolResult: true })
    case 'hang-up-after-turn': {
      const turn = turnIn(state)
      if (event.turn !== state.turn || !turn) return stay(state)
      const next = { ...state, hangupReason: state.hangupReason ?? event.reason }
      return after(disarm('interrupt'), turn.name === 'paused' ? resumeTurn(next, turn, rules) : stay(next))
    }
    case 'transferred':
      return event.turn === state.turn ? startTransfer(state) : stay(state)
  }
}

function waitForTool(state: TurnState, turn: AgentTurnMode, rules: TurnRules): TurnStep {
  const next = { ...state, mode: turn }
  if (turn.name !== 'thinking') return stay(next)
  // While a tool runs, the number of fillers is not limited.
  const isBeyondLimit = turn.toolWaitMs !== null && turn.fillers >= rules.maxFillers
  return stay(next, armReply(turn.toolWaitMs, rules), ...(isBeyondLimit ? armToolFiller(rules) : []))
}

/** Says that the reply takes a moment. */
export function playFiller(state: TurnState, turn: AgentTurnMode, rules: TurnRules): TurnStep {
  const next = rules.fillerMs > 0 ? [arm('filler', rules.nextFillerMs)] : []
  const command: TurnCommand = { do: 'play-filler', turn: state.turn, times: turn.fillers }
  return stay({ ...state, mode: { ...turn, fillers: turn.fillers + 1 } }, command, ...next)
}

/** A filler as a turn of its own: the agent's turn is over, but one of its tools is still running. */
export const sayStillWorking = (state: TurnState, rules: TurnRules): TurnStep => say(state, 'filler', state.turn, rules)

/** The caller talks to another person: the agent is silent. A running recognition still completes. */
export function startTransfer(state: TurnState): TurnStep {
  const early = withoutEarlyReply(state)
  const quiet = dropTurn(early.state)
  const next: TurnState = {
    ...quiet.state,
    mode: { name: 'transferring' },
    isCallerSpeaking: false,
    isSpeechCandidate: false,
    ...withoutTurn,
  }
  const needed: readonly TimerName[] = state.isRecognizing ? ['max-duration', 'recognition'] : ['max-duration']
  const timers = disarm(...timerNames.filter((name) => !needed.includes(name)))
  return stay(next, ...quiet.commands, ...early.commands, ...timers)
}

/** Tracks only the state needed if the transfer fails. */
export function whileTransferring(state: TurnState, event: TurnEvent, rules: TurnRules): TurnStep {
  switch (event.type) {
    case 'caller-left':
      return ended(state)
    case 'transfer-failed':
      return sayUnlessCallerSpeaks({ ...state, probes: 0, voicemailMessage: 'none' }, 'not-transferred', 0, rules)
    case 'speech':
      return stay({ ...state, isCallerSpeaking: event.on, speechChangedAtMs: event.atMs })
    case 'transcript': {
      if (!state.isRecognizing || event.recognition !== state.recognition) return stay(state)
      const transcript = wholeText(state, event.text.trim())
      return stay({ ...state, isRecognizing: false, transcript }, ...disarm('recognition'))
    }
    case 'tools-running':
      return stay({ ...state, areToolsRunning: event.areRunning })
    case 'late-tool-result':
      return stay({ ...state, hasLateToolResult: true })
    case 'timer':
      if (event.name === 'recognition') return stay({ ...state, isRecognizing: false }, { do: 'cancel-recognition' })
      return event.name === 'max-duration' ? maxDurationReached(state, rules) : stay(state)
    default:
      return stay(state)
  }
}

function maxDurationReached(state: TurnState, rules: TurnRules): TurnStep {
  if (state.warning !== 'none' || !hasWarning(rules)) return hangUp(state, 'max_duration')
  return stay({ ...state, warning: 'given' }, arm('max-duration', rules.warnBeforeMs))
}
