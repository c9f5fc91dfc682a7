// An agent with unsaved changes: the body of a PATCH applied to the record without storing it, for one test call or reply.
import type { Agent, AgentPatch } from './schema.ts'

/** As `PATCH /api/agents/:id` would return it: a field that is absent stays, null empties it. */
export function withDraft(agent: Agent, draft: AgentPatch | null | undefined): Agent {
  if (!draft) return agent
  const changes = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
  return { ...agent, ...changes }
}
