// What other services use of the agents service: session options, the agent's voice, its built-in function, turn metrics, control of a running session.
export type { CampaignCall, FindCampaignCall } from './campaign-port.ts'
export { collectFor, withCollect } from './collect-function.ts'
export { sessionOptions, speakerFor } from './session-options.ts'
export { turnMetrics } from './turn-metrics.ts'
export type { AgentSessionControl } from './voice-agent.ts'
