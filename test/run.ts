// Runs the tests. `quick`: what needs no platform. `units`: all units on SQLite. `all`: the gate, on SQLite and PostgreSQL. `nightly`: the long forms. Files after the mode: only these.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabaseTemplates } from './database-templates.ts'
import { missingStatements } from './runner/contract.ts'
import { type FilesToRun, runFiles } from './runner/run-files.ts'
import { type FailedFile, runAgain } from './runner/second-run.ts'
import { ensurePrograms, startPostgres, startRedis } from './servers.ts'

const mode = process.argv[2] ?? 'all'
const only = process.argv.slice(3)
// Absolute: the services that tests start run in another folder, and compile the same files.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/test-compile')
const child = (name: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [...args, join(import.meta.dirname, name)], { stdio: 'inherit' })
const succeeds = async (process: ChildProcess) => (await once(process, 'exit'))[0] === 0

const units = [
  'src/**/*.test.ts',
  'web/src/**/*.test.ts',
  'web/client/**/*.test.ts',
  'test/*.test.ts',
  'test/voice/*.test.ts',
  'test/tools/*.test.ts',
]
const engines = /^(src\/speech\/(kokoro|whisper|tts|stt|vad|onnx)|test\/speech)\// // real speech, real models
const speech = ['src/speech/{kokoro,whisper,tts,stt,vad,onnx}/**/*.test.ts', 'test/speech/*.test.ts']
const web = ['test/web/*.test.ts'] // a real browser on the dashboard
const api = ['src/api/**/*.test.ts', 'src/http/**/*.test.ts', 'src/db/**/*.test.ts']
const scenarios = ['test/scenarios/*.test.ts']
const phone = ['test/phones/*.test.ts', 'test/phone/*.test.ts'] // real phones call the whole platform
const soak = /^test\/scenarios\/soak/ // it counts leaks of calls: it runs with the phones
const postgresAlone = /^test\/phone\/(two-nodes|all-nodes|limits-of-nodes|http-balancer|campaign-crash)/
/** Several platforms start at once and must connect in time: nothing else runs beside them. */
const starts = 'src/api/keys/start.test.ts'
/** Two nodes, a proxy, an object store and 60 calls: a busy machine would refuse some of them. */
const cluster = 'test/phone/two-nodes-cluster.test.ts'
/** Conversations and time-outs in real time, measured to 50 ms: nothing else runs beside them. */
const inRealTime = [
  'test/speech/conversation.test.ts',
  'test/failover/chains.test.ts',
  'test/voice/live-sockets.test.ts',
]
const isInRealTime = new RegExp(inRealTime.join('|'))

/**
 * Run on SQLite only: their results do not depend on the database, because they check values that are rejected or masked before a
 * query, sockets and streams, the page, or vendors. Stores, lists, queues, leases, migrations, backup and races run on both.
 */
const sqliteAlone = new RegExp(
  [
    'src/api/(tts|web-calls)/',
    'src/api/agents/(configs|settings)\\.',
    'src/api/auth/totp\\.',
    'src/api/calls/(answered-by|ladder|live-routes|recording-outcomes)\\.',
    'src/api/conversations/said-at\\.',
    'src/api/dids/dialled\\.',
    'src/api/gateway/(linking|sip-credentials|whatsapp-access)\\.',
    'src/api/knowledge/uploads\\.',
    'src/api/overview/(days|setup)\\.',
    'src/api/rehearsals/replay\\.',
    'src/api/tools/(checks|configs|masks|messages|mistakes|parameters)\\.',
    'src/http/(auth|errors|full-disk|page|(redis-)?rate-limit|same-origin|scopes|socket)\\.',
    'test/scenarios/(talk-command|web-tools|fuzz-media|soak|sign-in|rehearse-command)\\.',
  ].join('|'),
)

