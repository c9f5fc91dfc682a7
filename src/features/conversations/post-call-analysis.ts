// Post-call analysis in the background: the agent's model analyzes finished conversations, and the findings are stored
// with them. Transcripts are never logged.

import { compileUserSchema } from '../../base/domain/user-schema.ts'
import type { Log } from '../../base/process/log.ts'
import { now } from '../../base/time/clock.ts'
import { AnalysisFailed, type AnalysisRequest, analyze } from '../../llm/analysis.ts'
import type { FindLlms } from '../../llm/open.ts'
import { checkArguments } from '../../tool-types/arguments.ts'
import type { Message } from '../../voice/ports.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'
import type { AgentStore } from '../agents/store.ts'
import type { AnalysisJob, AnalysisQueue } from './analysis-queue.ts'

export type PostCallAnalysisParts = {
  agents: AgentStore
  analyses: AnalysisQueue
  llmsOf: FindLlms
  log: Log
  /** Delays before retries; after the last one the analysis fails for good. */
  backoffMs?: readonly number[]
  /** Time limit of one analysis. */
  limitMs?: number
}

const BACKOFF_MS = [10_000, 60_000]
const LIMIT_MS = 240_000

export function postCallAnalysis({
  agents,
  analyses,
  llmsOf,
  log,
  backoffMs = BACKOFF_MS,
  limitMs = LIMIT_MS,
}: PostCallAnalysisParts) {
  const stop = new AbortController()

  async function analyzeConversation(job: AnalysisJob): Promise<void> {
    const agent = await agents.get(job.userId, job.agentId)
    const request = analysisRequestOf(agent.settings as AgentSettings | null)
    const messages = (await analyses.transcript(job)).map(({ type, content }): Message => ({ role: type, content }))
    if (!request || messages.length === 0) return analyses.finish(job, 'skipped')
    const { fields } = request
    if (fields) compileUserSchema(fields) // throws early if the schema is unusable
    const llm = (await llmsOf(job.userId, agent)).backgroundLlm(agent.llmConfig)
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), limitMs)
    try {
      const findings = await analyze(
        { llm, language: agent.language, checkFields: (values) => checkArguments(fields ?? {}, values) },
        messages,
        request,
        AbortSignal.any([stop.signal, limit.signal]),
      )
      await analyses.complete(job, { ...findings, by: llm.name, at: now() })
    } finally {
      clearTimeout(timer)
    }
  }

  async function attempt(job: AnalysisJob): Promise<void> {
    // An attempt whose process crashed also counts.
    if (job.tries > backoffMs.length + 1) return analyses.finish(job, 'failed')
    try {
      await analyzeConversation(job)
    } catch (err) {
      if (stop.signal.aborted) return analyses.release(job)
      const waitMs = err instanceof AnalysisFailed || isInvalid(err) ? undefined : backoffMs[job.tries - 1]
      const fields = { err, conversationId: job.id, tries: job.tries }
      if (waitMs === undefined) {
        log.warn(fields, 'post-call analysis failed')
        await analyses.finish(job, 'failed')
      } else {
        log.info(fields, 'post-call analysis failed; retrying')
        await analyses.retry(job, waitMs)
      }
    }
  }

  return {
    /** Runs all due analyses sequentially. */
    async work(): Promise<void> {
      while (!stop.signal.aborted) {
        const job = await analyses.claim()
        if (!job) return
        await attempt(job)
      }
    },

    /** Releases a running analysis, so that another process can restart it. */
    stop: () => stop.abort(),
  }
}

/** The analysis that the agent's settings request; null if none. */
export function analysisRequestOf(settings: AgentSettings | null): AnalysisRequest | null {
  const { summary, success, fields } = settings?.analysis ?? {}
  const request = { summary: summary !== false, success: success || null, fields: fields ?? null }
  return request.summary || request.success !== null || request.fields ? request : null
}

const isInvalid = (error: unknown) => (error as { kind?: string } | null)?.kind === 'invalid'
