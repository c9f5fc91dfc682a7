// Before `npm start`: builds the dashboard if it is missing or older than its source. The server starts in any case.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { environment } from '../src/config/load.ts'

const BUILD_MS = 300_000
const MAX_FILES = 5000
/** File times within one checkout differ slightly. */
const SLACK_MS = 2000

const web = import.meta.dirname
const built = join(web, 'dist', 'index.html')
const sources = [
  'index.html',
  'vite.config.ts',
  'library-styles.ts',
  'precompress.ts',
  'widget-bundle.ts',
  'src',
  'client',
  'public',
]

function newestMs(path: string): number {
  if (!existsSync(path)) return 0
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
        .slice(0, MAX_FILES)
        .map((entry) => join(entry.parentPath, entry.name))
    : [path]
  return Math.max(0, ...files.map((file) => statSync(file).mtimeMs))
}

function viteProgram(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js')
  } catch {
    return undefined
  }
}

function build(): string | undefined {
  const vite = viteProgram()
  if (!vite) return 'its build tools are not installed (npm ci without --omit=dev)'
  const { status, error } = spawnSync(process.execPath, [vite, 'build', web, '--logLevel', 'warn'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: BUILD_MS,
  })
  return status === 0 ? undefined : (error?.message ?? 'the build failed, see above')
}

const say = (text: string) => void process.stderr.write(`ramal: ${text}\n`)
const isBuilt = existsSync(built)
const isStale =
  isBuilt && Math.max(...sources.map((name) => newestMs(join(web, name)))) > statSync(built).mtimeMs + SLACK_MS

if (environment().WEB?.trim() !== 'off' && (!isBuilt || isStale)) {
  say(isBuilt ? 'the dashboard changed, rebuilding it' : 'building the dashboard')
  const failure = build()
  if (failure)
    say(`dashboard build failed: ${failure}. ${isBuilt ? 'Serving the previous build.' : 'The API works without it.'}`)
}
