// Runs the tests. `check`: lint, types and tests that need no platform. `gate`: what `npm test` runs. `rest`:
// everything else, on both databases. `full`: both. `units`: all units on SQLite. `nodes`: the contract on two nodes.
// `watch`: tests that a change reaches. `nightly` and its parts: the long runs. Files after the mode limit the run to
// them, on every database they run on.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabaseTemplates } from './database-templates.ts'
import { missingStatements } from './runner/contract.ts'
import { readDurations } from './runner/durations.ts'
import { readOptions } from './runner/options.ts'
import { savedTitles, saveTitles, type Titles, titlesByFile } from './runner/passed-titles.ts'
import { allTasks, BUILD, type FileTask, isQuick, PREPARE, tasksOf } from './runner/plan.ts'
import { type CommandTask, nameOf, runTasks, type Task, type ToRun } from './runner/run-tasks.ts'
import { runAgain } from './runner/second-run.ts'
import { missingTests, namedTests } from './runner/security.ts'
import { fastTmpdir } from './runner/tmpdir.ts'
import { watchTests } from './runner/watch.ts'
import { ensurePrograms, startPostgres, startRedis } from './servers.ts'

const { mode, files, isStrict, keepsDurations } = readOptions(process.argv.slice(2))
process.env.TMPDIR ??= fastTmpdir()
// Absolute, because the services that tests start run in another folder and compile the same files.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/test-compile')

const build: CommandTask = { name: BUILD, command: ['npm', 'run', 'build', '--silent'], cores: 1.2 }
const prepare: CommandTask = {
  name: PREPARE,
  command: [process.execPath, join(import.meta.dirname, 'prepare-speech.ts')],
  cores: 1,
}
const checks: CommandTask[] = [
  { name: 'lint', command: ['npm', 'run', 'lint', '--silent'], cores: 1.2 },
  { name: 'types', command: ['npm', 'run', 'types:server', '--silent'], cores: 1.2 },
  { name: 'types of the page', command: ['npm', 'run', 'types:page', '--silent'], cores: 1.2 },
]

/** `check` skips files that take longer than this, except the architecture rules. */
const SHORT = { cpuMs: 2000, ms: 2000 }
const isRule = (file: string) => file.startsWith('test/architecture')

/** Adds the commands that these tasks depend on. */
const withCommands = (tasks: readonly FileTask[]): Task[] => [
  ...[build, prepare].filter(({ name }) => tasks.some(({ after }) => after === name)),
  ...tasks,
]

function tasksFor(): Task[] {
  if (files.length > 0) {
    const chosen = files.flatMap(tasksOf)
    return withCommands(mode === 'units' ? chosen.filter(({ on }) => on === 'sqlite') : chosen)
  }
  const all = allTasks()
  const units = all.filter(({ group, on }) => group === 'units' && on === 'sqlite')
  const isShort = (task: FileTask) => {
    const { cpuMs, ms } = durations.of(nameOf(task))
    return isRule(task.file) || (cpuMs < SHORT.cpuMs && ms < SHORT.ms)
  }
  if (mode === 'check')
    return [...checks, ...units.filter((task) => task.part === 'gate' && isQuick(task.file) && isShort(task))]
  if (mode === 'units') return units
  if (mode === 'nodes') return all.filter(({ on }) => on === 'two nodes')
  if (mode === 'full') return [...checks, ...withCommands(all)]
  const part = withCommands(all.filter(({ part }) => part === mode))
  return mode === 'gate' ? [...checks, ...part] : part
}

const longForms = {
  crash: { files: ['test/scenarios/crash.test.ts'], env: { CRASHES: '200' } },
  fuzz: {
    files: [
      'test/scenarios/fuzz.test.ts',
      'test/scenarios/fuzz-media.test.ts',
      'src/sip/message/hostile-messages.test.ts',
      'src/retrieval/documents/document-fuzz.test.ts',
    ],
    env: { FUZZ_RUNS: '5000', SIP_FUZZ_MESSAGES: '100000' },
  },
  campaigns: {
    files: ['test/phone/campaign-crash.test.ts'],
    env: { CAMPAIGN_CONTACTS: '1000', CAMPAIGN_KILLS: '20' },
  },
  voices: { files: ['test/speech/heard-back-full.test.ts'], env: { ALL_VOICES: '1' } },
} as const
type LongForm = keyof typeof longForms
const isLongForm = (name: string): name is LongForm => name in longForms

