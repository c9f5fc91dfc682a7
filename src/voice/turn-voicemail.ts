// A mailbox has answered a call of ours: the agent hangs up, or is silent until it records and leaves a message. Pure, as turns.ts.
import { after, arm, disarm, dropped, ended, hasFloor, over, speak, stay } from './turn-floor.ts'
import type { TurnRules } from './turn-rules.ts'
import {
  type Step,
  type TimerName,
  type TurnCommand,
  type TurnEvent,
  type TurnState,
  timerNames,
} from './turn-state.ts'

const REASON = 'voicemail'

export function answeredBy(state: TurnState, { by, atMs }: TurnEvent & { type: 'answered' }, rules: TurnRules): Step {
  if (by !== 'machine' && state.mailbox === 'suspected') return trusted(state)
  if (by !== 'machine' || rules.voicemail === 'ignore') return stay(state)
  if (rules.voicemail === 'hangup') return over(state, REASON)
  if ((state.mailbox !== 'none' && state.mailbox !== 'suspected') || state.leaving !== null) return stay(state)
  const free = dropped(state)
  const next: TurnState = {
    ...free.state,
    mailbox: 'greeting',
    isRecognising: false,
    isGuessed: false,
    owesOpening: false,
    keys: '',
    murmur: '',
    silence: 'off',
    due: [],
  }
  const quietMs = Math.max(0, atMs - state.changedAtMs)
  const commands: TurnCommand[] = [
    ...free.commands,
    ...(state.isRecognising ? [{ do: 'forget' as const }] : []),
    ...(state.isGuessed ? [{ do: 'forget-guess' as const }] : []),
    ...disarm(...timerNames.filter((name) => name !== 'limit')),
    arm('message', rules.mailboxMs),
    ...(state.isVoiced ? [] : [arm('quiet', rules.mailboxQuietMs - quietMs)]),
  ]
  return stay(next, ...commands)
}

/** It talks on, as a mailbox does. Where that makes a difference the agent is silent until it is known. */
export function suspected(state: TurnState, rules: TurnRules): Step {
  const isOpen = state.mailbox === 'none' && state.leaving === null && !hasFloor(state) && !state.isCut
  if (rules.voicemail === 'ignore' || !isOpen) return stay(state)
  return stay({ ...state, mailbox: 'suspected' }, arm('message', rules.mailboxMs))
}

/** It is none: what was held back goes on. */
export const trusted = (state: TurnState): Step =>
  stay({ ...state, mailbox: 'none', due: [] }, ...disarm('message'), ...state.due.map((name) => arm(name, 0)))

/** With these the agent would begin to speak. */
const speaking: ReadonlySet<TimerName> = new Set(['opening', 'pause', 'resume', 'keys', 'idle', 'silence'])

/** What is due while nothing may be said is due when it may; null where nothing is. */
export function heldBack(state: TurnState, event: TurnEvent): Step | null {
  const isHeld = state.mailbox === 'suspected' && event.type === 'timer' && speaking.has(event.name)
  return isHeld ? stay({ ...state, due: [...state.due.filter((name) => name !== event.name), event.name] }) : null
}

/** While its greeting goes on nothing counts but its end: a tone, or silence. */
export function atMailbox(state: TurnState, event: TurnEvent, rules: TurnRules): Step {
  switch (event.type) {
    case 'voice': {
      const next = { ...state, isVoiced: event.on, changedAtMs: event.atMs }
      return stay(next, ...(event.on ? disarm('quiet') : [arm('quiet', rules.mailboxQuietMs)]))
    }
    case 'beep':
      return leaveMessage(state, 'saying', rules)
    case 'timer':
      if (event.name === 'quiet' || event.name === 'message') return leaveMessage(state, 'saying', rules)
      return event.name === 'limit' ? over(state, 'max_duration') : stay(state)
    case 'left':
      return ended(state)
    default:
      return stay(state)
  }
}

/** A tone that comes only when we speak: what was said before it is not recorded, so all of it is said again, once. */
export function toneHeard(state: TurnState, rules: TurnRules): Step {
  if (state.mailbox !== 'saying' || !hasFloor(state)) return stay(state)
  return after(dropped(state).commands, leaveMessage(state, 'again', rules))
}

function leaveMessage(state: TurnState, mailbox: 'saying' | 'again', rules: TurnRules): Step {
  const { heard: to } = state
  const next: TurnState = { ...state, heard: '', beganAtMs: null, pausedMs: null, mailbox, leaving: REASON }
  const said = speak(next, 'phrase', (turn) => ({ do: 'leave-message', turn, to }), rules)
  return after(disarm('quiet', 'message'), said)
}
