// Runs a tool call exactly once: it is recorded before it runs, and a repeated request gets the recorded result.
import { monotonicMs } from '../base/time/clock.ts'
import type { Outcome, ToolFunction } from './ports.ts'
import { errorText, type Mask, maskedVariables, resultText } from './results.ts'
import type { Caps, NewToolRun, StoredToolRun, ToolRunEnd, ToolRunStore } from './tool-run-store.ts'

const POLL_MS = 200
/** Grace period for a run that ignores its abort signal. */
export const GRACE_MS = 2000
/** Time left after that to store the outcome. */
const WRITE_MS = 10_000

export const leaseMsOf = ({ timeoutMs }: Pick<ToolFunction, 'timeoutMs'>) => timeoutMs + GRACE_MS + WRITE_MS

export const DOUBT =
  'It is not known whether this was done. Do not repeat it: say that it could not be confirmed, and offer to check.'

export type ToolRunResult = {
  status: StoredToolRun['status']
  /** For the model. */
  text: string
  /** Only if this process ran it. */
  outcome?: Outcome
  variables?: StoredToolRun['variables']
  ranMs?: number
}

export type IdempotentRun = {
  store: ToolRunStore
  caps: Caps
  fn: Pick<ToolFunction, 'hasEffect' | 'isRepeatable' | 'timeoutMs' | 'isAsync'>
  mask: Mask
  /** Runs the tool under this id. */
  act(id: string): Promise<Outcome>
  onTrouble(error: unknown): void
  /** Called with a run that continues after its response: the process must wait for it before it exits. */
  watch(run: Promise<unknown>): void
}

const STILL_RUNNING = 'Still running from an earlier call: its result is not awaited.'

export async function runIdempotently(once: IdempotentRun, request: NewToolRun): Promise<ToolRunResult> {
  const { store, caps, fn, onTrouble } = once
  const mayRepeat = fn.isRepeatable || !fn.hasEffect
  try {
    const start = await store.begin(request, caps)
    if (start.state === 'refused') return { status: 'refused', text: start.error }
    if (start.state === 'begun') return await actUnder(start.id)
    if (fn.isAsync && start.call.status === 'running' && !start.call.isOrphaned)
      return { status: 'running', text: STILL_RUNNING }
    const stored = await settled(start.call)
    const isOpen = stored.status === 'in_doubt' || stored.status === 'running'
    if (isOpen && mayRepeat && (await store.takeOver(stored.id, request.leaseMs))) return await actUnder(stored.id)
    return repeatedResult(stored)
  } catch (error) {
    onTrouble(error)
    return { status: 'failed', text: 'The tool could not be started: its call could not be recorded.' }
  }

  /** Another process may be running it: wait for its end, at most for its lease. */
  async function settled(call: StoredToolRun): Promise<StoredToolRun> {
    const until = monotonicMs() + request.leaseMs
    let seen = call
    while (seen.status === 'running' && !seen.isOrphaned && monotonicMs() < until) {
      await new Promise((wake) => setTimeout(wake, POLL_MS))
      seen = (await store.get(request.conversationId, call.id)) ?? { ...seen, status: 'failed', error: 'It is gone.' }
    }
    return seen
  }

  async function actUnder(id: string): Promise<ToolRunResult> {
    const startedAt = monotonicMs()
    const outcome = await once.act(id).catch(faultOfOurs)
    if (!outcome.ok || !outcome.later) return ended(id, outcome, startedAt)
    once.watch(outcome.later.catch(faultOfOurs).then((last) => ended(id, last, startedAt)))
    return { status: 'running', text: outcome.text, outcome }
  }

  function faultOfOurs(error: unknown): Outcome {
    onTrouble(error)
    return { ok: false, error: 'The tool failed on our side.', isDoubtful: fn.hasEffect }
  }

  async function ended(id: string, outcome: Outcome, startedAt: number): Promise<ToolRunResult> {
    const ranMs = Math.round(monotonicMs() - startedAt)
    const end = endOf(outcome, ranMs, fn.hasEffect, once.mask)
    // The tool ran even if its end cannot be stored: tell the model. The record becomes in_doubt when its lease ends.
    await store.finish(id, end).catch(onTrouble)
    return { ...resultOf(end), outcome, ranMs }
  }
}

export function endOf(outcome: Outcome, durationMs: number, hasEffect: boolean, mask: Mask): ToolRunEnd {
  if (outcome.ok) {
    const variables = maskedVariables(outcome.variables, mask)
    return { status: 'done', result: resultText(outcome.text, mask), error: null, durationMs, variables }
  }
  const status = outcome.isDoubtful && hasEffect ? 'in_doubt' : 'failed'
  return { status, result: null, error: errorText(outcome.error, mask), durationMs, variables: null }
}

const resultOf = ({ status, result, error, variables }: Omit<StoredToolRun, 'id' | 'isOrphaned'>): ToolRunResult => {
  if (status === 'done') return { status, text: result ?? '', variables }
  const why = error ?? 'The tool failed.'
  return { status, text: status === 'in_doubt' ? `${why} ${DOUBT}` : why }
}

const repeatedResult = (stored: StoredToolRun): ToolRunResult =>
  stored.status === 'running' ? { status: 'in_doubt', text: DOUBT } : resultOf(stored)