ensurePrograms()
const servers = await Promise.all([startPostgres(), startRedis()])
const [postgres, redis] = servers
const urls = {
  TEST_POSTGRES_URL: postgres.url,
  TEST_REDIS_URL: redis.url,
  ...(await makeDatabaseTemplates(postgres.url)),
}
const durations = readDurations()
const envOf = ({ on }: FileTask): Record<string, string> => ({
  ...urls,
  TEST_DATABASE: on === 'sqlite' ? 'sqlite' : 'postgres',
  ...(on === 'two nodes' ? { TEST_NODES: '2' } : {}),
})

/** Runs tasks, retries failed files once, and prints the verdict. */
async function verdictOf(tasks: readonly Task[], limits?: ToRun['limits']): Promise<boolean> {
  const run: ToRun = { tasks, envOf, durations, limits }
  const first = await runTasks(run)
  const second = await runAgain(first.failed, run)
  const titles = titlesByFile(first.passedTitles, second.passedTitles)
  if (mode === 'gate' && isWhole) saveTitles(titles)
  const notShown = isWhole ? notShownBy(tasks, titles) : []
  for (const line of notShown) process.stdout.write(`\n${line}\n`)
  for (const name of second.unstable)
    process.stdout.write(`\nunstable: ${name} failed beside other tests and passed alone. It has a race: fix it.\n`)
  const failed = second.hasPassed ? (isStrict ? second.unstable.length : 0) : first.counts.failed
  const { passed, skipped } = first.counts
  process.stdout.write(`\n${passed} passed, ${failed + notShown.length} failed, ${skipped} skipped\n`)
  return failed + notShown.length === 0
}

/** Whether the run has all files of its mode, so that what they must cover together can be checked. */
const isWhole = files.length === 0 && ['gate', 'rest', 'full'].includes(mode)

function notShownBy(tasks: readonly Task[], titles: Titles): string[] {
  const filesOf = (some: readonly Task[]) => new Set(some.flatMap((task) => ('file' in task ? task.file : [])))
  const ran = filesOf(tasks)
  const elsewhere = filesOf(mode === 'full' ? [] : allTasks().filter(({ part }) => part !== mode))
  const before = mode === 'rest' ? savedTitles() : undefined
  const whole = new Map([...titles].map(([file, some]) => [file, [...some, ...(before?.get(file) ?? [])]]))
  const security = readFileSync(join(import.meta.dirname, '../SECURITY.md'), 'utf8')
  const named = namedTests(security).filter(({ file }) => ran.has(file) && (before || !elsewhere.has(file)))
  const statements = mode === 'rest' ? [] : missingStatements([...titles.values()].flat())
  return [
    ...(statements.length > 0 ? [`no test that passed shows these statements: ${statements.join(', ')}`] : []),
    ...missingTests(named, whole).map((test) => `SECURITY.md names a test that has not passed: ${test}`),
  ]
}

const LONG_FILE_MS = 7_200_000

async function longForm(name: LongForm): Promise<boolean> {
  const { files, env } = longForms[name]
  Object.assign(process.env, env)
  const passed = await verdictOf(withCommands(files.flatMap(tasksOf)), { fileMs: LONG_FILE_MS, exitMs: 45_000 })
  for (const key of Object.keys(env)) delete process.env[key]
  return passed
}

const child = (name: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [...args, join(import.meta.dirname, name)], { stdio: 'inherit' })
const succeeds = async (process: ChildProcess) => (await once(process, 'exit'))[0] === 0

async function nightly(): Promise<boolean> {
  let hasPassed = true
  for (const name of ['crash', 'fuzz', 'campaigns', 'voices'] as const) hasPassed = (await longForm(name)) && hasPassed
  return (await succeeds(child('soak/run.ts', '--expose-gc', '--max-semi-space-size=4'))) && hasPassed
}

let passed = false
try {
  if (mode === 'watch')
    await watchTests((reached) => verdictOf(reached.flatMap(tasksOf).filter(({ on }) => on === 'sqlite')))
  else if (mode === 'nightly') passed = await nightly()
  else if (isLongForm(mode)) passed = await longForm(mode)
  else passed = await verdictOf(tasksFor())
  durations.save()
  if (keepsDurations) durations.keep()
} finally {
  await Promise.all(servers.map((server) => server.stop()))
}
process.exitCode = passed ? 0 : 1
