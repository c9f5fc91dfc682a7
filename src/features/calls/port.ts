// The interface of the calls service for other services.
export type { AgentInCalls } from './agent-in-calls.ts'
export type { CallStorage } from './call-storage.ts'
