// Lowers the priority of threads that can wait, in favour of the media clock and audible synthesis.
import { setPriority } from 'node:os'

/** Of a core that both want, a third. */
const NICE = 3

/** For the thread that calls it, and those it starts. Elsewhere than on Linux it would be the whole process. */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(NICE)
}
