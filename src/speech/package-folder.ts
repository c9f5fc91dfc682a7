// Locates an optional npm package.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

/** A package with an exports map hides its files, so the lookup follows Node's resolution paths. */
export function packageFolder(name: string, file = 'package.json'): string | undefined {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name))
  return folders.find((folder) => existsSync(join(folder, file)))
}
