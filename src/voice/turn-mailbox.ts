// A mailbox has answered a call of ours: the agent hangs up, or is silent until it records and leaves a message. Pure, as turns.ts.
import { after, arm, disarm, dropped, ended, hasFloor, over, speak, stay } from './turn-floor.ts'
import type { TurnRules } from './turn-rules.ts'
import { type Step, type TurnCommand, type TurnEvent, type TurnState, timerNames } from './turn-state.ts'

const REASON = 'voicemail'

export function answeredBy(state: TurnState, { by, atMs }: TurnEvent & { type: 'answered' }, rules: TurnRules): Step {
  if (by !== 'machine' || rules.voicemail === 'ignore') return stay(state)
  if (rules.voicemail === 'hangup') return over(state, REASON)
  if (state.mailbox !== 'none' || state.leaving !== null) return stay(state)
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
