// Replaces `node:test` inside a worker: tests that a file declares on import become tests of that file, not of the
// process.
import * as real from 'node:test'

const hooks = { before: real.before, after: real.after, beforeEach: real.beforeEach, afterEach: real.afterEach }

export type DeclaredTests = {
  tests: { name: string; options: real.TestOptions; body: real.TestFn | DeclaredTests }[]
  before: (() => unknown)[]
  after: (() => unknown)[]
  beforeEach: (() => unknown)[]
  afterEach: (() => unknown)[]
}

const nothing = (): DeclaredTests => ({ tests: [], before: [], after: [], beforeEach: [], afterEach: [] })
let declaring: DeclaredTests | undefined

/** Imports a test file and returns its declared tests without running them. */
export async function testsOf(url: string): Promise<DeclaredTests> {
  const file = nothing()
  declaring = file
  try {
    await import(url)
  } finally {
    declaring = undefined
  }
  return file
}

/** Accepts node:test's arguments: name, options and body, each of them optional. */
function parsed(args: unknown[]) {
  const body = args.find((arg) => typeof arg === 'function') as real.TestFn | undefined
  const name = (args.find((arg) => typeof arg === 'string') as string | undefined) ?? body?.name ?? ''
  const options = args.find((arg) => typeof arg === 'object' && arg !== null) as real.TestOptions | undefined
  return { name, options: options ?? {}, body: body ?? (() => {}) }
}

export function test(...args: unknown[]): Promise<void> {
  if (!declaring) return real.test(...(args as Parameters<typeof real.test>))
  declaring.tests.push(parsed(args))
  return Promise.resolve()
}

export function suite(...args: unknown[]): Promise<void> {
  if (!declaring) return real.suite(...(args as Parameters<typeof real.suite>))
  const { name, options, body } = parsed(args)
  const outer = declaring
  declaring = nothing()
  outer.tests.push({ name, options, body: declaring })
  ;(body as () => void)()
  declaring = outer
  return Promise.resolve()
}

const hook =
  (name: keyof typeof hooks) =>
  (act: () => unknown): void => {
    if (declaring) declaring[name].push(act)
    else hooks[name](act as never)
  }

export const it = test
export const describe = suite
export const before = hook('before')
export const after = hook('after')
export const beforeEach = hook('beforeEach')
export const afterEach = hook('afterEach')
export const mock: typeof real.mock = real.mock
