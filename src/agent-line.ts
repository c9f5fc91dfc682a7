// Who speaks for an agent in a call. Until there is a conversation engine: the agent says its opening phrase, and listens until the caller leaves.
import type { AgentSettings } from './api/agents/settings.ts'
import type { AgentStore } from './api/agents/store.ts'
import type { ConversationStore } from './api/conversations/store.ts'
import type { Log } from './base/log.ts'
import type { Announce, AnsweredCall, Converse } from './phone/ports.ts'
import type { SpeechService } from './speech/open.ts'
import type { Transport } from './voice/ports.ts'
import { type Speaker, say } from './voice/say.ts'

const greetings: Readonly<Record<string, string>> = {
  pt: 'Olá! Em que posso ajudar?',
  es: '¡Hola! ¿En qué puedo ayudarle?',
  en: 'Hello! How can I help you?',
}

export type AgentLineParts = {
  agents: AgentStore
  conversations: ConversationStore
  slots: SpeechService['slots']
  /** What was given with the call, for {{name}} in the phrase. */
  variablesOf: (userId: string, callId: string) => Promise<Record<string, string>>
  log: Log
}

export function agentLine({ agents, conversations, slots, variablesOf, log }: AgentLineParts) {
  async function speakerOf(call: AnsweredCall) {
    const agent = await agents.get(call.userId, call.agent.id)
    const settings = (agent.settings ?? {}) as AgentSettings
    const speaker: Speaker = {
      tts: slots[agent.ttsProvider],
      voiceId: agent.voiceId,
      language: agent.language,
      ...(settings.voice?.speed ? { speed: settings.voice.speed } : {}),
      ...(settings.pronunciation ? { pronunciation: settings.pronunciation } : {}),
      ...(agent.provider_aConfig && agent.ttsProvider === 'provider_a' ? { vendor: agent.provider_aConfig } : {}),
    }
    return { agent, settings, speaker }
  }

  const announce: Announce = async (call, text, transport, signal) => {
    const { speaker } = await speakerOf(call)
    await say(text, speaker, transport, signal)
  }

  async function open(call: AnsweredCall, transport: Transport, signal: AbortSignal): Promise<void> {
    const { agent, settings, speaker } = await speakerOf(call)
    const phrase =
      agent.initialSpeech ?? greetings[agent.language.slice(0, 2).toLowerCase()] ?? (greetings.en as string)
    const variables = { ...settings.variables, ...(await variablesOf(call.userId, call.callId)) }
    const text = phrase.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => variables[name] ?? '')
    const { usedDefaultVoice } = await say(text, speaker, transport, signal)
    if (usedDefaultVoice)
      log.warn({ callId: call.callId, voiceId: agent.voiceId }, 'this provider has no such voice; its default spoke')
    if (!signal.aborted) await conversations.send(call.userId, call.conversationId, { type: 'agent', content: text })
  }

  const converse: Converse = async (call, transport, signal) => {
    const heard = listen(transport)
    try {
      await open(call, transport, signal)
    } catch (err) {
      if (signal.aborted) return { endReason: 'caller_hangup' }
      log.error({ err, callId: call.callId }, 'the agent could not speak')
      return { endReason: 'tts_error', endDetail: 'The voice of the agent could not speak' }
    }
    await heard
    return { endReason: 'caller_hangup' }
  }

  return { announce, converse }
}

/** Hears until the far side leaves. */
async function listen({ input }: Transport): Promise<void> {
  for await (const _ of input);
}
