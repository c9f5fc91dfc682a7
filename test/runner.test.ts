// The test runner reports failures, crashes, hangs and leaks, continues with the other files, and gives audio the CPU
// it needs.
// @run own-process, rest: it starts workers of its own.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Durations } from './runner/durations.ts'
import type { FileTask } from './runner/plan.ts'
import { nameOf, runTasks, type Task, type ToRun, WORKER } from './runner/run-tasks.ts'
import { runAgain } from './runner/second-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'ramal-runner-'))
const good = "import { test } from 'node:test'\ntest('7 good', () => {})\n"
const bad = "import { test } from 'node:test'\ntest('bad', () => { throw new Error('because') })\n"

const durations: Durations = { of: () => ({ ms: 1000, cpuMs: 1000 }), measured() {}, save() {}, keep() {} }

function taskOf(name: string, source: string, more: Partial<FileTask> = {}): FileTask {
  const file = join(folder, name)
  writeFileSync(file, source)
  const needs = { hasOwnProcess: false, isRealTime: false, isExclusive: false }
  return { file, on: 'sqlite', part: 'gate', group: 'units', ...needs, ...more }
}

async function run(tasks: readonly Task[], limits = { fileMs: 120_000, exitMs: 45_000 }) {
  let report = ''
  const print = (text: string) => {
    report += text
  }
  const options: ToRun = { tasks, envOf: () => ({}), durations, cores: 1, limits, print }
  const summary = await runTasks(options)
  return { ...summary, titles: [...summary.passedTitles.values()].flat(), report, options, print: () => report }
}
const runSources = (sources: Record<string, string>, limits?: ToRun['limits']) =>
  run(
    Object.entries(sources).map(([name, source]) => taskOf(name, source)),
    limits,
  )

test('files that share a process have separate hooks, and passed tests are listed', async () => {
  const file = (name: string) =>
    `import { after, before, test } from 'node:test'
     let opened = false
     before(() => { globalThis.log = [...(globalThis.log ?? []), 'open ${name}']; opened = true })
     after(() => { globalThis.log.push('close ${name}') })
     test('${name}', (t) => { if (!opened) throw new Error(); t.diagnostic('measured ' + globalThis.log.join(', ')) })`
  const { failed, titles, report } = await runSources({ 'a.mjs': file('a'), 'b.mjs': file('b') })
  assert.equal(failed.size, 0, report)
  assert.deepEqual(titles, ['a', 'b'])
  assert.match(report, /measured open a\n[\s\S]*measured open a, close a, open b\n/)
})

test('a failing test is reported with its file, and the others run', async () => {
  const { failed, titles, report, counts } = await runSources({ 'bad.mjs': bad, 'after-bad.mjs': good })
  assert.equal(failed.size, 1)
  assert.deepEqual(titles, ['7 good'])
  assert.match(report, /failed: bad\n {2}in .*bad\.mjs \(sqlite\)\n.*because/)
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 })
})

test('a file that exits or crashes the process is reported, and the others run', async () => {
  const { failed, titles, report } = await runSources({
    'exits.mjs': "import { test } from 'node:test'\ntest('x', () => process.exit(0))\n",
    'broken.mjs': "throw new Error('not importable')\n",
    'last.mjs': good,
  })
  assert.equal(failed.size, 2)
  assert.deepEqual(titles, ['7 good'])
  assert.match(report, /in .*exits\.mjs \(sqlite\)\n {2}the process ended/)
  assert.match(report, /in .*broken\.mjs \(sqlite\)\n.*not importable/)
})

test('a file that blocks its process is killed and reported', async () => {
  const blocks =
    "import { test } from 'node:test'\ntest('x', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))\n"
  const { report } = await runSources({ 'blocks.mjs': blocks }, { fileMs: 3000, exitMs: 4000 })
  assert.match(report, /in .*blocks\.mjs \(sqlite\)\n {2}not finished after 3 s/)
})

test('open handles are reported, and so is an error after the end of its test', async () => {
  const open =
    "import { createServer } from 'node:net'\ncreateServer().listen(0)\nimport { test } from 'node:test'\ntest('x', () => {})\n"
  const left = await runSources({ 'open.mjs': open }, { fileMs: 120_000, exitMs: 4000 })
  assert.match(left.report, /did not end by itself/)
  assert.deepEqual([...left.failed], [WORKER])
  const failing = `${open}test('y', () => { throw new Error('because') })\n`
  const both = await runSources({ 'failing.mjs': failing }, { fileMs: 120_000, exitMs: 4000 })
  assert.deepEqual([...both.failed], [`${join(folder, 'failing.mjs')} (sqlite)`], 'it may have left that open')
  const late = await runSources({
    'late.mjs':
      "import { test } from 'node:test'\ntest('x', () => { setTimeout(() => { throw new Error('late one') }, 50) })\ntest('y', () => new Promise((r) => setTimeout(r, 300)))\n",
  })
  assert.equal(late.failed.size, 1, late.report)
  assert.match(late.report, /late one/)
})

test('a command that fails is reported with its output, and what needs it does not run', async () => {
  const command = (name: string, script: string): Task => ({ name, command: ['sh', '-c', script], cores: 1 })
  const waiting = taskOf('waiting.mjs', good, { after: 'make it' })
  const { titles, report, failed } = await run([command('make it', 'echo no such thing; exit 3'), waiting])
  assert.deepEqual([titles, failed.size], [[], 2])
  assert.match(report, /failed: make it\n[\s\S]*no such thing/)
  assert.match(report, /not run: "make it" failed/)
  const fine = await run([command('make it', 'true'), waiting])
  assert.deepEqual(fine.titles, ['7 good'])
})

async function again(tasks: readonly FileTask[], ...more: readonly string[]) {
  let report = ''
  const print = (text: string) => {
    report += text
  }
  const options: ToRun = { tasks, envOf: () => ({}), durations, cores: 1, print }
  const { passedTitles, ...rest } = await runAgain(new Set([...tasks.map(nameOf), ...more]), options)
  return { ...rest, titles: [...passedTitles.values()].flat(), report: () => report }
}

test('a file that failed and passes alone is unstable, and its tests count', async () => {
  const task = taskOf('again.mjs', good)
  const { hasPassed, titles, unstable } = await again([task])
  assert.deepEqual([hasPassed, titles, unstable], [true, ['7 good'], [nameOf(task)]])
})

test('a file that fails alone too, or a process that did not end by itself, fails the run', async () => {
  const fine = taskOf('fine.mjs', good)
  const twice = await again([fine, taskOf('twice.mjs', bad)])
  assert.deepEqual([twice.hasPassed, twice.unstable], [false, [nameOf(fine)]])
  assert.equal((await again([fine], WORKER)).hasPassed, false)
})

test('when many files failed nothing is run again; without failures there is no second run', async () => {
  const many = await again(['1', '2', '3', '4'].map((name) => taskOf(`${name}.mjs`, good)))
  assert.deepEqual([many.hasPassed, many.titles], [false, []])
  const none = await again([])
  assert.deepEqual([none.hasPassed, none.report()], [true, ''])
})
