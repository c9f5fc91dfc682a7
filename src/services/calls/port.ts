// What other services use of the calls service.
export type { CallStorage } from './call-storage.ts'
