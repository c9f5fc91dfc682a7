// The process that prepares Kokoro: started by kokoro-prepare.ts, told what to do by its first message.
import { setPriority } from 'node:os'
import { lockFolder } from './lock.ts'
import { type Preparation, prepare } from './prepare-steps.ts'

/** Calls that are under way come first. */
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
