// Lowers the priority of background threads in favour of the media clock and audible synthesis.
import { setPriority } from 'node:os'

/** About a third of a contended core. */
const NICE = 3

/**
 * Applies to the calling thread and the threads it starts. On other systems than Linux it would apply to the whole
 * process.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(NICE)
}
