// Background ingestion of documents: claims them, retries and reports failures. Without embeddings and a model,
// documents are still found by keyword search.
import { AppError } from '../../base/errors/errors.ts'
import { isBudgetRefusal } from '../../base/meter.ts'
import type { Log } from '../../base/process/log.ts'
import type { FindEmbeddings } from '../../retrieval/embeddings.ts'
import type { Llm } from '../../voice/ports.ts'
import { type IngestionJob, type IngestionQueue, LeaseLost } from './ingestion-queue.ts'
import { embed, writeQuestions } from './passage-work.ts'

export type IngestionParts = {
  queue: IngestionQueue
  embeddingsOf: FindEmbeddings
  /** Whether any user has embeddings now. */
  hasEmbeddings: () => Promise<boolean>
  /** Changes whenever any user's embeddings may have changed. */
  embeddingsRevision?: () => Promise<string>
  /** The owner's model. With null, or with the rule agent, no questions are written. */
  llmOf: ((userId: string) => Promise<Llm>) | null
  /** Whether any user has a model now: without a model and without embeddings, nothing is claimed. */
  hasModels?: () => Promise<boolean>
  log: Log
  /** The delay after each failure; one failure more than this is final. */
  backoffMs?: readonly number[]
  /** Maximum number of passages per document that get questions. */
  maxQuestioned?: number
}

const BACKOFF_MS = [10_000, 60_000, 300_000]
const MAX_QUESTIONED = 500

export function knowledgeIngestion(parts: IngestionParts) {
  const { queue, embeddingsOf, hasEmbeddings, log, backoffMs = BACKOFF_MS, maxQuestioned = MAX_QUESTIONED } = parts
  const { llmOf, hasModels = async () => llmOf !== null } = parts
  const stop = new AbortController()
  const { signal } = stop

  async function modelOf(userId: string): Promise<Llm | null> {
    const llm = (await llmOf?.(userId)) ?? null
    return llm?.isModel ? llm : null
  }

  /** Without embeddings and without a model, waiting documents are marked ready. */
  let wasWorking = true
  async function isWork(): Promise<boolean> {
    const isWorking = (await hasEmbeddings()) || (await hasModels())
    if (!isWorking && wasWorking) await queue.finishAll()
    wasWorking = isWorking
    return isWorking
  }

  let lastRevision: string | undefined
  async function requeueChanged(): Promise<void> {
    const revision = (await parts.embeddingsRevision?.()) ?? ''
    if (revision === lastRevision || !(await hasEmbeddings())) return
    for (const userId of await queue.owners()) {
      const embeddings = await embeddingsOf(userId)
      if (embeddings) await queue.requeueForModel(userId, embeddings.model)
    }
    lastRevision = revision
  }

  async function attempt(job: IngestionJob): Promise<void> {
    try {
      // A crashed attempt also counts.
      if (job.tries > backoffMs.length + 1) return await queue.fail(job, 'Ingestion failed too often')
      const embeddings = await embeddingsOf(job.userId)
      if (embeddings) await embed({ queue, signal }, job, embeddings)
      const llm = await modelOf(job.userId)
      if (llm) await writeQuestions({ queue, signal, maxQuestioned }, job, llm)
      await (signal.aborted ? queue.release(job) : queue.complete(job))
    } catch (err) {
      if (err instanceof LeaseLost) return
      await failed({ queue, log, backoffMs, signal }, job, err).catch((lost) => {
        if (!(lost instanceof LeaseLost)) throw lost
      })
    }
  }

  return {
    makes: {
      makesVectors: async (userId: string) => (await embeddingsOf(userId)) !== null,
      makesQuestions: async (userId: string) => (await modelOf(userId)) !== null,
    },

    /** Called once at startup. */
    async begin(): Promise<void> {
      await requeueChanged()
      await isWork()
    },

    /**
     * Requeues the documents of users whose embeddings have changed; until they are embedded again, keyword search
     * finds them.
     */
    refresh: requeueChanged,

    /** Runs the due jobs sequentially. */
    async work(): Promise<void> {
      if (!(await isWork())) return
      while (!signal.aborted) {
        const job = await queue.claim()
        if (!job) return
        await attempt(job)
      }
    },

    /** Releases the running job for the next process. */
    stop: () => stop.abort(),
  }
}

type FailureParts = Required<Pick<IngestionParts, 'queue' | 'log' | 'backoffMs'>> & { signal: AbortSignal }

async function failed({ queue, log, backoffMs, signal }: FailureParts, job: IngestionJob, err: unknown): Promise<void> {
  if (signal.aborted) return queue.release(job)
  const fields = { err, documentId: job.id, tries: job.tries }
  const waitMs = untilNextBudget(err) ?? backoffMs[job.tries - 1]
  if (waitMs !== undefined) {
    log.info(fields, 'document ingestion failed; retrying')
    return queue.retry(job, waitMs)
  }
  log.warn(fields, 'document ingestion failed; keyword search only')
  await queue.fail(job, err instanceof AppError ? err.message : 'Something went wrong on our side')
}

/** Ingestion that exceeds the owner's daily budget continues when the budget is renewed. */
function untilNextBudget(err: unknown): number | undefined {
  return isBudgetRefusal(err) ? Number(err.headers['retry-after']) * 1000 : undefined
}
