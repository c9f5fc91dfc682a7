// The benchmark report: it shows nothing that was not measured, and the document keeps the sections of benchmarks that
// were not run.
// @run rest: it tests the benchmarks.
import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { benchmarks } from '../bench/list.ts'
import { ask, nextMessage } from '../bench/report/child.ts'
import { type CpuProfile, threadTimes } from '../bench/report/cpu-profile.ts'
import { fill, render } from '../bench/report/document.ts'
import {
  largest,
  median,
  ms,
  percent,
  percentile,
  ratio,
  samplesFor,
  spread,
  withUnit,
} from '../bench/report/figures.ts'
import { limitedRun } from '../bench/report/limited-run.ts'
import { isBusy } from '../bench/report/machine.ts'
import { loadText, type Result, resultText } from '../bench/report/markdown.ts'
import { openReport } from '../bench/report/report.ts'
import { until } from './until.ts'

const root = join(import.meta.dirname, '..')
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

test('a percentile needs a sample beyond it', () => {
  assert.deepEqual([0, 0.05, 0.5, 0.95, 0.99, 1].map(samplesFor), [1, 20, 2, 20, 100, 1])
  assert.equal(percentile(upTo(19), 0.95), null)
  assert.equal(percentile(upTo(20), 0.95), 19)
  assert.equal(percentile(upTo(99), 0.99), null)
  assert.equal(percentile(upTo(100).toReversed(), 0.99), 99)
  assert.equal(percentile(upTo(20), 0.05), 1)
  assert.equal(percentile(upTo(7), 1), 7)
  assert.equal(percentile([], 1), null)
  assert.equal(percentile([1, Number.NaN, 3], 0.5), null)
})

test('a figure without a measurement is never a number', () => {
  assert.equal(median([]), null)
  assert.equal(median([null, 4, 2]), 3)
  assert.equal(largest([null]), null)
  assert.equal(ratio(3, 0), null)
  for (const show of [ms, percent, withUnit('MB', 2)])
    for (const nothing of [null, Number.NaN, Number.POSITIVE_INFINITY]) assert.equal(show(nothing), 'not measured')
  assert.equal(spread([], ms), 'not measured')
  assert.equal(spread([null, null], ms), 'not measured')
})

test('rounds are shown as median and range, and missing ones are counted', () => {
  assert.equal(spread([30, 10, 20], ms), '20 ms (10 ms to 30 ms)')
  assert.equal(spread([30], ms), '30 ms')
  assert.equal(spread([30, null, 20], ms), '25 ms (20 ms to 30 ms), 2 of 3 rounds')
  assert.deepEqual(
    [ms(0), ms(0.1234), ms(1.25), ms(1234.5), percent(0.456)],
    ['0 ms', '0.123 ms', '1.3 ms', '1,235 ms', '46 %'],
  )
})

test('an aim without a measurement is neither met nor missed', () => {
  const lines: string[] = []
  const { report, finish } = openReport({ name: 'voice', title: 'Voice benchmark' }, (text) => lines.push(text))
  const table = report.table(['', 'p95'])
  table.row(['one call', ms(null)])
  assert.throws(() => table.row(['a cell is missing']), /1 cells in a table of 2 columns/)
  report.atMost('at most 40 ms', null, 40, ms)
  report.atMost('at most 60 ms', 60, 60, ms)
  report.under('under 60 ms', 60, 60, ms)
  report.atLeast('at least 2', Number.NaN, 2, withUnit(''))
  report.aim('no turn lost', null, true)
  const { aims, blocks, machine, load, startedAt, command } = finish()
  assert.deepEqual(
    aims.map(({ found, isMet }) => [found, isMet]),
    [
      ['not measured', null],
      ['60 ms', true],
      ['60 ms', false],
      ['not measured', null],
      ['not measured', null],
    ],
  )
  assert.deepEqual(blocks, [{ table: { heads: ['', 'p95'], rows: [['one call', 'not measured']] } }])
  assert.ok(machine.cores > 0 && machine.model !== '' && machine.node === process.version)
  assert.ok(load.before >= 0 && load.during !== null && Date.parse(startedAt) > 0)
  assert.match(command, /^npm run bench:voice/)
  const printed = lines.join('\n')
  assert.doesNotMatch(printed, /NaN|undefined|Infinity/)
  assert.match(printed, /\| at most 40 ms \| not measured \| - \|/)
  assert.match(printed, /\| under 60 ms \| 60 ms \| \*\*missed\*\* \|/)
})

