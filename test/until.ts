// Polls for a condition; fails with its name if it is not met in time.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  boundMs = 15_000,
): Promise<Exclude<T, undefined | false | null>> {
  const end = performance.now() + boundMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false && seen !== null) return seen as Exclude<T, undefined | false | null>
    if (performance.now() > end) assert.fail(`not within ${boundMs} ms: ${what}`)
    await sleep(20)
  }
}
