// Order of waiting recognitions: urgent ones first, with a limit on how often another one is overtaken. Pure.

export type QueuedJob = { readonly isUrgent: boolean; overtaken: number }

/** How often a recognition may be overtaken: callers who keep talking over their agents must not silence the others. */
const MAX_OVERTAKEN = 2

/** Adds an urgent job behind other urgent ones and those that have waited long enough; any other at the end. */
export function enqueue<Job extends QueuedJob>(waiting: Job[], job: Job): void {
  if (!job.isUrgent) {
    waiting.push(job)
    return
  }
  const at = waiting.findLastIndex(({ isUrgent, overtaken }) => isUrgent || overtaken >= MAX_OVERTAKEN) + 1
  for (const other of waiting.slice(at)) other.overtaken++
  waiting.splice(at, 0, job)
}
