// The master keys: from MASTER_KEY, or from a file that is made at first start and that only its owner can read.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** One key a line, the active one first. */
export function masterKeys(given: readonly string[] | null, dataDir: string): readonly string[] {
  if (given) return given
  const path = join(dataDir, 'master.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writePrivate(path, `${randomBytes(32).toString('base64')}\n`, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const keys = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
  const present = keys.filter((key) => key !== '')
  if (present.length === 0 || present.some((key) => key.length < 32))
    throw new Error(`${path} must hold one key of 32 characters or more on each line`)
  return present
}

/** On disk before this returns, and readable by its owner alone. */
export function writePrivate(path: string, text: string, flags: 'w' | 'wx' = 'w'): void {
  const file = openSync(path, flags, 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
