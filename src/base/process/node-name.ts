// This process's name among those that share a database: NODE_NAME, or a generated name stored in DATA_DIR.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

export const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

const draw = () =>
  `${
    hostname()
      .replace(/[^A-Za-z0-9-]/g, '')
      .slice(0, 40) || 'node'
  }-${randomBytes(3).toString('hex')}`

/**
 * `isAlone`: no other process uses this DATA_DIR, so the name stored there is ours. Otherwise a name is generated for
 * this run only.
 */
export function resolveNodeName(dataDir: string, given: string | null, isAlone: boolean): string {
  if (given) return given
  if (!isAlone) return draw()
  const path = join(dataDir, 'node-name')
  try {
    const kept = readFileSync(path, 'utf8').trim()
    if (NODE_NAME.test(kept)) return kept
  } catch {}
  const name = draw()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(path, `${name}\n`, { mode: 0o600 })
  return name
}
