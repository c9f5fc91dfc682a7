// Cleanup for tests: `atEnd` callbacks run when all tests of the file have ended, `atWorkerEnd` callbacks when the
// process has no more files to run; both run in reverse order.
import { after } from 'node:test'

const endings: (() => unknown)[] = []
const workerEndings: (() => unknown)[] = []
/** Unlike `after`, which inside a test runs when that test ends. */
export const atEnd = (ending: () => unknown) => void endings.push(ending)

/** Cleanup of what a process keeps across test files. */
export function atWorkerEnd(act: () => unknown): void {
  workerEndings.push(act)
}

async function run(acts: (() => unknown)[]): Promise<void> {
  for (let act = acts.pop(); act; act = acts.pop()) await act()
}

export const runEndings = (): Promise<void> => run(endings)

export async function runWorkerEndings(): Promise<void> {
  await run(workerEndings)
}

/** A worker runs many files and calls these itself. */
if (!process.env.TEST_WORKER)
  after(async () => {
    await runEndings()
    await runWorkerEndings()
  })
