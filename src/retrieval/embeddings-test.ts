// Tries an embeddings server with one short text, and measures the time to its vector.
import type { Dispatcher } from 'undici'
import { type TestResult, testProvider } from '../base/domain/provider-test.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { type EmbeddingsEndpoint, openEmbeddings } from './embeddings.ts'

export type EmbeddingsTestOptions = { title: string; dispatcher: Dispatcher; timeoutMs?: number }

export function testEmbeddings(
  endpoint: EmbeddingsEndpoint,
  { title, dispatcher, timeoutMs }: EmbeddingsTestOptions,
): Promise<TestResult> {
  const { model, apiKey } = endpoint
  return testProvider({ kind: 'embeddings', title, model, apiKey, timeoutMs }, async ({ signal, onRefusal }) => {
    const embeddings = openEmbeddings(endpoint, { dispatcher, onRefusal })
    const beganMs = monotonicMs()
    await embeddings.many(['A connection test'], signal)
    return { firstMs: Math.round(monotonicMs() - beganMs) }
  })
}
