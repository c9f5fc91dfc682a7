// Stores the progress of a running rehearsal, so that any process can show it, and detects when it was stopped.
import type { Log } from '../../base/process/log.ts'
import { every } from '../../base/time/timer.ts'
import { checkAll } from '../../simulation/checks.ts'
import type { SimulationOutcome } from '../../simulation/outcome.ts'
import type { Turn } from '../calls/schema.ts'
import type { NewRehearsal, RehearsalOutcome } from './schema.ts'
import type { RehearsalStore } from './store.ts'

const PROGRESS_MS = 400

export type RunOutcome = SimulationOutcome<Turn>

/** The outcome to store; checks are evaluated on what has happened so far. */
export function storedOutcome(
  asked: Pick<NewRehearsal, 'expect'>,
  { turnsAtMs, durationMs, turns, ...rest }: RunOutcome,
  llm: RehearsalOutcome['llm'],
): RehearsalOutcome {
  return {
    ...rest,
    turns: turns.map(({ at, ...turn }, i) => ({ ...turn, atMs: Math.round(turnsAtMs[i] ?? 0) })),
    llm,
    checks: checkAll(asked.expect ?? [], { ...rest, turns, turnsAtMs, durationMs }),
    error: null,
    comparison: null,
  }
}

export type ProgressParts = {
  rehearsals: Pick<RehearsalStore, 'progress'>
  id: string
  soFar: () => RehearsalOutcome
  /** Called when it was stopped or deleted, possibly by another process. */
  onGone: () => void
  log: Log
}

/** Returns the function that stops reporting. */
export function reportProgress({ rehearsals, id, soFar, onGone, log }: ProgressParts): () => Promise<void> {
  const report = async () => {
    if (!(await rehearsals.progress(id, { ...soFar(), endReason: null }))) onGone()
  }
  const timer = every(PROGRESS_MS, report, (err) =>
    log.warn({ err, rehearsalId: id }, 'failed to store rehearsal progress'),
  )
  return () => timer.stop()
}