/** Run in their own process: they measure it, change its global state, or must import everything themselves. */
const alone = new RegExp(
  [
    'test/pattern-cost', // replaces RegExp while it imports the source
    'src/api/web-calls/webrtc', // counts the sockets of its process with async_hooks
    'src/rtp/thread|src/rtp/recorder|src/base/(error-containment|thread-priority)', // signals, priorities, crashing threads
    'src/rtp/(pool|monitor-mixer)|src/audio/resample|src/(sip|http|tools|knowledge)/.*(hostile|fuzz|list)', // measure memory and the event loop, or move the clock
    'src/api/web-calls/(resume|ends)', // move the clock
    'test/(scenarios|phone|phones|web|speech)/', // whole platforms with media threads, phones and browsers
    'test/runner', // starts workers of its own
    'src/api/campaigns/(exactly-once|import)', // crash simulated nodes, measure memory
    'src/base/ids', // ids never step back: other files move the clock ahead
    'src/speech/(kokoro|whisper)/', // models of hundreds of MB
  ].join('|'),
)

/** These start first: the longest must not start last. */
const long = [
  [
    'test/pattern-cost',
    'scenarios/crash',
    'scenarios/fuzz',
    'scenarios/soak',
    'scenarios/shutdown',
    'scenarios/command-line',
  ],
  ['phone/drain', 'phone/two-nodes', 'phone/provider-outage', 'phone/supervision', 'tools/call-tools', 'phone/phones-'],
  ['speech/heard-back', 'kokoro/kokoro.test', 'speech/kokoro/', 'web/every-page'],
].flat()

