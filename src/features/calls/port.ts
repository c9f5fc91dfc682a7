// The interface of the calls service for other services.
export type { CallStorage } from './call-storage.ts'
export { agentInCalls } from './phone-repository.ts'
export { postCallAnalysis } from './post-call-analysis.ts'
