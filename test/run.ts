// Runs the tests: `quick` on SQLite alone, `all` on SQLite and then on a PostgreSQL that it starts, `crash` and `fuzz` the long forms, `voices` hears every voice.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabaseTemplates } from './database-templates.ts'
import { type FilesToRun, runFiles } from './runner/run-files.ts'
import { ensurePrograms, startPostgres, startRedis } from './servers.ts'

const mode = process.argv[2] ?? 'all'
const only = process.argv.slice(3)
// Not a relative path: the services that tests start run elsewhere, and compile the same files.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/test-compile')
const child = (name: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, name), ...args], { stdio: 'inherit' })
const succeeds = async (process: ChildProcess) => (await once(process, 'exit'))[0] === 0

const units = [
  'src/**/*.test.ts',
  'web/src/**/*.test.ts',
  'test/*.test.ts',
  'test/voice/*.test.ts',
  'test/tools/*.test.ts',
]
const engines = /^(src\/speech\/(kokoro|whisper|tts|stt|vad|onnx)|test\/speech)\// // minutes of real speech: not in the quick form
const speech = ['src/speech/{kokoro,whisper,tts,stt,vad,onnx}/**/*.test.ts', 'test/speech/*.test.ts']
const web = ['test/web/*.test.ts'] // a real browser on the page
const api = ['src/api/**/*.test.ts', 'src/http/**/*.test.ts', 'src/db/**/*.test.ts']
const scenarios = ['test/scenarios/*.test.ts']
const phone = ['test/phones/*.test.ts', 'test/phone/*.test.ts'] // real phones call the whole platform
const phoneOnPostgres = ['test/phone/two-nodes*.test.ts', 'test/phone/drain*.test.ts']
const soak = /^test\/scenarios\/soak/ // hundreds of calls: it runs with the phones
const postgresAlone = /^test\/phone\/two-nodes/
/** What they show has nothing to do with where the records are. */
const sqliteAlone =
  /^src\/(api\/(tts\/|auth\/totp|overview\/(days|setup))|http\/(page|same-origin|scopes|socket|(redis-)?rate-limit)\.)|^test\/scenarios\/(talk-command|web-tools|fuzz-media)/
/** These begin first, for who begins the longest last waits for it alone. */
const long = [
  ['scenarios/crash', 'scenarios/fuzz', 'scenarios/soak', 'scenarios/shutdown', 'scenarios/command-line'],
  ['phone/drain', 'phone/two-nodes', 'phone/supervision', 'tools/call-tools', 'phone/phones-'],
  ['speech/heard-back', 'speech/conversation', 'kokoro/kokoro.test', 'speech/kokoro/', 'web/every-page'],
].flat()

function filesOf(patterns: readonly string[], ...without: RegExp[]): string[] {
  if (only.length > 0) return only
  const files = patterns
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !without.some((kind) => kind.test(file)))
  const rank = (file: string) => long.findIndex((part) => file.includes(part)) >>> 0 // not found: last
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

const run = async (title: string, rest: Omit<FilesToRun, 'title'>): Promise<boolean> =>
  (await runFiles({ title, ...rest })).hasPassed
const all = async (...parts: Promise<boolean>[]) => (await Promise.all(parts)).every(Boolean)

ensurePrograms()
const needsPage = mode === 'all' && (only.length === 0 || only.some((file) => file.startsWith('test/web/')))
if (needsPage && spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' }).status !== 0) process.exit(1)
const servers = await Promise.all([startPostgres(), startRedis()])
const [postgres, redis] = servers
const urls = {
  TEST_POSTGRES_URL: postgres.url,
  TEST_REDIS_URL: redis.url,
  ...(await makeDatabaseTemplates(postgres.url)),
}
const sqlite = { ...urls, TEST_DATABASE: 'sqlite' }
const onPostgres = { ...urls, TEST_DATABASE: 'postgres' }

/** Phones that talk listen to a clock: they have the machine for themselves. Others give way (`nice`) where they run beside something. */
async function everything(): Promise<boolean> {
  const prepared = succeeds(child('prepare-speech.ts')) // it gives way to everybody
  const computed = await run('on SQLite', {
    files: filesOf([...units, ...scenarios], engines, soak),
    env: sqlite,
    atOnce: 2,
  })
  const isPrepared = await prepared
  const called = await run('on SQLite, with phones', {
    files: filesOf([...phone, 'test/scenarios/soak.test.ts'], postgresAlone),
    env: sqlite,
    atOnce: 3,
  })
  const spoken = await run('speech', { files: filesOf(speech), env: sqlite, atOnce: 2 })
  const both = await all(
    run('in the browser', { files: filesOf(web), env: sqlite, atOnce: 1 }),
    run('on PostgreSQL', { files: filesOf(api, sqliteAlone), env: onPostgres, atOnce: 1, nice: 3 }),
  )
  const last = await run('on PostgreSQL, phones and whole processes', {
    files: filesOf([...phoneOnPostgres, ...scenarios], sqliteAlone),
    env: onPostgres,
    atOnce: 3,
  })
  return computed && isPrepared && called && spoken && both && last
}

let passed = false
try {
  if (mode === 'quick') passed = await run('on SQLite', { files: filesOf(units, engines), env: sqlite, atOnce: 2 })
  else if (mode === 'voices') {
    const files = ['test/speech/heard-back.test.ts']
    passed = await run('every voice', { files, env: { ...sqlite, ALL_VOICES: '1' }, atOnce: 1 })
  } else if (mode === 'crash' || mode === 'fuzz' || only.length > 0) {
    const isLong = only.length === 0
    const more: Record<string, string> = isLong
      ? { CRASHES: '200', FUZZ_RUNS: '5000', SIP_FUZZ_MESSAGES: '100000' }
      : {}
    const files = filesOf([`test/scenarios/${mode}*.test.ts`])
    const once =
      isLong && mode === 'fuzz'
        ? ['src/sip/message/hostile-messages.test.ts', 'src/knowledge/document-fuzz.test.ts']
        : []
    passed = await run('on SQLite', { files: [...files, ...once], env: { ...sqlite, ...more }, atOnce: 3 })
    passed = (await run('on PostgreSQL', { files, env: { ...onPostgres, ...more }, atOnce: 3 })) && passed
  } else passed = await everything()
} finally {
  await Promise.all(servers.map((server) => server.stop()))
}
process.exitCode = passed ? 0 : 1
