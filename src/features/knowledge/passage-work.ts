// What ingestion adds to a document's passages: vectors, and questions that a language model writes for each.
import { appError } from '../../base/errors/errors.ts'
import { questionOrder, questionsIn, questionText } from '../../retrieval/documents/questions.ts'
import { BATCH, type Embeddings } from '../../retrieval/embeddings.ts'
import { encodeVector } from '../../retrieval/vectors.ts'
import type { Llm, Message } from '../../voice/ports.ts'
import type { IngestionJob, IngestionQueue, PendingPassage } from './ingestion-queue.ts'

const PASSAGES_AT_ONCE = 2
const ANSWER_TIMEOUT_MS = 120_000
const MAX_ANSWER_LETTERS = 4000

type Work = { queue: IngestionQueue; signal: AbortSignal }

export async function embed({ queue, signal }: Work, job: IngestionJob, by: Embeddings): Promise<void> {
  await queue.setEmbeddingModel(job, by.model)
  for (;;) {
    const left = await queue.passagesWithoutVectors(job, BATCH)
    if (left.length === 0 || signal.aborted) return
    const texts = left.map(({ heading, content }) => [heading, content].filter((text) => text !== '').join('\n'))
    const vectors = await by.many(texts, signal)
    await queue.savePassages(
      job,
      left.map(({ number }, i) => ({ number, vector: encodeVector(vectors[i] as Int8Array) })),
    )
  }
}

/** Writes questions for the first `maxQuestioned` passages. */
export async function writeQuestions(
  { queue, signal, maxQuestioned }: Work & { maxQuestioned: number },
  job: IngestionJob,
  by: Llm,
): Promise<void> {
  if (!(await queue.wantsQuestions(job))) return
  for (;;) {
    const left = await queue.passagesWithoutQuestions(job, maxQuestioned, PASSAGES_AT_ONCE)
    if (left.length === 0 || signal.aborted) return
    const asked = await Promise.all(left.map((passage) => questionsFor(by, job.name, passage, signal)))
    if (signal.aborted) return
    await queue.savePassages(
      job,
      left.map(({ number }, i) => ({ number, questions: JSON.stringify(asked[i]) })),
    )
  }
}

async function questionsFor(
  by: Llm,
  documentName: string,
  passage: PendingPassage,
  signal: AbortSignal,
): Promise<string[]> {
  const history: Message[] = [
    { role: 'system', content: questionOrder },
    { role: 'user', content: questionText({ documentName, ...passage }) },
  ]
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])
  let text = ''
  for await (const part of by.reply(history, [], { language: 'en' }, limit)) {
    if ('say' in part) text += part.say
    if (text.length > MAX_ANSWER_LETTERS) break
  }
  if (limit.aborted) throw appError('model_timeout')
  return questionsIn(text)
}
