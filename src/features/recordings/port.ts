// What other services use of recordings. Types only.
export type { RecordingService } from './service.ts'
