// Rehearsals: runs an agent against a script or the replay of a call in virtual time, checks the outcome and stores it.
import { waitAtMost } from '../../base/concurrency/abort.ts'
import { AppError, appError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import type { Agent } from '../agents/schema.ts'
import type { AgentStore } from '../agents/store.ts'
import type { Turn } from '../calls/schema.ts'
import type { CallStore } from '../calls/store.ts'
import type { Replayed } from './caller-steps.ts'
import { type PreparedRun, preparedRun, type RunParts } from './prepared-run.ts'
import { reportProgress } from './run-progress.ts'
import type { NewRehearsal, Rehearsal, Script } from './schema.ts'
import { type Ended, emptyOutcome, LIMIT_MS, type RehearsalStore } from './store.ts'

const MAX_RUNNING_PER_USER = 2
const MAX_RUNNING = 4
/** The request returns within this time; longer rehearsals are polled. */
const WAIT_MS = 50_000

export type RehearsalsParts = RunParts & {
  agents: Pick<AgentStore, 'get'>
  calls: Pick<CallStore, 'get' | 'recordingOf'>
  turnsOf: (userId: string, callId: string) => Promise<Turn[]>
  rehearsals: RehearsalStore
  log: Log
  waitMs?: number
}

type Started = { id: string; done: Promise<void> }

export function simulationService(parts: RehearsalsParts) {
  const { agents, rehearsals, log, waitMs = WAIT_MS } = parts
  const running = new Map<string, { stop: AbortController; done: Promise<void> }>()
  const acquireSlot = runSlots()
  let isClosed = false

  /** Resolves once it is running; `done` resolves when its result is stored. */
  async function start(userId: string, asked: NewRehearsal, scriptId: string | null): Promise<Started> {
    const replay = asked.replayOf ? await loadReplay(parts, userId, asked.replayOf) : null
    const agentId = asked.agentId ?? replay?.agentId
    if (!agentId) throw appError('rehearsal_call_no_agent')
    const agent = withChanges(await agents.get(userId, agentId), asked.agent)
    if (isClosed) throw appError('service_stopping')
    const releaseSlot = acquireSlot(userId)
    try {
      const run = await preparedRun(parts, userId, asked, agent, replay)
      const { id } = await rehearsals.create(userId, {
        agentId,
        name: asked.name ?? (asked.replayOf ? `replay of ${asked.replayOf}` : 'rehearsal'),
        mode: asked.mode ?? 'text',
        replayOf: asked.replayOf ?? null,
        scriptId,
        script: scriptIn(asked),
      })
      const stop = new AbortController()
      const done = runAndStore({ rehearsals, log, id, run, stop }).finally(() => {
        running.delete(id)
        releaseSlot()
      })
      running.set(id, { stop, done })
      return { id, done }
    } catch (error) {
      releaseSlot()
      throw error
    }
  }

  return {
    async run(userId: string, asked: NewRehearsal): Promise<Rehearsal> {
      const { id, done } = await start(userId, asked, null)
      await waitAtMost(waitMs, done)
      return rehearsals.get(userId, id)
    },
    /** Runs a saved rehearsal without waiting for its end. */
    async begin(userId: string, asked: NewRehearsal, scriptId: string): Promise<Rehearsal> {
      const { id } = await start(userId, asked, scriptId)
      return rehearsals.get(userId, id)
    },
    stop: (id: string) => running.get(id)?.stop.abort(),
    /** Also stops those of other processes, which notice when they store their progress. */
    async stopAllOf(userId: string): Promise<void> {
      for (const id of await rehearsals.runningOf(userId)) {
        await rehearsals.stop(userId, id)
        running.get(id)?.stop.abort()
      }
    },
    /** Aborts running rehearsals and waits for them. */
    async close(): Promise<void> {
      isClosed = true
      const all = [...running.values()]
      for (const { stop } of all) stop.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

/** Acquires a slot for a run, which may have no row yet; returns the function that releases it. */
function runSlots() {
  const busy = new Map<string, number>()
  return (userId: string): (() => void) => {
    const mine = busy.get(userId) ?? 0
    const all = [...busy.values()].reduce((sum, each) => sum + each, 0)
    if (mine >= MAX_RUNNING_PER_USER || all >= MAX_RUNNING)
      throw appError('rehearsals_running', {}, { headers: { 'retry-after': '5' } })
    busy.set(userId, mine + 1)
    return () => {
      const left = (busy.get(userId) ?? 1) - 1
      if (left === 0) busy.delete(userId)
      else busy.set(userId, left)
    }
  }
}

async function loadReplay(
  { calls, turnsOf }: Pick<RehearsalsParts, 'calls' | 'turnsOf'>,
  userId: string,
  callId: string,
): Promise<Replayed & { agentId: string | null }> {
  const { agentId, direction, variables } = await calls.get(userId, callId)
  const turns = await turnsOf(userId, callId)
  if (!turns.some(({ caller }) => caller)) throw appError('rehearsal_no_turns')
  return { agentId, direction, turns, variables: (variables ?? {}) as Record<string, string> }
}

type StoredRun = Pick<RehearsalsParts, 'rehearsals' | 'log'> & { id: string; run: PreparedRun; stop: AbortController }

/** Never rejects: a failure is stored as the outcome. */
async function runAndStore({ rehearsals, log, id, run, stop }: StoredRun): Promise<void> {
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LIMIT_MS)])
  let endProgress = async () => {}
  const ended = await run((soFar) => {
    endProgress = reportProgress({ rehearsals, id, soFar, onGone: () => stop.abort(), log })
  }, signal).catch((err): Ended => {
    log.warn({ err, rehearsalId: id }, 'rehearsal failed')
    const why = err instanceof AppError ? err.message : 'The conversation failed on the server; see its log'
    return { status: 'error', durationMs: null, outcome: { ...emptyOutcome, error: why } }
  })
  try {
    await endProgress()
    await rehearsals.finish(id, ended)
  } catch (err) {
    log.warn({ err, rehearsalId: id }, 'failed to store rehearsal')
  }
}

/** Changes replace stored fields; `settings` is merged field by field. */
function withChanges(agent: Agent, changes: NewRehearsal['agent']): Agent {
  if (!changes) return agent
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return {
    ...agent,
    ...given,
    ...(changes.settings ? { settings: { ...agent.settings, ...changes.settings } } : {}),
  }
}

/** What is stored of a run's script: audio is too large. */
function scriptIn({ agentId, name, replayOf, ...script }: NewRehearsal): Script {
  return script.steps ? { ...script, steps: script.steps.map(({ audio, ...step }) => step) } : script
}