test('a busy machine is named: by what others used, or by the load before where that is unknown', () => {
  const during = { least: 0, most: 2 }
  assert.equal(isBusy({ before: 3, during, othersCores: 0.05 }), false)
  assert.equal(isBusy({ before: 0, during, othersCores: 0.9 }), true)
  assert.equal(isBusy({ before: 3, during, othersCores: null }), true)
  assert.match(loadText({ before: 0, during, othersCores: 0.9 }), /used 0\.90 cores\. \*\*The machine was busy/)
  assert.doesNotMatch(loadText({ before: 0, during, othersCores: 0 }), /busy/)
})

const aResult = (name: string, found: string, isMet: boolean | null): Result => ({
  name,
  title: name,
  command: `npm run bench:${name}`,
  startedAt: '2026-11-17T04:20:00.000Z',
  seconds: 61,
  commit: { id: 'abc1234', isModified: true },
  machine: { cores: 2, model: 'Neoverse-N1', memoryGb: 25, node: 'v24.21.0', system: 'linux arm64' },
  load: { before: 0.1, during: { least: 0.2, most: 1.5 }, othersCores: 0.02 },
  blocks: [{ heading: 'Calls' }, { table: { heads: ['calls', 'p95'], rows: [[300, '61 ms']] } }],
  aims: [{ what: 'p95 at most 100 ms', found, isMet }],
})

