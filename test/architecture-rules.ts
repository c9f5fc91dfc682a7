// Import and style rules as pure functions over { path: text }. Each returns its violations as sentences; an empty list
// means that the rule holds.
import { basename, dirname, join } from 'node:path/posix'
import { engines, featureOf, featureRefusal, type Import, layerOf } from './feature-rules.ts'
import { functionLengths } from './function-lengths.ts'

export type Files = Readonly<Record<string, string>>

const MAX_LINES = 400
/** `own` excludes the lines of nested functions. */
export const MAX_FUNCTION_LINES = { own: 80, whole: 150 }
/** Limits for tests and benchmarks. */
const MAX_TEST_FUNCTION_LINES = { own: 100, whole: 235 }

/**
 * What each folder of src may import besides itself: folders or single files. `config/config.ts` has only types and
 * lists of names.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  config: [],
  db: ['base', 'config/config.ts'],
  http: ['base', 'config/config.ts'],
  audio: ['base'],
  'object-storage': ['base', 'config/config.ts'],
  sip: ['base'],
  'voice/listening': ['base', 'audio', 'voice/ports.ts', 'voice/amd/call-progress.ts'],
  rtp: ['base', 'audio', 'voice/listening', 'voice/ports.ts'],
  voice: ['base', 'audio', 'dictation', 'voice/listening'],
  dictation: ['base', 'voice/ports.ts'],
  'call-wishes': ['base', 'dictation'],
  failover: ['base', 'speech', 'llm', 'voice/ports.ts'],
  speech: ['base', 'audio', 'failover/ports.ts', 'voice/listening', 'voice/ports.ts', 'config/config.ts'],
  llm: ['base', 'audio', 'dictation', 'failover/ports.ts', 'voice/ports.ts', 'config/config.ts'],
  phone: ['base', 'audio', 'sip', 'rtp', 'voice', 'config/config.ts'],
  webcall: ['base', 'audio', 'rtp', 'voice', 'phone/ports.ts', 'phone/endings.ts', 'phone/answered-call.ts'],
  'tool-types': ['base', 'voice/ports.ts', 'phone/dial-policy.ts'],
  retrieval: ['base', 'llm/words.ts'],
  'csv-xlsx': ['base'],
  cluster: ['base'],
  'rule-packs': ['base'],
  simulation: ['base', 'audio', 'failover', 'voice', 'llm'],
  cli: ['base', 'db', 'http', 'config', 'features', 'version.ts', ...engines],
}
/**
 * Files directly in src: the entry point, the composition root and its types, what all features share, and the version.
 */
const topFiles: Readonly<Record<string, readonly string[]>> = {
  'src/main.ts': ['app.ts', 'base', 'config', 'version.ts'],
  'src/app.ts': ['app-types.ts', 'base', 'db', 'http', 'config', 'features', 'version.ts', ...engines],
  'src/app-types.ts': ['base', 'db', 'http', 'config', 'features', ...engines],
  'src/features/service.ts': ['base', 'db', 'http', 'config', 'features/nodes/port.ts'],
  'src/features/stores.ts': ['features', 'tool-types/config-errors.ts'],
  'src/version.ts': [],
}
const isStart = (path: string) => path === 'src/main.ts' || path === 'src/cli/main.ts'

export const isTest = (path: string) => path.startsWith('test/') || path.endsWith('.test.ts')
const ours = (files: Files) => Object.keys(files).filter((path) => path.startsWith('src/') && !isTest(path))

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/
const text = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/
const token = new RegExp(`${text.source}|${comment.source}`, 'g')

const withoutComments = (source: string) =>
  source.replace(token, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, '') : found))
const codeAlone = (source: string) => source.replace(token, (found) => found.replace(/[^\n]/g, ' '))

export function importsOf(path: string, source: string): Import[] {
  const clean = withoutComments(source)
  const found: { name: string; isType: boolean }[] = []
  const statement = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*{][^'"`;()]*?\sfrom\s*)?['"]([^'"\n]+)['"]/gm
  for (const [, type, name = ''] of clean.matchAll(statement)) found.push({ name, isType: type !== undefined })
  for (const [, isTypeOf, name = ''] of clean.matchAll(/(typeof\s+)?\bimport\(\s*['"]([^'"\n]+)['"]/g))
    found.push({ name, isType: isTypeOf !== undefined })
  return found
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isType }) => ({ to: join(dirname(path), name), isType }))
}

/** Every import in src, with the importing file. */
export const importsIn = (files: Files): (Import & { from: string })[] =>
  ours(files).flatMap((from) => importsOf(from, files[from] ?? '').map((found) => ({ from, ...found })))

