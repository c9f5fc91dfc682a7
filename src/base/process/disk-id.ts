// The id of this disk: generated once and stored in DATA_DIR. Processes that share a DATA_DIR share the id and the
// recordings.
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivate } from '../crypto/master-key.ts'
import { newId } from '../ids.ts'

export function diskIdOf(dataDir: string): string {
  const path = join(dataDir, 'node-id')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) make(path)
  const id = readFileSync(path, 'utf8').trim()
  if (!/^nod_\w{10,64}$/.test(id)) throw new Error(`${path} does not hold a node id: remove the file to get a new one`)
  return id
}

/** Atomic: of two processes that start at once, both use the first one's id. */
function make(path: string): void {
  const draft = `${path}.${newId('tmp')}`
  writePrivate(draft, `${newId('nod')}\n`)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}
