// Master keys: from MASTER_KEY, or from a private file that is generated at the first start.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** One key per line, the active one first. */
export function masterKeys(given: readonly string[] | null, dataDir: string): readonly string[] {
  if (given) return given
  const path = join(dataDir, 'master.key')
  makeOnce(path, `${randomBytes(32).toString('base64')}\n`)
  const keys = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
  const present = keys.filter((key) => key !== '')
  if (present.length === 0 || present.some((key) => key.length < 32))
    throw new Error(`${path} must hold one key of 32 characters or more on each line`)
  return present
}

/**
 * A private file that keeps its first text. Atomic: written to a temporary file, then linked to its name unless another
 * process was first.
 */
export function makeOnce(path: string, text: string): void {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writePrivate(draft, text)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/** Flushed to disk before this returns, and readable only by its owner. */
export function writePrivate(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
