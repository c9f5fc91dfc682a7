// What other services use of the answer hooks.
export type { AnswerHooks } from './service.ts'
