// The conversations service: routes of conversations and their tool calls, and the post-call analyses.
import type { FindLlms } from '../../llm/open.ts'
import type { CallStorage } from '../calls/port.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import { ANALYSIS_LEASE_MS, analysisQueue } from './analysis-queue.ts'
import { postCallAnalysis } from './post-call-analysis.ts'
import type { FindAnswerer } from './reply.ts'
import { conversationRoutes } from './routes.ts'
import { toolCallRoutes } from './tool-call-routes.ts'

const ANALYSES_AT_ONCE = 2

export type ConversationServiceParts = {
  stores: Pick<Stores, 'agents' | 'conversations' | 'toolCalls'>
  storage: Pick<CallStorage, 'calls' | 'toCall'>
  llmsOf: FindLlms
  answererOf: FindAnswerer
}

export function conversationService({ db, isDatabaseUp, log }: ServiceContext, parts: ConversationServiceParts) {
  const { agents, conversations, toolCalls } = parts.stores
  const { calls, toCall } = parts.storage
  const analyses = analysisQueue(db, ANALYSIS_LEASE_MS, toCall)
  const analysis = postCallAnalysis({ agents, analyses, llmsOf: parts.llmsOf, log })
  const analyze = async () => {
    if (await isDatabaseUp()) await analysis.work()
  }
  return {
    routes: [
      conversationRoutes({ conversations, analyses, answererOf: parts.answererOf }),
      toolCallRoutes({ toolCalls, conversation: conversations.get, call: calls.get }),
    ],
    jobs: [
      { name: 'tool calls', everyMs: 5000, task: toolCalls.closeLeft },
      ...Array.from({ length: ANALYSES_AT_ONCE }, () => ({ name: 'analyses', everyMs: 1000, task: analyze })),
    ],
    [Symbol.asyncDispose]: async () => analysis.stop(),
  }
}
