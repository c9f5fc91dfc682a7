// The real clock of a session; rehearsals and tests use a virtual one.
import { sleep } from '../base/concurrency/abort.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Clock } from './ports.ts'

export const realClock: Clock = { now: monotonicMs, sleep: (ms, signal) => sleep(ms, signal) }
