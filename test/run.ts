// Runs the tests: `quick` on SQLite alone, `all` on SQLite and then on a PostgreSQL that it starts, `crash` and `fuzz` the long forms.
import { spawn, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { ensurePrograms, startPostgres, startRedis } from './servers.ts'

const mode = process.argv[2] ?? 'all'
const only = process.argv.slice(3)

function run(title: string, patterns: string[], env: Record<string, string>, atOnce = 2): Promise<boolean> {
  const files =
    only.length > 0
      ? only
      : patterns
          .flatMap((pattern) => globSync(pattern))
          .filter((file) => patterns === speech || !engines.test(file))
          .sort()
  process.stdout.write(`\n== ${title}: ${files.length} files\n`)
  const args = ['--test', `--test-concurrency=${atOnce}`, '--test-timeout=300000']
  args.push('--test-reporter=./test/summary.ts', '--test-reporter-destination=stdout', ...files)
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: 'node_modules/.cache/test-compile', ...process.env, ...env },
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)))
}

const units = [
  'src/**/*.test.ts',
  'web/src/**/*.test.ts',
  'test/*.test.ts',
  'test/voice/*.test.ts',
  'test/tools/*.test.ts',
]
const engines = /^(src\/speech\/(tts|stt|vad|onnx)|test\/speech)\// // minutes of real speech: not in the quick form
const speech = ['src/speech/{tts,stt,vad,onnx}/**/*.test.ts', 'test/speech/*.test.ts']
const web = ['test/web/*.test.ts'] // a real browser on the page
const api = ['src/api/**/*.test.ts', 'src/http/**/*.test.ts', 'src/db/**/*.test.ts']
const scenarios = ['test/scenarios/*.test.ts']
const phone = ['test/phones/*.test.ts', 'test/phone/*.test.ts'] // real phones call the whole platform
const phoneOnPostgres = ['test/phone/two-nodes*.test.ts', 'test/phone/drain*.test.ts']

ensurePrograms()
const needsPage = mode === 'all' && (only.length === 0 || only.some((file) => file.startsWith('test/web/')))
if (needsPage && spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' }).status !== 0) process.exit(1)
const servers = await Promise.all([startPostgres(), startRedis()])
const [postgres, redis] = servers
const urls = { TEST_POSTGRES_URL: postgres.url, TEST_REDIS_URL: redis.url }
const sqlite = { ...urls, TEST_DATABASE: 'sqlite' }
const onPostgres = { ...urls, TEST_DATABASE: 'postgres' }
let passed = false
try {
  if (mode === 'quick') passed = await run('on SQLite', units, sqlite)
  else if (mode === 'crash' || mode === 'fuzz') {
    const long = { CRASHES: '200', FUZZ_RUNS: '5000' }
    passed = await run('the long form on SQLite', [`test/scenarios/${mode}.test.ts`], { ...sqlite, ...long })
    passed =
      (await run('the long form on PostgreSQL', [`test/scenarios/${mode}.test.ts`], { ...onPostgres, ...long })) &&
      passed
  } else {
    // Speech needs both cores; most of the rest waits for timers and sockets.
    passed = only.length > 0 || (await run('speech', speech, sqlite))
    passed = (only.length > 0 || (await run('in the browser', web, sqlite, 1))) && passed
    passed = (await run('on SQLite', [...units, ...phone, ...scenarios], sqlite, 3)) && passed
    passed = (await run('on PostgreSQL', [...api, ...phoneOnPostgres, ...scenarios], onPostgres, 3)) && passed
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()))
}
process.exitCode = passed ? 0 : 1