function filesOf(patterns: readonly string[], ...without: RegExp[]): string[] {
  if (only.length > 0) return only
  const files = patterns
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !without.some((kind) => kind.test(file)))
  const rank = (file: string) => long.findIndex((part) => file.includes(part)) >>> 0 // not found: last
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** Starts no platform and no program, and takes no minute. */
const isQuick = (file: string): boolean =>
  !/pattern-cost|fuzz|hostile|test\/runner/.test(file) &&
  !/startTestApp|startService|testApp\(|spawn\(|phone-app|phone-service|web-server/.test(readFileSync(file, 'utf8'))

/** Asks which database it runs on: it has more to show on PostgreSQL. */
const asksForDatabase = (file: string): boolean => /usesPostgres|databaseOfRun/.test(readFileSync(file, 'utf8'))

/** Shows numbered statements of the contract (runner/contract.ts) through the API. */
const showsContract = (file: string): boolean => /^\s*test\('\d+(, \d+)* \S/m.test(readFileSync(file, 'utf8'))

const passedTitles: string[] = []
const failedFiles: FailedFile[] = []
async function run(title: string, rest: Omit<FilesToRun, 'title' | 'alone'>): Promise<boolean> {
  const result = await runFiles({ title, alone, ...rest })
  passedTitles.push(...result.passedTitles)
  failedFiles.push(...result.failedFiles.map((file) => ({ file, env: rest.env })))
  return result.hasPassed
}

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
const onTwoNodes = { ...onPostgres, TEST_NODES: '2' }

/** Phones and speech depend on real time: tests that run beside them get a lower priority (`nice`). */
const GIVES_WAY = 10

/** The contract with two nodes on one database, to which the requests go in turn. */
const contractOnTwoNodes = (): Promise<boolean> =>
  run('contract on two nodes', {
    files: filesOf(api, sqliteAlone, new RegExp(starts)).filter((file) => only.length > 0 || showsContract(file)),
    env: onTwoNodes,
    atOnce: 2,
  })

/** One browser at a time beside the processes, and a second one when they are done. */
async function browserAndPostgres(): Promise<void> {
  const pages = filesOf(web)
  const isLater = (_: string, i: number) => i % 4 === 3
  const processes = run('phones and whole processes on PostgreSQL', {
    files: filesOf([...phone, ...scenarios], sqliteAlone, new RegExp(cluster)).filter(
      (file) => asksForDatabase(file) || !file.startsWith('test/phone'),
    ),
    env: onPostgres,
    atOnce: 2,
    nice: 3,
  })
  const later = async () => {
    await processes
    return run('browser, the rest', { files: pages.filter(isLater), env: sqlite, atOnce: 1 })
  }
  const files = pages.filter((page, i) => !isLater(page, i))
  await Promise.all([processes, run('browser', { files, env: sqlite, atOnce: 1 }), later()])
}

async function everything(): Promise<boolean> {
  const prepared = succeeds(child('prepare-speech.ts')) // at low priority
  await run('units on SQLite', { files: filesOf(units, engines, isInRealTime), env: sqlite, atOnce: 2 })
  const isPrepared = await prepared
  await run('starts and cluster on PostgreSQL', { files: [starts, cluster], env: onPostgres, atOnce: 1 })
  await contractOnTwoNodes()
  await run('in real time', { files: inRealTime, env: sqlite, atOnce: 1 })
  await Promise.all([
    run('phones', { files: filesOf([...phone, 'test/scenarios/soak.test.ts'], postgresAlone), env: sqlite, atOnce: 3 }),
    run('API on PostgreSQL', {
      files: filesOf(api, sqliteAlone, new RegExp(starts)),
      env: onPostgres,
      atOnce: 1,
      nice: GIVES_WAY,
    }),
  ])
  await Promise.all([
    run('speech', { files: filesOf(speech, isInRealTime), env: sqlite, atOnce: 2 }),
    run('whole processes on SQLite', { files: filesOf(scenarios, soak), env: sqlite, atOnce: 1, nice: GIVES_WAY }),
  ])
  await browserAndPostgres()
  const second = await runAgain(failedFiles, { alone })
  const missing = missingStatements([...passedTitles, ...second.passedTitles])
  if (missing.length > 0) process.stdout.write(`\nno test that passed shows these statements: ${missing.join(', ')}\n`)
  return isPrepared && second.hasPassed && missing.length === 0
}

const longForms = {
  crash: { files: ['test/scenarios/crash.test.ts'], env: { CRASHES: '200' } },
  fuzz: {
    files: ['test/scenarios/fuzz.test.ts', 'test/scenarios/fuzz-media.test.ts'],
    once: ['src/sip/message/hostile-messages.test.ts', 'src/knowledge/document-fuzz.test.ts'],
    env: { FUZZ_RUNS: '5000', SIP_FUZZ_MESSAGES: '100000' },
  },
  campaigns: {
    files: ['test/phone/campaign-crash.test.ts'],
    env: { CAMPAIGN_CONTACTS: '1000', CAMPAIGN_KILLS: '20' },
  },
  voices: { files: [], once: ['test/speech/heard-back.test.ts'], env: { ALL_VOICES: '1' } },
} as const

const LONG_FILE_MS = 7_200_000

async function longForm(name: keyof typeof longForms): Promise<boolean> {
  const { files, env, ...rest } = longForms[name]
  const once = 'once' in rest ? rest.once : []
  const bounds = { atOnce: 2, limits: { fileMs: LONG_FILE_MS, exitMs: 45_000 } }
  const onSqlite = { files: [...files, ...once], env: { ...sqlite, ...env } }
  const first = await run(`${name}, on SQLite`, { ...bounds, ...onSqlite })
  if (files.length === 0) return first
  return (await run(`${name}, on PostgreSQL`, { ...bounds, files, env: { ...onPostgres, ...env } })) && first
}

async function nightly(): Promise<boolean> {
  let hasPassed = true
  for (const name of ['crash', 'fuzz', 'campaigns', 'voices'] as const) hasPassed = (await longForm(name)) && hasPassed
  return (await succeeds(child('soak/run.ts', '--expose-gc', '--max-semi-space-size=4'))) && hasPassed
}

let passed = false
try {
  if (mode === 'quick' || mode === 'units') {
    const files = filesOf(units, engines).filter((file) => only.length > 0 || mode === 'units' || isQuick(file))
    passed = await run('on SQLite', { files, env: sqlite, atOnce: 2 })
  } else if (mode === 'nodes') passed = await contractOnTwoNodes()
  else if (only.length > 0) {
    passed = await run('on SQLite', { files: only, env: sqlite, atOnce: 2 })
    passed = (await run('on PostgreSQL', { files: only, env: onPostgres, atOnce: 2 })) && passed
  } else if (mode === 'nightly') passed = await nightly()
  else if (mode in longForms) passed = await longForm(mode as keyof typeof longForms)
  else passed = await everything()
} finally {
  await Promise.all(servers.map((server) => server.stop()))
}
process.exitCode = passed ? 0 : 1
