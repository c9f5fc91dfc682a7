// Who answers a written message: the agent's prompt with its variables filled, the conversation so far, and the agent's model.
import type { AgentSettings } from './api/agents/settings.ts'
import type { AgentStore } from './api/agents/store.ts'
import type { FindAnswerer } from './api/conversations/reply.ts'
import type { Message as StoredMessage } from './api/conversations/schema.ts'
import type { ConversationStore } from './api/conversations/store.ts'
import { nowMs } from './base/clock.ts'
import { AppError } from './base/errors.ts'
import type { Log } from './base/log.ts'
import type { Brain } from './brain/open.ts'
import { fillTemplate, knownVariables } from './brain/prompt.ts'
import type { Message } from './voice/ports.ts'

export type TextReplyParts = {
  agents: AgentStore
  conversations: ConversationStore
  brain: Brain
  log: Log
  /** A whole answer takes no longer. */
  limitMs?: number
}

const MAX_MESSAGES = 200
const MAX_LETTERS = 100_000 // of the conversation that the model is shown; what is older is left out
const LIMIT_MS = 60_000

export function textReplies({ agents, conversations, brain, log, limitMs = LIMIT_MS }: TextReplyParts): FindAnswerer {
  return async (userId, conversationId) => {
    const { agentId } = await conversations.get(userId, conversationId)
    const agent = await agents.get(userId, agentId)
    if (!agent.isActive) throw new AppError('conflict', 'This agent is not active')
    const llm = brain.llmFor(agent.llmConfig)
    return {
      name: llm.name,
      isModel: llm.isModel,
      async *words(message, signal) {
        const { variables } = (agent.settings ?? {}) as AgentSettings
        const known = knownVariables({ atMs: nowMs(), language: agent.language, timeZone: variables?.timeZone })
        const { text, missing } = fillTemplate(agent.systemPrompt, { ...known, ...variables })
        if (missing.length > 0) log.info({ agentId, missing }, 'the prompt names variables that nobody gave')
        const said = historyOf(await conversations.until(conversationId, message.id, MAX_MESSAGES))
        const limit = new AbortController()
        const timer = setTimeout(() => limit.abort(), limitMs)
        try {
          const history: Message[] = [{ role: 'system', content: text }, ...said]
          const either = AbortSignal.any([signal, limit.signal])
          for await (const part of llm.reply(history, [], { language: agent.language }, either))
            if ('say' in part) yield part.say
        } finally {
          clearTimeout(timer)
        }
        if (limit.signal.aborted) throw new AppError('upstream_timeout', 'The agent did not come to an end in time')
      },
    }
  }
}

/** The newest that fit. */
function historyOf(messages: readonly StoredMessage[]): Message[] {
  let left = MAX_LETTERS
  const kept = messages.filter((_, i) => {
    const message = messages[messages.length - 1 - i]
    left -= message?.content.length ?? 0
    return left >= 0 || i === 0
  }).length
  return messages.slice(messages.length - kept).map(({ type, content }) => ({ role: type, content }))
}
