// The test report: figures that a test measured (diagnostics that begin so), each failure with its place, the counts, and what took longest.
import { relative } from 'node:path'

type TestEvent = {
  type: string
  data: {
    name: string
    message?: string
    file?: string
    line?: number
    nesting?: number
    details?: {
      type?: string
      duration_ms?: number
      error?: { cause?: { stack?: string; message?: string } | string; message?: string }
    }
    skip?: unknown
    todo?: unknown
  }
}

const SLOWEST = 8

// biome-ignore lint/style/noDefaultExport: node's test runner takes a reporter as a default export
export default async function* summary(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let [passed, failed, skipped] = [0, 0, 0]
  const files = new Map<string, number>()
  for await (const { type, data } of events) {
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && data.file)
      files.set(data.file, (files.get(data.file) ?? 0) + (data.details?.duration_ms ?? 0))
    if (data?.details?.type === 'suite') continue
    if (type === 'test:pass') data.skip || data.todo ? skipped++ : passed++
    if (type === 'test:diagnostic' && data.message?.startsWith('measured')) yield `  ${data.message}\n`
    if (type !== 'test:fail') continue
    failed++
    const { cause, message } = data.details?.error ?? {}
    const why = typeof cause === 'string' ? cause : (cause?.stack ?? cause?.message ?? message ?? '')
    yield `\nfailed: ${data.name}\n  at ${data.file}:${data.line}\n${why.replace(/^/gm, '  ')}\n`
  }
  const slowest = [...files].sort(([, a], [, b]) => b - a).slice(0, SLOWEST)
  if (files.size > SLOWEST)
    yield `\nslowest: ${slowest.map(([file, ms]) => `${relative('.', file)} ${Math.round(ms / 1000)} s`).join(', ')}\n`
  yield `\n${passed} passed, ${failed} failed, ${skipped} skipped\n`
}
