// The agents service: tools, voice and chat agents, and post-call analysis.
import { toCall } from '../../api/calls/store.ts'
import { ANALYSIS_LEASE_MS, analysisQueue } from '../../api/conversations/analysis-queue.ts'
import { conversationRoutes } from '../../api/conversations/routes.ts'
import { toolCallRoutes } from '../../api/conversations/tool-call-routes.ts'
import { toolRoutes } from '../../api/tools/routes.ts'
import type { TestRuns } from '../../api/tools/test-runs.ts'
import { toolUses } from '../../api/tools/uses.ts'
import type { LlmService } from '../../llm/open.ts'
import type { SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { TracedHttp } from '../../tools/http/traced-http.ts'
import type { ToolTypes } from '../../tools/tool-types.ts'
import { type CallStorage, postCallAnalysis } from '../calls/port.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import { agentTools } from './agent-tools.ts'
import { chatAgent } from './chat-agent.ts'
import { type VoiceAgentParts, voiceAgent } from './voice-agent.ts'

/** How long running tools may take to finish when the service stops. */
const TOOLS_GRACE_MS = 5000
const ANALYSES_AT_ONCE = 2

export type AgentServiceParts = {
  stores: Stores
  storage: CallStorage
  brain: LlmService
  speech: { engines: SpeechService; slotsFor: SlotsFor }
  tools: { types: ToolTypes; http: Pick<TracedHttp, 'trace'> }
  testRuns: TestRuns
  onReady: NonNullable<VoiceAgentParts['onReady']>
}

export function agentService({ db, isDatabaseUp, log }: ServiceContext, parts: AgentServiceParts) {
  const { brain, speech, testRuns } = parts
  const { agents, conversations, tools, toolCalls } = parts.stores
  const { calls, course, turns, writes } = parts.storage
  const { types, http } = parts.tools
  const analyses = analysisQueue(db, ANALYSIS_LEASE_MS, toCall)
  const analysis = postCallAnalysis({ agents, analyses, brain, log })
  const toolRuntime = agentTools({ agents, tools, toolCalls, types, http, testRuns, log })
  const voice = voiceAgent({
    agents,
    conversations,
    speech: speech.engines,
    slotsFor: speech.slotsFor,
    llmFor: brain.llmFor,
    variablesOf: async (userId, callId) =>
      ((await calls.get(userId, callId)).variables ?? {}) as Record<string, string>,
    saveTurns: turns.save,
    write: writes.write,
    saveAnsweredBy: course.answeredBy,
    tools: toolRuntime,
    onReady: parts.onReady,
    log,
  })
  const answererOf = chatAgent({ agents, conversations, toolCalls, tools: toolRuntime, brain, log })
  const runAnalyses = async () => {
    if (await isDatabaseUp()) await analysis.work()
  }
  return {
    voice,
    answererOf,
    routes: [
      conversationRoutes({ conversations, analyses, answererOf }),
      toolRoutes({ tools, uses: toolUses(db), test: toolRuntime.test, runs: testRuns }),
      toolCallRoutes({ toolCalls, conversation: conversations.get, call: calls.get }),
    ],
    jobs: [
      { everyMs: 5000, task: toolCalls.closeLeft },
      ...Array.from({ length: ANALYSES_AT_ONCE }, () => ({ everyMs: 1000, task: runAnalyses })),
    ],
    async [Symbol.asyncDispose](): Promise<void> {
      analysis.stop()
      await toolRuntime.settled(TOOLS_GRACE_MS)
    },
  }
}
