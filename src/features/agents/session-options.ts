// Turns an agent's settings into voice session options: prompt and opening with variables filled, turn rules, voice.

import { nowMs } from '../../base/time/clock.ts'
import { fillTemplate, knownVariables } from '../../llm/prompt.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { Speaker } from '../../voice/ports.ts'
import type { SessionOptions } from '../../voice/session.ts'
import { defaultTurnRules, type TurnRules } from '../../voice/turn/rules.ts'
import type { Agent } from './schema.ts'
import type { AgentSettings } from './settings-schema.ts'

export type Variables = Readonly<Record<string, string>>

const greetings: Readonly<Record<string, string>> = {
  pt: 'Olá! Em que posso ajudar?',
  es: '¡Hola! ¿En qué puedo ayudarle?',
  en: 'Hello! How can I help you?',
}

/** On outbound calls the callee usually says hello first; the agent opens after that, or after this long. */
const HELLO_MS = 1200

export const greetingIn = (language: string) =>
  greetings[language.slice(0, 2).toLowerCase()] ?? (greetings.en as string)

/** The TTS provider, voice and pronunciation of an agent. */
export function speakerFor(agent: Agent, slots: SpeechService['slots']): Speaker {
  const settings = (agent.settings ?? {}) as AgentSettings
  return {
    tts: slots[agent.ttsProvider],
    voiceId: agent.voiceId,
    language: agent.language,
    ...(settings.voice?.speed ? { speed: settings.voice.speed } : {}),
    ...(settings.pronunciation ? { pronunciation: settings.pronunciation } : {}),
    ...(agent.provider_aConfig && agent.ttsProvider === 'provider_a' ? { vendor: agent.provider_aConfig } : {}),
  }
}

/** `callVariables` came with the call; `missing` lists variables without a value. */
export function sessionOptions(
  agent: Agent,
  callVariables: Variables,
  call: { direction: 'inbound' | 'outbound'; fromNumber: string | null; toNumber: string },
): { options: SessionOptions; variables: Record<string, string>; missing: string[] } {
  const settings = (agent.settings ?? {}) as AgentSettings
  const known = knownVariables({
    atMs: nowMs(),
    language: agent.language,
    timeZone: callVariables.timeZone ?? settings.variables?.timeZone,
    caller: call.fromNumber ?? '',
    callee: call.toNumber,
  })
  const variables = { ...known, ...settings.variables, ...callVariables }
  const prompt = fillTemplate(agent.systemPrompt, variables)
  const opening = fillTemplate(agent.initialSpeech ?? greetingIn(agent.language), variables)
  const isOutbound = call.direction === 'outbound'
  const voicemail = fillTemplate((isOutbound && settings.voicemail?.message) || '', variables)
  const options: SessionOptions = {
    language: agent.language,
    systemPrompt: prompt.text,
    rules: turnRulesOf(settings),
    opening: settings.firstMessage === 'caller_first' ? null : opening.text,
    ...(settings.firstMessage === 'agent_first_generated' ? { generatesOpening: true } : {}),
    ...(isOutbound ? { openingDelayMs: HELLO_MS, amd: { message: voicemail.text } } : {}),
    ...(settings.recognition?.hints ? { hints: settings.recognition.hints } : {}),
    ...(settings.endPhrases ? { endPhrases: settings.endPhrases } : {}),
  }
  return { options, variables, missing: [...new Set([...prompt.missing, ...opening.missing, ...voicemail.missing])] }
}

/** The agent's settings merged over the defaults. */
function turnRulesOf({ turn, interruptible, voicemail }: AgentSettings): TurnRules {
  const overrides = Object.entries(turn ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const action = voicemail?.action ?? defaultTurnRules.voicemail
  return {
    ...defaultTurnRules,
    ...(interruptible === false ? { interruptible } : {}),
    // Without text there is no message to leave.
    voicemail: action === 'message' && !voicemail?.message?.trim() ? 'hangup' : action,
    ...Object.fromEntries(overrides),
  }
}