export function forbiddenImports(files: Files): string[] {
  return ours(files).flatMap((from) => {
    const source = files[from] ?? ''
    const wrong = importsOf(from, source).flatMap((found) => {
      const why = refusal(from, found)
      return why ? [`${from} must not import ${found.to}: ${why}`] : []
    })
    return /\bimport\((?!\s*['"])/.test(withoutComments(source))
      ? [...wrong, `${from} imports by a computed name, which nobody can check`]
      : wrong
  })
}

function refusal(from: string, { to, isType }: Import): string | undefined {
  if (!to.startsWith('src/') || isTest(to)) return 'the service stands on src alone'
  if (isStart(to)) return 'it is where a process starts'
  if (to === 'src/app.ts' && from !== 'src/main.ts') return 'only main.ts starts the platform'
  if (featureOf(from)) return featureRefusal(from, { to, isType })
  const folder = folderOf(from)
  const allowed = topFiles[from] ?? mayImport[folder]
  if (!allowed) return `no rule is decided for src/${folder}: add one to test/architecture-rules.ts`
  if (to === 'src/config/config.ts' && !isType && !['config', 'cli'].includes(folder) && !(from in topFiles))
    return 'only types: settings are handed over by app.ts'
  const isOwn = folder === folderOf(to) && !topFiles[from]
  const isAllowed = isOwn || allowed.some((a) => `src/${a}` === to || to.startsWith(`src/${a}/`))
  return isAllowed
    ? undefined
    : `${topFiles[from] ? from : folder} may import ${allowed.join(', ') || 'nothing of ours'}`
}

/** The part of src that a file belongs to: a folder, or a subfolder with a rule of its own. */
function folderOf(path: string): string {
  const [folder = '', part = ''] = path.split('/').slice(1)
  return `${folder}/${part}` in mayImport ? `${folder}/${part}` : folder
}

/** Each import cycle once, as its path. `types`: whether type imports count. */
export function importCircles(files: Files, types: boolean): string[] {
  const targets = (path: string) =>
    importsOf(path, files[path] ?? '').flatMap(({ to, isType }) => ((types || !isType) && to in files ? [to] : []))
  const done = new Set<string>()
  const circles: string[] = []
  function visit(path: string, trail: string[]): void {
    const start = trail.indexOf(path)
    if (start !== -1) return void circles.push([...trail.slice(start), path].join(' -> '))
    if (done.has(path)) return
    for (const next of targets(path)) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of Object.keys(files)) visit(path, [])
  return circles
}

export const longFunctions = (files: Files): string[] =>
  functionLengths(files)
    .filter(({ path, lines, ownLines }) => {
      const isSource = path.startsWith('src/') && !isTest(path)
      const { own, whole } = isSource ? MAX_FUNCTION_LINES : MAX_TEST_FUNCTION_LINES
      return ownLines > own || lines > whole
    })
    .map(
      ({ path, line, name, lines, ownLines }) =>
        `${path}:${line} ${name} has ${ownLines} lines of its own, ${lines} in all`,
    )

export function longFiles(files: Files): string[] {
  return Object.entries(files).flatMap(([path, source]) => {
    const lines = source.replace(/\n$/, '').split('\n').length
    return lines > MAX_LINES ? [`${path} has ${lines} lines; at ${MAX_LINES} one stops and thinks`] : []
  })
}

/** Only config/load.ts reads the environment; only entry points handle signals and exit the process. */
export function processUses(files: Files): string[] {
  return ours(files).flatMap((path) => {
    // The entry points: the service, the command line, child processes, and the handler of uncaught errors.
    const mayRule = isStart(path) || path.endsWith('-child.ts') || path === 'src/base/errors/error-containment.ts'
    const code = codeAlone(files[path] ?? '')
    const rest = mayRule ? code.replace(/\breadConfig\(process\.env\b/g, '') : code
    const wrong: string[] = []
    if (path !== 'src/config/load.ts' && /\bprocess\.env\b/.test(rest))
      wrong.push(`${path} reads process.env: settings come from config/load.ts`)
    if (!mayRule && /\bprocess\.(on|once|addListener|exit|exitCode|abort)\b/.test(code))
      wrong.push(`${path} uses process.on or process.exit: main.ts and cli/main.ts alone do`)
    if (/['"](node:)?process['"]/.test(withoutComments(files[path] ?? '')))
      wrong.push(`${path} imports node:process, which hides what it uses of it`)
    return wrong
  })
}

/**
 * Only src/base/outside reads data from servers and strangers. These files read something else, or only open
 * connections for it.
 */
const mayConnect: readonly string[] = [
  'src/base/process/lazy-packages.ts', // loads undici
  'src/base/outside/guarded-agent.ts', // opens connections to checked addresses for the HTTP clients
  'src/base/outside/pinned-pools.ts',
  'src/tool-types/sms-http.ts', // tells a connection that never opened from one that broke
  'src/speech/stt/openai-transcription.ts', // undici's FormData
]
const mayFetch: readonly string[] = [
  'src/object-storage/s3-requests.ts', // a download is a stream of any length; other responses have limits of their own
  'src/cli/platform-api.ts', // the command line's process, which queries its own platform
]
/**
 * Folders and files that parse data the platform wrote itself, besides the feature stores. Routes never do: their
 * bodies are parsed already.
 */
const mayParse: readonly string[] = [
  ...['src/db/', 'src/features/calls/', 'src/features/campaigns/'], // columns
  ...['src/features/tools/secret-binding.ts', 'src/features/trunks/limits.ts', 'src/features/trunks/secret-origin.ts'], // columns
  'src/features/widgets/chat-tokens.ts', // signed by the platform
  ...['src/cluster/', 'src/base/crypto/tokens.ts', 'src/webcall/call-token.ts'], // sealed or signed by the platform
  ...['src/config/', 'src/cli/'], // the operator's own files
  ...['src/speech/whisper/', 'src/speech/kokoro/', 'src/rule-packs/packs.ts', 'src/version.ts'], // the platform's own
  ...['src/llm/ai-sdk-model.ts', 'src/dictation/collect-tool.ts'], // text that this process generated
]

export function unboundedReads(files: Files): string[] {
  return ours(files).flatMap((path) => {
    if (path.startsWith('src/base/outside/')) return []
    const code = codeAlone(files[path] ?? '')
    const imports = /^import (?!type\b)[^'"]*['"]undici['"]/m.test(withoutComments(files[path] ?? ''))
    const readsColumns = featureOf(path) && ['store', 'rows'].includes(layerOf(path))
    const isParser = readsColumns || (mayParse.some((each) => path.startsWith(each)) && !/routes\.ts$/.test(path))
    const wrong: string[] = []
    if (!mayConnect.includes(path) && (imports || /\bloadUndici\b/.test(code)))
      wrong.push(`${path} uses undici: send requests by src/base/outside`)
    if (!mayFetch.includes(path) && /(?<![.\w])fetch\((?![^()]*\)\s*\{)|\bglobalThis\.fetch\b/.test(code))
      wrong.push(`${path} calls fetch: send requests by src/base/outside`)
    if (/\bnew WebSocket\(/.test(code)) wrong.push(`${path} opens a WebSocket: use src/base/outside/socket.ts`)
    if (!isParser && /\bJSON\.parse\b/.test(code)) wrong.push(`${path} calls JSON.parse: use parseOutside`)
    return wrong
  })
}

export function badNames(files: Files): string[] {
  return Object.keys(files).flatMap((path) => {
    const name = basename(path)
    if (/^(utils|helpers|types|index)(\.test)?\.ts$/.test(name)) return [`${path}: a name that says nothing`]
    return /^[a-z0-9]+([.-][a-z0-9]+)*\.ts$/.test(name) ? [] : [`${path}: file names are kebab-case`]
  })
}

/** Node's test runner loads a reporter from its default export; no other default exports are allowed. */
export function defaultExports(files: Files): string[] {
  return Object.entries(files).flatMap(([path, source]) =>
    path !== 'test/runner/worker-reporter.ts' && /^[ \t]*export\s+default\b|\bas default\b/m.test(codeAlone(source))
      ? [`${path} has a default export`]
      : [],
  )
}

/** The settings that src/config reads. */
export const settingsRead = (files: Files): string[] =>
  unique(
    Object.entries(files)
      .filter(([path]) => path.startsWith('src/config/') && !isTest(path))
      .flatMap(([, source]) => [
        ...source.matchAll(
          /\b(?:text|raw|number|budget|oneOf|url|httpUrl|baseUrl|list|networks|jsonObject|portRange)\(\s*'([A-Z][A-Z0-9_]*)'/g,
        ),
      ])
      .map(([, name]) => name ?? ''),
  )
export const settingsExplained = (example: string): string[] =>
  unique([...example.matchAll(/^(?:#\s?)?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? ''))

const unique = (names: string[]) => [...new Set(names)].sort()
