// Prepares an agent for a call: its provider chains, speech engines, session options and tools.

import type { Log } from '../../base/process/log.ts'
import { zoneOf } from '../../llm/prompt.ts'
import type { AnsweredCall, ConversationEnd } from '../../phone/ports.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { CallControl } from '../../tool-types/ports.ts'
import { capsOf, type Toolbox } from '../../tool-types/toolbox.ts'
import type { Message } from '../../voice/ports.ts'
import type { SessionOptions, SessionParts } from '../../voice/session.ts'
import { type AgentTools, summaryOf } from './agent-tools.ts'
import type { CallProviders } from './call-chains.ts'
import { inLanguage, withContext } from './call-guidance.ts'
import { withDraft } from './draft-schema.ts'
import type { Agent, AgentPatch } from './schema.ts'
import { sessionOptions, type Variables } from './session-options.ts'
import type { AgentSettings } from './settings-schema.ts'
import type { AgentStore } from './store.ts'

export type AgentSetupParts = {
  agents: Pick<AgentStore, 'get'>
  speech: Pick<SpeechService, 'vad' | 'turnModel'>
  tools: Pick<AgentTools, 'forCall'>
  log: Log
}

/** An agent ready to speak. */
export type PreparedAgent = {
  agent: Agent
  session: Pick<SessionParts, 'vad' | 'stt' | 'llm' | 'say' | 'turnModel'>
  options: SessionOptions
  variables: Variables
  /** Called while the agent is silent, when its voice may change. */
  betweenTurns: () => void
}

export function agentSetup({ agents, speech, tools, log }: AgentSetupParts) {
  /** A draft test call uses the draft for its first agent; an agent it hands over to runs as saved. */
  async function agentOf(
    { userId, agent: { id, draft }, guidance }: Pick<AnsweredCall, 'userId' | 'agent' | 'guidance'>,
    agentId = id,
  ): Promise<Agent> {
    const saved = await agents.get(userId, agentId)
    const agent = agentId === id ? withDraft(saved, draft as AgentPatch | undefined) : saved
    return inLanguage(agent, guidance?.language)
  }

  return {
    agentOf,

    /** Returns the prepared agent, or the call's end if the agent has no way to hear. */
    async prepare(
      call: AnsweredCall,
      { agentId, callVariables, providers }: { agentId: string; callVariables: Variables; providers: CallProviders },
      signal: AbortSignal,
    ): Promise<PreparedAgent | ConversationEnd> {
      const { callId } = call
      const agent = await agentOf(call, agentId)
      const { llm, stt, tts } = await providers.chainsFor(agent)
      if (signal.aborted) return { endReason: 'caller_hangup' }
      const { options, variables, missing } = sessionOptions(agent, callVariables, call)
      if (missing.length > 0) log.warn({ callId, missing }, 'prompt variables without a value')
      const vad = await speech
        .vad()
        .catch((err) => log.error({ err, callId }, 'failed to load voice activity detection'))
      if (!vad) return { endReason: 'stt_error', endDetail: 'The agent cannot hear: voice activity is not installed' }
      const turnModel = await speech.turnModel()
      const session = {
        vad,
        ...(turnModel ? { turnModel } : {}),
        stt,
        llm,
        say: tts.say,
        sentenceTries: tts.sentenceTries,
      }
      const systemPrompt = withContext(options.systemPrompt, call.guidance?.context)
      return { agent, session, options: { ...options, systemPrompt }, variables, betweenTurns: tts.betweenTurns }
    },

    /**
     * `epoch` tells the agents of one call apart: each agent's engine starts numbering its tool calls from the
     * beginning.
     */
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
        summarize: (history: readonly Message[], stop: AbortSignal) => summaryOf(session.llm, history, language, stop),
      }
      return tools.forCall(setting, String(epoch)).catch((err): Toolbox => {
        log.error({ err, callId: call.callId }, 'failed to load agent tools; continuing without them')
        return { tools: [], arrivals: [], unknown: () => {}, refused: () => {}, variables: () => variables }
      })
    },
  }
}
