// The test report: figures that a test measured (diagnostics that begin so), each failure with its place, then one line of counts.
type TestEvent = {
  type: string
  data: {
    name: string
    message?: string
    file?: string
    line?: number
    details?: { type?: string; error?: { cause?: { stack?: string; message?: string } | string; message?: string } }
    skip?: unknown
    todo?: unknown
  }
}

// biome-ignore lint/style/noDefaultExport: node's test runner takes a reporter as a default export
export default async function* summary(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let [passed, failed, skipped] = [0, 0, 0]
  for await (const { type, data } of events) {
    if (data?.details?.type === 'suite') continue
    if (type === 'test:pass') data.skip || data.todo ? skipped++ : passed++
    if (type === 'test:diagnostic' && data.message?.startsWith('measured')) yield `  ${data.message}\n`
    if (type !== 'test:fail') continue
    failed++
    const { cause, message } = data.details?.error ?? {}
    const why = typeof cause === 'string' ? cause : (cause?.stack ?? cause?.message ?? message ?? '')
    yield `\nfailed: ${data.name}\n  at ${data.file}:${data.line}\n${why.replace(/^/gm, '  ')}\n`
  }
  yield `\n${passed} passed, ${failed} failed, ${skipped} skipped\n`
}
