// Threads that can wait let those pass that cannot: the media clock, and a voice that somebody listens to.
import { setPriority } from 'node:os'

/** Of a core that both want, a third. */
const NICE = 3

/** For the thread that calls it, and those it starts. Elsewhere than on Linux it would be the whole process. */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(NICE)
}
