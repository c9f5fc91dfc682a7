// Prepares an agent for a call: its voice, speech engines, model, session options and tools.

import type { Agent } from '../../api/agents/schema.ts'
import type { AgentSettings } from '../../api/agents/settings.ts'
import type { AgentStore } from '../../api/agents/store.ts'
import type { Log } from '../../base/log.ts'
import { zoneOf } from '../../llm/prompt.ts'
import type { AnsweredCall, ConversationEnd } from '../../phone/ports.ts'
import type { SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { CallControl } from '../../tools/ports.ts'
import { capsOf, type Toolbox } from '../../tools/toolbox.ts'
import { chooseVoice } from '../../voice/agent-voice.ts'
import type { Llm, Message } from '../../voice/ports.ts'
import type { SessionOptions, SessionParts } from '../../voice/session.ts'
import { type AgentTools, summaryOf } from './agent-tools.ts'
import { sessionOptions, speakerFor, type Variables } from './session-options.ts'

export type AgentSetupParts = {
  agents: Pick<AgentStore, 'get'>
  speech: Pick<SpeechService, 'slots' | 'stt' | 'vad' | 'turnModel'>
  /** Metered voices of a user; absent: without a limit. */
  slotsFor?: SlotsFor
  /** With the agent's `llmConfig` bound to it. */
  llmFor: (llmConfig: Record<string, unknown> | null) => Llm
  tools: Pick<AgentTools, 'forCall'>
  log: Log
}

/** An agent that is ready to speak. */
export type PreparedAgent = {
  agent: Agent
  session: Pick<SessionParts, 'vad' | 'stt' | 'llm' | 'say' | 'turnModel'>
  options: SessionOptions
  variables: Variables
}

export function agentSetup({ agents, speech, slotsFor = () => speech.slots, llmFor, tools, log }: AgentSetupParts) {
  async function speakerOf(userId: string, agentId: string) {
    const agent = await agents.get(userId, agentId)
    return { agent, speaker: speakerFor(agent, slotsFor(userId)) }
  }

  return {
    speakerOf,

    /** The agent, or the end of the call if it cannot speak or hear. */
    async prepare(
      call: AnsweredCall,
      { agentId, callVariables }: { agentId: string; callVariables: Variables },
      signal: AbortSignal,
    ): Promise<PreparedAgent | ConversationEnd> {
      const { callId } = call
      const { agent, speaker } = await speakerOf(call.userId, agentId)
      const voice = await chooseVoice(speaker, signal).catch((err) => {
        if (!signal.aborted) log.error({ err, callId, agentId }, 'failed to load agent voice')
      })
      if (signal.aborted) return { endReason: 'caller_hangup' }
      if (!voice) return { endReason: 'tts_error', endDetail: 'The voice of the agent could not speak' }
      if (voice.isDefault) log.warn({ callId, voiceId: agent.voiceId }, 'unknown voice; using the default')
      const { options, variables, missing } = sessionOptions(agent, callVariables, call)
      if (missing.length > 0) log.warn({ callId, missing }, 'prompt variables without a value')
      const vad = await speech
        .vad()
        .catch((err) => log.error({ err, callId }, 'failed to load voice activity detection'))
      if (!vad) return { endReason: 'stt_error', endDetail: 'The agent cannot hear: voice activity is not installed' }
      const turnModel = await speech.turnModel()
      const llm = llmFor(agent.llmConfig)
      const session = { vad, ...(turnModel ? { turnModel } : {}), stt: speech.stt, llm, say: voice.say }
      return { agent, session, options, variables }
    },

    /** `epoch` distinguishes the agents of one call, whose engines number their calls anew. */
    async toolboxFor(
      call: AnsweredCall,
      { agent, session, variables }: PreparedAgent,
      { live, epoch }: { live: CallControl; epoch: number },
    ): Promise<Toolbox> {
      const { id, name, language } = agent
      const setting = {
        userId: call.userId,
        agent: { id, name },
        conversationId: call.conversationId,
        language,
        timeZone: zoneOf(language, variables.timeZone),
        call: live,
        variables,
        caps: capsOf((agent.settings ?? {}) as AgentSettings),
        summarise: (history: readonly Message[], stop: AbortSignal) => summaryOf(session.llm, history, language, stop),
      }
      return tools.forCall(setting, String(epoch)).catch((err): Toolbox => {
        log.error({ err, callId: call.callId }, 'failed to load agent tools; continuing without them')
        return { tools: [], ready: Promise.resolve(), unknown: () => {}, refused: () => {}, variables: () => variables }
      })
    },
  }
}
