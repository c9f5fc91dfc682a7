// What other services use of conversations. Types only.
export type { FindAnswerer, SendAndReply } from './reply.ts'