test('a section states machine, date, commit and load, and its aims', () => {
  const text = resultText(aResult('voice', '61 ms', true), 3)
  assert.match(text, /^17 November 2026, 04:20 UTC, commit abc1234 \(modified\); `npm run bench:voice` took 61 s\./)
  assert.match(text, /2 cores \(Neoverse-N1\), 25 GB, linux arm64, Node v24\.21\.0\./)
  assert.match(text, /Load average 0\.10 before, 0\.20 to 1\.50 during it, other processes used 0\.02 cores\./)
  assert.match(text, /### Calls\n\n\| calls \| p95 \|\n\|---\|---:\|\n\| 300 \| 61 ms \|/)
  assert.match(text, /\| aim \| measured \| {2}\|\n\|---\|---:\|---\|\n\| p95 at most 100 ms \| 61 ms \| met \|/)
})

test('the document keeps its own words and the sections that were not run', () => {
  const marked = (name: string, content: string) => `<!-- begin ${name} -->\n\n${content}\n\n<!-- end ${name} -->`
  const before = `# Benchmarks\n${marked('summary', 'old')}\nBy hand.\n${marked('voice', 'old voice')}\n${marked('api', 'old api')}\n`
  const after = render(before, [aResult('voice', '161 ms', false)])
  assert.match(after, /By hand\./)
  assert.match(after, /old api/)
  assert.doesNotMatch(after, /old voice|old\n/)
  assert.match(after, /0 of 1 aims are met, 1 missed, 0 not measured\./)
  assert.match(
    after,
    /\| voice \| p95 at most 100 ms \| 161 ms \| \*\*missed\*\* \| 17 November 2026, 04:20 UTC, commit abc1234/,
  )
  assert.doesNotMatch(after, /machine busy/)
  const busy = { ...aResult('voice', '161 ms', false), load: { before: 9, during: null, othersCores: 1 } }
  assert.match(render(after, [busy]), /commit abc1234 \(modified\), machine busy \|/)
  assert.equal(render(after, [aResult('voice', '161 ms', false)]), after)
  assert.throws(() => fill(before, 'phone', 'x'), /no place for phone/)
})

test('every benchmark has its script, its place in the document and its line in CONTRIBUTING', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const names = benchmarks.map(({ name }) => name)
  const folders = globSync('bench/*/run.ts', { cwd: root }).map((path) => path.split('/')[1] ?? '')
  assert.deepEqual(names.toSorted(), folders.toSorted())
  const scripted = Object.keys(scripts).filter((name) => name.startsWith('bench:'))
  assert.deepEqual(scripted.map((name) => name.slice(6)).toSorted(), names.toSorted())
  const [document, contributing] = ['docs/benchmarks.md', 'CONTRIBUTING.md'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  for (const name of names) {
    assert.equal(scripts[`bench:${name}`], `node bench/${name}/run.ts`)
    assert.doesNotThrow(() => fill(document ?? '', name, ''), name)
    assert.match(contributing ?? '', new RegExp(`^npm run bench:${name} +#`, 'm'))
  }
})

test('a child that ends or keeps silent fails the run instead of stopping it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-child-'))
  const program = (name: string, source: string) => {
    writeFileSync(join(folder, name), source)
    return fork(join(folder, name), { execArgv: [], stdio: 'ignore' })
  }
  try {
    const echo = program('echo.mjs', "process.on('message', (m) => process.send(m)); process.send('ready')")
    assert.equal(await nextMessage(echo), 'ready')
    assert.deepEqual(await ask(echo, { n: 1 }), { n: 1 })
    echo.kill()
    await assert.rejects(ask(echo, { n: 2 }), /echo\.mjs ended \(SIGTERM\) before it answered/)
    await assert.rejects(nextMessage(program('dead.mjs', 'process.exit(3)')), /dead\.mjs ended \(code 3\)/)
    const silent = program('silent.mjs', 'setInterval(() => {}, 1000)')
    await assert.rejects(nextMessage(silent, 1), /silent\.mjs did not answer within 0\.001 s/)
    silent.kill()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a benchmark that cannot measure says why in one sentence, exits with 1 and writes no result', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-benchmark-'))
  const run = (body: string) => {
    const file = join(folder, 'run.mjs')
    const module = pathToFileURL(join(root, 'bench/report/report.ts')).href
    const options = `{ short: true, json: ${JSON.stringify(join(folder, 'result.json'))} }`
    writeFileSync(
      file,
      `import { benchmark } from '${module}'\nbenchmark({ name: 'x', title: 'X' }, ${options}, async (report) => {${body}})`,
    )
    return spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 })
  }
  try {
    const failed = run("report.heading('Calls'); throw new Error('sipp is needed')")
    assert.deepEqual([failed.status, failed.stderr], [1, 'X stopped: sipp is needed\n'])
    assert.equal(existsSync(join(folder, 'result.json')), false)
    const passed = run("report.aim('no turn lost', '0 of 12', true)")
    assert.equal(passed.status, 0, passed.stderr)
    const { aims } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as Result
    assert.deepEqual(aims, [{ what: 'no turn lost', found: '0 of 12', isMet: true }])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a benchmark that does not end is ended with all of its processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-limited-'))
  const program = join(folder, 'deaf.mjs')
  const started = join(folder, 'started')
  const source = [
    "import { spawn } from 'node:child_process'",
    "import { appendFileSync } from 'node:fs'",
    "process.on('SIGTERM', () => {})",
    "if (process.argv[2] === 'parent') spawn(process.execPath, [process.argv[1], 'child'])",
    `appendFileSync(${JSON.stringify(started)}, process.pid + ' ')`,
    'setInterval(() => {}, 1000)',
  ]
  writeFileSync(program, source.join('\n'))
  const isThere = (pid: number) => {
    try {
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
  try {
    const ended = limitedRun([program, 'parent'], { cwd: folder, withinMs: 1500, dyingMs: 100 })
    assert.equal(await ended, false)
    const pids = existsSync(started) ? readFileSync(started, 'utf8').trim().split(' ').map(Number) : []
    await until('all of them have ended', () => !pids.some(isThere))
    assert.equal(await limitedRun(['-e', ''], { cwd: folder, withinMs: 60_000 }), true)
    assert.equal(await limitedRun(['-e', 'process.exit(2)'], { cwd: folder, withinMs: 60_000 }), false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a CPU profile gives the times of a thread within the window', () => {
  const frame = (functionName: string, path: string) => ({
    callFrame: { functionName, url: path === '' ? '' : `file://${join(root, path)}`, lineNumber: 9 },
  })
  const profile: CpuProfile = {
    startTime: 1000,
    nodes: [
      { id: 1, ...frame('(root)', ''), children: [2, 4] },
      { id: 2, ...frame('tick', 'src/rtp/worker.ts'), children: [3] },
      { id: 3, ...frame('encode', 'src/audio/g711.ts') },
      { id: 4, ...frame('(idle)', '') },
    ],
    samples: [3, 3, 2, 4, 3],
    timeDeltas: [0, 100, 100, 50, 200],
  }
  const times = threadTimes(profile, { fromUs: 1050, untilUs: 1300 })
  assert.equal(times.thread, 'media')
  assert.equal(times.busyUs, 150)
  assert.deepEqual(times.self, [
    { name: 'encode src/audio/g711.ts:10', us: 100 },
    { name: 'tick src/rtp/worker.ts:10', us: 50 },
  ])
  assert.deepEqual(times.total[1], { name: 'tick src/rtp/worker.ts:10', us: 150 })
  assert.equal(threadTimes({ ...profile, nodes: profile.nodes.slice(2) }, { fromUs: 0, untilUs: 1 }).thread, 'main')
})
