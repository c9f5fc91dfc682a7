// Looks back on conversations when they are over, in the background: what is due is taken, thought about by the agent's own
// model, and kept with the conversation. Nobody waits for it, and what was said reaches no log.
import type { AgentSettings } from '../../api/agents/settings.ts'
import type { AgentStore } from '../../api/agents/store.ts'
import type { AnalysisJob, AnalysisQueue } from '../../api/conversations/analysis-queue.ts'
import { now } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { compileUserSchema } from '../../base/user-schema.ts'
import { type AnalysisWish, analyse, NoFindings } from '../../llm/analysis.ts'
import type { Brain } from '../../llm/open.ts'
import { checkArguments } from '../../tools/arguments.ts'
import type { Message } from '../../voice/ports.ts'

export type CallAnalysisParts = {
  agents: AgentStore
  analyses: AnalysisQueue
  brain: Pick<Brain, 'backgroundLlm'>
  log: Log
  /** How long to wait after each failure; after one more it has failed. */
  backoffMs?: readonly number[]
  /** One analysis takes no longer. */
  limitMs?: number
}

const BACKOFF_MS = [10_000, 60_000]
const LIMIT_MS = 240_000

export function callAnalysis({
  agents,
  analyses,
  brain,
  log,
  backoffMs = BACKOFF_MS,
  limitMs = LIMIT_MS,
}: CallAnalysisParts) {
  const stop = new AbortController()

  async function lookBack(job: AnalysisJob): Promise<void> {
    const agent = await agents.get(job.userId, job.agentId)
    const wish = wishOf(agent.settings as AgentSettings | null)
    const said = (await analyses.transcript(job)).map(({ type, content }): Message => ({ role: type, content }))
    if (!wish || said.length === 0) return analyses.finish(job, 'skipped')
    const { fields } = wish
    if (fields) compileUserSchema(fields) // no use in asking for what nothing can be
    const llm = brain.backgroundLlm(agent.llmConfig)
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), limitMs)
    try {
      const findings = await analyse(
        { llm, language: agent.language, checkFields: (values) => checkArguments(fields ?? {}, values) },
        said,
        wish,
        AbortSignal.any([stop.signal, limit.signal]),
      )
      await analyses.complete(job, { ...findings, by: llm.name, at: now() })
    } finally {
      clearTimeout(timer)
    }
  }

  async function attempt(job: AnalysisJob): Promise<void> {
    // A process that died in the middle has used up its try too.
    if (job.tries > backoffMs.length + 1) return analyses.finish(job, 'failed')
    try {
      await lookBack(job)
    } catch (err) {
      if (stop.signal.aborted) return analyses.release(job)
      const waitMs = err instanceof NoFindings || isInvalid(err) ? undefined : backoffMs[job.tries - 1]
      const told = { err, conversationId: job.id, tries: job.tries }
      if (waitMs === undefined) {
        log.warn(told, 'a conversation could not be analysed')
        await analyses.finish(job, 'failed')
      } else {
        log.info(told, 'the analysis of a conversation failed; it will be tried again')
        await analyses.retry(job, waitMs)
      }
    }
  }

  return {
    /** Takes what is due, one after the other, until there is nothing. */
    async work(): Promise<void> {
      while (!stop.signal.aborted) {
        const job = await analyses.claim()
        if (!job) return
        await attempt(job)
      }
    },

    /** What is under way is given back, and begins again in the next process. */
    stop: () => stop.abort(),
  }
}

/** What an agent wants to know; null where it wants nothing. */
export function wishOf(settings: AgentSettings | null): AnalysisWish | null {
  const { summary, success, fields } = settings?.analysis ?? {}
  const wish = { summary: summary !== false, success: success || null, fields: fields ?? null }
  return wish.summary || wish.success !== null || wish.fields ? wish : null
}

const isInvalid = (error: unknown) => (error as { kind?: string } | null)?.kind === 'invalid'
