// The reporter of a worker: sends the result of each test to the parent process.
import type { TestResult } from './summary.ts'

type TestEvent = {
  type: string
  data: {
    name: string
    message: string
    nesting: number
    details?: { duration_ms?: number; error?: Error & { cause?: unknown } }
    skip?: unknown
    todo?: unknown
  }
}

function resultOf({ type, data }: TestEvent): TestResult | undefined {
  const { name, nesting, skip, todo, message, details } = data
  if (type === 'test:diagnostic' && message.startsWith('measured')) return { kind: 'figure', nesting, name: message }
  const ms = details?.duration_ms ?? 0
  if (type === 'test:pass') return { kind: skip || todo ? 'skipped' : 'passed', nesting, name, ms }
  if (type === 'test:fail') return { kind: todo ? 'skipped' : 'failed', nesting, name, ms, why: textOf(details?.error) }
  return undefined
}

function textOf(error?: Error & { cause?: unknown }): string {
  const cause = error?.cause ?? error
  if (typeof cause === 'string') return cause
  return (cause as Error)?.stack ?? (cause as Error)?.message ?? String(cause)
}

// biome-ignore lint/style/noDefaultExport: node's test runner takes a reporter as a default export
export default async function* toParent(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const result = resultOf(event)
    if (result) process.send?.({ result })
    yield ''
  }
}
