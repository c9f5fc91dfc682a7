// What other services use of the provider service: the links of an agent's chains, and the check of the accounts an
// agent names.
export type { CheckAgent } from './agent-check.ts'
export type { PlannedAgent } from './chain-plan.ts'
export type { AgentLinks, FindLinks } from './links.ts'
