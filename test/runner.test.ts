// The test runner reports failures, crashes, hangs and leaks, and continues with the other files.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runFiles, WORKER } from './runner/run-files.ts'
import { runAgain } from './runner/second-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'ramal-runner-'))
const good = "import { test } from 'node:test'\ntest('7 good', () => {})\n"

async function run(sources: Record<string, string>, limits = { fileMs: 120_000, exitMs: 45_000 }) {
  const files = Object.entries(sources).map(([name, source]) => {
    const path = join(folder, name)
    writeFileSync(path, source)
    return path
  })
  let report = ''
  const print = (text: string) => {
    report += text
  }
  const result = await runFiles({ title: 'x', files, env: {}, atOnce: 1, limits, print })
  return { ...result, report }
}

test('files that share a process have separate hooks, and passed tests are listed', async () => {
  const file = (name: string) =>
    `import { after, before, test } from 'node:test'
     let opened = false
     before(() => { globalThis.log = [...(globalThis.log ?? []), 'open ${name}']; opened = true })
     after(() => { globalThis.log.push('close ${name}') })
     test('${name}', (t) => { if (!opened) throw new Error(); t.diagnostic('measured ' + globalThis.log.join(', ')) })`
  const { hasPassed, passedTitles, report } = await run({ 'a.mjs': file('a'), 'b.mjs': file('b') })
  assert.ok(hasPassed, report)
  assert.deepEqual(passedTitles, ['a', 'b'])
  assert.match(report, /measured open a\n[\s\S]*measured open a, close a, open b\n/)
})

test('a failing test is reported with its file, and the others run', async () => {
  const bad = "import { test } from 'node:test'\ntest('bad', () => { throw new Error('because') })\n"
  const { hasPassed, passedTitles, report } = await run({ 'bad.mjs': bad, 'after-bad.mjs': good })
  assert.equal(hasPassed, false)
  assert.deepEqual(passedTitles, ['7 good'])
  assert.match(report, /failed: bad\n {2}in .*bad\.mjs\n.*because/)
  assert.match(report, /1 passed, 1 failed/)
})

test('a file that exits or crashes the process is reported, and the others run', async () => {
  const { hasPassed, passedTitles, report } = await run({
    'exits.mjs': "import { test } from 'node:test'\ntest('x', () => process.exit(0))\n",
    'broken.mjs': "throw new Error('not importable')\n",
    'last.mjs': good,
  })
  assert.equal(hasPassed, false)
  assert.deepEqual(passedTitles, ['7 good'])
  assert.match(report, /in .*exits\.mjs\n {2}the process ended/)
  assert.match(report, /in .*broken\.mjs\n.*not importable/)
})

test('a file that blocks its process is killed and reported', async () => {
  const blocks =
    "import { test } from 'node:test'\ntest('x', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))\n"
  const { report } = await run({ 'blocks.mjs': blocks }, { fileMs: 3000, exitMs: 4000 })
  assert.match(report, /in .*blocks\.mjs\n {2}not finished after 3 s/)
})

test('open handles are reported, and so is an error after the end of its test', async () => {
  const open =
    "import { createServer } from 'node:net'\ncreateServer().listen(0)\nimport { test } from 'node:test'\ntest('x', () => {})\n"
  const left = await run({ 'open.mjs': open }, { fileMs: 120_000, exitMs: 4000 })
  assert.equal(left.hasPassed, false)
  assert.match(left.report, /did not end by itself/)
  assert.deepEqual(left.failedFiles, [WORKER])
  const failing = `${open}test('y', () => { throw new Error('because') })\n`
  const both = await run({ 'failing.mjs': failing }, { fileMs: 120_000, exitMs: 4000 })
  assert.deepEqual(both.failedFiles, [join(folder, 'failing.mjs')], 'it may have left that open')
  const late = await run({
    'late.mjs':
      "import { test } from 'node:test'\ntest('x', () => { setTimeout(() => { throw new Error('late one') }, 50) })\ntest('y', () => new Promise((r) => setTimeout(r, 300)))\n",
  })
  assert.equal(late.hasPassed, false, late.report)
  assert.match(late.report, /late one/)
})

async function again(sources: readonly string[], more: readonly string[] = []) {
  let report = ''
  const print = (text: string) => {
    report += text
  }
  const files = sources.map((source, i) => {
    const path = join(folder, `again-${i}.mjs`)
    writeFileSync(path, source)
    return path
  })
  const failed = [...files, ...more].map((file) => ({ file, env: {} }))
  return { ...(await runAgain(failed, { print })), report }
}

test('a file that failed and passes alone is reported as unstable, and its tests count', async () => {
  const { hasPassed, passedTitles, report } = await again([good])
  assert.ok(hasPassed, report)
  assert.deepEqual(passedTitles, ['7 good'])
  assert.match(report, /unstable: .*again-0\.mjs failed beside other tests and passed alone/)
})

test('a file that fails alone too, or a process that did not end by itself, fails the run', async () => {
  const bad = "import { test } from 'node:test'\ntest('bad', () => { throw new Error('because') })\n"
  const twice = await again([good, bad])
  assert.equal(twice.hasPassed, false)
  assert.doesNotMatch(twice.report, /unstable: .*again-1/)
  assert.equal((await again([good], [WORKER])).hasPassed, false)
})

test('when many files failed nothing is run again', async () => {
  const marker = join(folder, 'ran')
  const marks = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\n`
  const { hasPassed } = await again([marks, marks, marks, marks])
  assert.deepEqual([hasPassed, existsSync(marker)], [false, false])
})

test('without failures there is no second run', async () => {
  const { hasPassed, report } = await again([])
  assert.deepEqual([hasPassed, report], [true, ''])
})
