// Whether the setup steps are shown open, collapsed or not at all, and where each step is done. Pure.
import type { Overview } from '../../../../client/paths.ts'

export type Step = Overview['setup'][number]
export type SetupView = 'none' | 'dismissed' | 'folded' | 'open'

/** From this many completed steps on, the list is collapsed: the user knows their way around. */
const ENOUGH_DONE = 4

export function setupView(steps: readonly Step[], isDismissed: boolean): SetupView {
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return 'none'
  if (isDismissed) return 'dismissed'
  return done >= ENOUGH_DONE ? 'folded' : 'open'
}

/** The next step to take; a step that is still preparing needs no action. */
export const nextStep = (steps: readonly Step[]): Step | undefined =>
  steps.find(({ isDone, state }) => !isDone && state !== 'preparing')

export type StepAction =
  | 'createAgent'
  | 'hearVoices'
  | 'chooseModel'
  | 'seeSettings'
  | 'addTrunk'
  | 'addDevice'
  | 'addNumber'
  | 'talk'

/** The first action is the usual one. Talking requires an agent. */
export function actionsOf({ step, state }: Step, hasAgent: boolean): { action: StepAction; to: string }[] {
  switch (step) {
    case 'agent':
      return [{ action: 'createAgent', to: '/agents/new' }]
    case 'voice':
      return [{ action: 'hearVoices', to: '/voices' }]
    case 'model':
      return [{ action: 'chooseModel', to: '/providers' }]
    case 'phone':
      if (state === 'off') return [{ action: 'seeSettings', to: '/settings?tab=telephony' }]
      return [
        { action: 'addTrunk', to: '/trunks' },
        { action: 'addDevice', to: '/devices' },
      ]
    case 'number':
      return [{ action: 'addNumber', to: '/numbers' }]
    case 'call':
      return hasAgent ? [{ action: 'talk', to: '/agents' }] : [{ action: 'createAgent', to: '/agents/new' }]
  }
}

const key = (userId: string) => `ramal.steps.${userId}`

/** Stored in this browser, per user. */
export const isSetupDismissed = (userId: string): boolean => localStorage.getItem(key(userId)) === 'dismissed'

export function keepSetupDismissed(userId: string, isDismissed: boolean): void {
  if (isDismissed) localStorage.setItem(key(userId), 'dismissed')
  else localStorage.removeItem(key(userId))
}
