// Tries a language model with one short question, and measures the time to its first word.
import type { Dispatcher } from 'undici'
import { type Attempt, TEST_TIMEOUT_MS, type TestResult, testProvider } from '../base/domain/provider-test.ts'
import { appError } from '../base/errors/errors.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { LlmEndpoint } from '../config/config.ts'
import type { Llm, Message } from '../voice/ports.ts'
import { modelTimeouts } from './model-http.ts'
import { openModel } from './open.ts'

type ModelTestOptions = { title: string; dispatcher: Dispatcher; timeoutMs?: number }

const question: readonly Message[] = [
  { role: 'system', content: 'This is a connection test. Reply with one word.' },
  { role: 'user', content: 'Hello' },
]

export function testModel(
  endpoint: LlmEndpoint,
  { title, dispatcher, timeoutMs = TEST_TIMEOUT_MS }: ModelTestOptions,
): Promise<TestResult> {
  const { model, apiKey } = endpoint
  const timeouts = { ...modelTimeouts, firstByteMs: timeoutMs, idleMs: timeoutMs }
  return testLlm({ title, model, apiKey, timeoutMs }, ({ onRefusal }) =>
    openModel(endpoint, { dispatcher, timeouts, onRefusal }),
  )
}

type Tested = { title: string; model: string; apiKey: string | null; timeoutMs?: number }

export function testLlm(tested: Tested, open: (attempt: Attempt) => Promise<Llm>): Promise<TestResult> {
  const { title } = tested
  return testProvider({ kind: 'llm', ...tested }, async (attempt) => {
    const { signal } = attempt
    const llm = await open(attempt)
    const beganMs = monotonicMs()
    for await (const part of llm.reply(question, [], { language: 'en' }, signal)) {
      if (!('say' in part) || part.say.trim() === '') continue
      return { firstMs: Math.round(monotonicMs() - beganMs) }
    }
    throw appError('service_no_answer', { service: title })
  })
}
