// The steps from an empty platform to the first call, and which are done: a pure function of facts.
import type { ModelState, VoiceState } from '../settings/schema.ts'
import type { SetupStep } from './schema.ts'
import type { Things } from './store.ts'

export type Platform = { voice: VoiceState; model: ModelState; isPhoneOn: boolean }

export function setupSteps(things: Things, { voice, model, isPhoneOn }: Platform): SetupStep[] {
  const simple = (step: SetupStep['step'], isDone: boolean, done: string, missing: string): SetupStep => ({
    step,
    isDone,
    state: isDone ? 'done' : 'missing',
    percent: null,
    detail: isDone ? done : missing,
  })
  return [
    simple('agent', things.agent, 'There is an agent', 'There is no agent yet'),
    { step: 'voice', percent: null, ...voiceStep(voice) },
    {
      step: 'model',
      isDone: model.name !== null,
      state: model.name === null ? 'rules' : 'done',
      percent: null,
      detail:
        model.name === null
          ? 'No language model is set (Providers): the built-in rule agent answers'
          : `${model.name} answers`,
    },
    { step: 'phone', percent: null, ...phoneStep(things.way, isPhoneOn) },
    simple('number', things.number, 'A number, trunk or device leads to an agent', 'No number leads to an agent yet'),
    simple('call', things.call, 'There has been a call', 'There has been no call yet'),
  ]
}

type Step = Pick<SetupStep, 'isDone' | 'state' | 'detail'> & { percent?: number | null }

function voiceStep({ wanted, speaking, preparingPercent, trouble }: VoiceState): Step {
  if (preparingPercent !== null)
    return {
      isDone: false,
      state: 'preparing',
      percent: preparingPercent,
      detail: `The natural voice is being prepared (${preparingPercent} %); the small one speaks meanwhile`,
    }
  if (speaking === 'natural') return { isDone: true, state: 'natural', detail: 'The natural voice is ready' }
  if (speaking === 'vendor') return { isDone: true, state: 'vendor', detail: "A vendor's voice speaks" }
  if (speaking === 'none')
    return { isDone: false, state: 'off', detail: 'No voice: EMBEDDED_VOICE is off, and no vendor has a key' }
  return wanted === 'small'
    ? { isDone: true, state: 'small', detail: 'The small voice speaks, as EMBEDDED_VOICE asks for' }
    : {
        isDone: false,
        state: 'small',
        detail: `The small voice speaks; the natural one does not: ${trouble ?? 'wait'}`,
      }
}

function phoneStep(hasWay: boolean, isPhoneOn: boolean): Step {
  if (!isPhoneOn) return { isDone: false, state: 'off', detail: 'The telephone is switched off (SIP_PORT is 0)' }
  return hasWay
    ? { isDone: true, state: 'done', detail: 'A trunk or a device is connected' }
    : { isDone: false, state: 'waiting', detail: 'No trunk is reachable and no device is connected' }
}
