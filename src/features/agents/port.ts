// What other services use of the agents service. Types only; app.ts provides the values.
export type { CampaignCall, FindCampaignCall } from './campaign-port.ts'
export type { SessionParts } from './session-parts.ts'
export type { AgentSessionControl } from './voice-agent.ts'
