// What other services use of the agents service: the options of a session, the agent's voice, turn metrics and control of a running session.
export { turnMetrics as turnRecord } from './turn-metrics.ts'
export { type AgentSessionControl, conversationOptions, speakerFor } from './voice-agent.ts'
