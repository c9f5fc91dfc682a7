// Locates an optional npm package.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

/** A package that names its exports hides its files, so it is looked for where Node would look. */
export function packageFolder(name: string, file = 'package.json'): string | undefined {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name))
  return folders.find((folder) => existsSync(join(folder, file)))
}
