// The draft that a test runs with: the form's current state plus the test's own variable values. Pure.
import type { Agent } from '../../../../../client/paths.ts'
import { type AgentPatch, type Draft, patchOf, problemsOf } from '../agent-draft.ts'

export type TestValues = Readonly<Record<string, string>>

/** Null while a field is invalid. A disabled agent is tested as if it were active. */
export function testDraft(agent: Agent, draft: Draft, values: TestValues): AgentPatch | null {
  if (Object.keys(problemsOf(draft)).length > 0) return null
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
  return { ...patchOf(agent, { ...draft, variables: { ...draft.variables, ...given } }), isActive: true }
}
