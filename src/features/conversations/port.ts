// What other services use of conversations. Types only.
export type { FindAnswerer } from './reply.ts'
