// The id of this disk: generated once and stored in DATA_DIR. Processes that share a DATA_DIR share the id and the
// recordings.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOnce } from '../crypto/master-key.ts'
import { newId } from '../ids.ts'

export function diskIdOf(dataDir: string): string {
  const path = join(dataDir, 'node-id')
  makeOnce(path, `${newId('nod')}\n`)
  const id = readFileSync(path, 'utf8').trim()
  if (!/^nod_\w{10,64}$/.test(id)) throw new Error(`${path} does not hold a node id: remove the file to get a new one`)
  return id
}
