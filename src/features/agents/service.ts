// The agents service: voice and chat agents with their tools.
import { appError } from '../../base/errors/errors.ts'
import type { Breakers } from '../../failover/ports.ts'
import type { FindLlms } from '../../llm/open.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { TracedHttp } from '../../tool-types/http/traced-http.ts'
import type { ToolTypes } from '../../tool-types/tool-types.ts'
import type { AnswerHooks } from '../answer-hooks/port.ts'
import type { CallStorage } from '../calls/port.ts'
import type { FindAnswerer } from '../conversations/port.ts'
import type { CheckAgent, FindLinks } from '../providers/port.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import type { TestRuns } from '../tools/test-run-store.ts'
import { userActivity } from '../users/rows.ts'
import { agentTools } from './agent-tools.ts'
import { chatAgent } from './chat-agent.ts'
import { type VoiceAgentParts, voiceAgent } from './voice-agent.ts'

/** How long running tools may take to finish on shutdown. */
const TOOLS_GRACE_MS = 5000

export type AgentServiceParts = {
  stores: Stores
  storage: CallStorage
  providers: { forUser: FindLlms; linksFor: FindLinks; breakers: Breakers }
  speech: { engines: SpeechService }
  tools: { types: ToolTypes; http: Pick<TracedHttp, 'trace'> }
  testRuns: TestRuns
  checkAgent: CheckAgent
  onReady: NonNullable<VoiceAgentParts['onReady']>
  guidanceOf: AnswerHooks['guidanceOf']
  campaignOf?: VoiceAgentParts['campaignOf']
}

export function agentService({ db, log }: ServiceContext, parts: AgentServiceParts) {
  const { speech, testRuns } = parts
  const { forUser: llmsOf, linksFor, breakers } = parts.providers
  const { agents, conversations, tools, toolCalls, callbacks } = parts.stores
  const { calls, course, turns, writes } = parts.storage
  const { types, http } = parts.tools
  const toolRuntime = agentTools({ agents, tools, toolCalls, types, http, testRuns, log })
  const voice = voiceAgent({
    agents,
    conversations,
    speech: speech.engines,
    linksFor,
    breakers,
    callbacks,
    saveChainChange: course.chainChanged,
    variablesOf: async (userId, callId) =>
      ((await calls.get(userId, callId)).variables ?? {}) as Record<string, string>,
    saveTurns: turns.save,
    write: writes.write,
    saveAnsweredBy: course.answeredBy,
    tools: toolRuntime,
    ...(parts.campaignOf ? { campaignOf: parts.campaignOf } : {}),
    onReady: parts.onReady,
    log,
  })
  const isUserActive = userActivity(db)
  const chatParts = { agents, conversations, toolCalls, tools: toolRuntime, llmsOf, guidanceOf: parts.guidanceOf, log }
  /** Texts to a device do not come with an HTTP request that could have been rejected, so check here. */
  const checked =
    (chat: FindAnswerer): FindAnswerer =>
    async (userId, conversationId, draft) => {
      if (!(await isUserActive(userId))) throw appError('user_is_disabled')
      if (draft) {
        const { agentId } = await conversations.get(userId, conversationId)
        await parts.checkAgent(userId, draft, await agents.get(userId, agentId))
      }
      return chat(userId, conversationId, draft)
    }
  return {
    voice,
    /** For people who write from a device or a website: when no model is available, a message is taken. */
    answererOf: checked(chatAgent({ ...chatParts, callbacks })),
    /** For API clients: without a model that answers, the reply is an error. */
    apiAnswererOf: checked(chatAgent(chatParts)),
    testTool: toolRuntime.test,
    [Symbol.asyncDispose]: () => toolRuntime.settled(TOOLS_GRACE_MS),
  }
}
