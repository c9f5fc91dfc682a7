// Building blocks of the turn machine's steps: commands, timers, and questions about the state. Pure.
import type { TurnRules } from './rules.ts'
import type { AgentTurnMode, TimerName, TurnCommand, TurnState, TurnStep } from './state.ts'

export const stay = (state: TurnState, ...commands: TurnCommand[]): TurnStep => ({ state, commands })

export const after = (commands: readonly TurnCommand[], step: TurnStep): TurnStep => ({
  state: step.state,
  commands: [...commands, ...step.commands],
})

export const arm = (timer: TimerName, ms: number): TurnCommand => ({
  do: 'arm',
  timer,
  ms: Math.max(0, Math.round(ms)),
})
export const disarm = (...timers: TimerName[]): TurnCommand[] => timers.map((timer) => ({ do: 'disarm', timer }))

export const joined = (before: string, text: string) => `${before} ${text}`.trim()

/** The agent's turn, paused or not; null if there is none. */
export function turnIn({ mode }: TurnState): AgentTurnMode | null {
  return mode.name === 'thinking' || mode.name === 'speaking' || mode.name === 'paused' ? mode : null
}

export const hasFloor = ({ mode }: TurnState) => mode.name === 'thinking' || mode.name === 'speaking'

/** The caller speaks, is being transcribed or presses keys. */
export const isCallerActive = ({ isCallerSpeaking, isRecognizing, digits }: TurnState) =>
  isCallerSpeaking || isRecognizing || digits !== ''

/** Nobody has the floor, and the caller has said nothing that awaits a reply. */
export const isFloorFree = (state: TurnState) =>
  state.mode.name === 'listening' && !isCallerActive(state) && state.transcript === ''

export const mayInterrupt = (state: TurnState, rules: TurnRules) =>
  rules.interruptible && state.hangupReason === null && !turnIn(state)?.isUrgent
