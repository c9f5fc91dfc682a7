// Clean-up for a test file: `atEnd` callbacks run when all tests of the file have ended, in reverse order.
import { after } from 'node:test'

const endings: (() => unknown)[] = []
/** (`after` inside a test would run when that test ends.) */
export const atEnd = (ending: () => unknown) => void endings.push(ending)

export async function runEndings(): Promise<void> {
  for (let ending = endings.pop(); ending; ending = endings.pop()) await ending()
}

/** A worker runs many files, and calls this after each. */
if (!process.env.TEST_WORKER) after(runEndings)
