// One server process per DATA_DIR: a file lock that the kernel releases when the process ends in any way. CLI commands
// do not take it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5
/** A process that is shutting down may still hold the lock. */
const WAIT_MS = 2000

/** Undefined while another process holds it. */
export function lockDataDir(dataDir: string): { release(): void } | undefined {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = new DatabaseSync(join(dataDir, 'process.lock'), { timeout: WAIT_MS })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
  return { release: () => file.close() }
}
