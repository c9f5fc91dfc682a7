// An agent with unsaved changes: the body of a PATCH applied to the record without storing it, for one test call or
// reply.
import type { Agent, AgentPatch } from './schema.ts'

/** Applies the draft as `PATCH /api/agents/:id` would: absent fields stay, null clears a field. */
export function withDraft(agent: Agent, draft: AgentPatch | null | undefined): Agent {
  if (!draft) return agent
  const changes = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
  return { ...agent, ...changes }
}
