// What other services use of the calls service.
export type { CallStorage } from './call-storage.ts'
export { postCallAnalysis } from './post-call-analysis.ts'
