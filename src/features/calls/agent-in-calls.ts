// An agent as calls use it, on any channel.
import { AppError } from '../../base/errors/errors.ts'
import type { Agent } from '../../phone/ports.ts'
import { withDraft } from '../agents/draft-schema.ts'
import type { AgentPatch, Agent as AgentRecord } from '../agents/schema.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'
import type { AgentStore } from '../agents/store.ts'
import type { IsUserActive } from '../users/rows.ts'

/** Agents of a disabled user are not active. `draft`: unsaved changes to apply. */
export type AgentInCalls = (asked: {
  userId: string
  agentId: string
  draft?: AgentPatch | undefined
}) => Promise<Agent | undefined>

export const agentsInCalls =
  (agents: Pick<AgentStore, 'get'>, isUserActive: IsUserActive): AgentInCalls =>
  async ({ userId, agentId, draft }) => {
    const agent = await agents.get(userId, agentId).catch(unlessMissing)
    if (!agent) return undefined
    const used = forCalls(userId, withDraft(agent, draft))
    const isActive = used.isActive && (await isUserActive(userId))
    return { ...used, isActive, ...(draft ? { draft } : {}) }
  }

function unlessMissing(error: unknown): undefined {
  if (error instanceof AppError && error.kind === 'not_found') return undefined
  throw error
}

function forCalls(userId: string, { id, name, isActive, direction, settings }: AgentRecord): Agent {
  const { recording, turn } = (settings ?? {}) as AgentSettings
  return {
    id,
    userId,
    name,
    isActive,
    direction,
    recording: recording?.enabled === false ? null : { consentNotice: recording?.consentNotice ?? null },
    maxDurationMs: turn?.maxDurationMs ?? null,
  }
}
