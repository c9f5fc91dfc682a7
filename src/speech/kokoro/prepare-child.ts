// Child process that prepares Kokoro: started by prepare.ts, its first message holds the job.
import { setPriority } from 'node:os'
import { lockFolder } from './lock.ts'
import { type Preparation, prepare } from './prepare-steps.ts'

/** Calls in progress have priority. */
const NICE = 10

process.once('disconnect', () => process.exit(1))
process.once('message', (preparation: Preparation) => {
  run(preparation).catch((error: unknown) => {
    process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }, () =>
      process.exit(1),
    )
  })
})

async function run(preparation: Preparation): Promise<void> {
  setPriority(NICE)
  const unlock = await lockFolder(preparation.folder, new AbortController().signal)
  try {
    await prepare(preparation, (progress) => process.send?.({ progress }))
  } finally {
    await unlock()
  }
  process.send?.({ done: true }, () => process.exit(0))
}
