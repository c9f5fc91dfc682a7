// The plan of the test run: every file has its place, the gate has one of everything, and the queue gives audio the CPU
// it needs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allTasks, runWords, testFiles } from './runner/plan.ts'
import { createQueue, type Queued } from './runner/queue.ts'
import { reachedBy } from './runner/watch.ts'

const tasks = allTasks()
const gate = tasks.filter(({ part }) => part === 'gate')

test('every test file runs, and nothing runs twice in the same way', () => {
  assert.deepEqual([...new Set(tasks.map(({ file }) => file))].sort(), testFiles())
  const names = tasks.map(({ file, on }) => `${file} ${on}`)
  assert.equal(new Set(names).size, names.length)
})

test('the gate has a phone call, a conversation, a crash, a failover, two nodes, a campaign, a page', () => {
  const has = (file: RegExp, on?: string) =>
    assert.ok(
      gate.some((task) => file.test(task.file) && (on === undefined || task.on === on)),
      `${file} is not in the gate`,
    )
  has(/^test\/phone\/phones-/)
  has(/^test\/speech\/conversation/)
  has(/^test\/scenarios\/crash/)
  has(/^test\/failover\//)
  has(/^test\/phone\/(all|two)-nodes/, 'postgres')
  has(/^test\/phone\/campaign/)
  has(/^test\/web\/every-page/)
  has(/^src\/db\//, 'postgres')
  has(/^src\/features\//, 'two nodes')
})

test('an unknown word after @run is refused', () => {
  assert.deepEqual([...runWords('a', '// @run rest, sqlite: because\n')], ['rest', 'sqlite'])
  assert.throws(() => runWords('a', '// @run qiuet\n'), /does not know "qiuet"/)
})

const calm = { isLate: false, hasRoom: true }
const late = { isLate: true, hasRoom: true }
const queued = (name: string, ms: number, cpuMs: number, more: Partial<Queued> = {}): Queued => ({
  name,
  estimate: { ms, cpuMs },
  isRealTime: false,
  isExclusive: false,
  ...more,
})

test('the longest starts first; two that compute fill two cores; those that wait get company', () => {
  const queue = createQueue([queued('a', 10, 10), queued('b', 30, 30), queued('c', 20, 20)], 2)
  const b = queue.take([], calm)
  const c = queue.take([b as Queued], calm)
  assert.deepEqual([b?.name, c?.name, queue.take([b as Queued, c as Queued], calm)], ['b', 'c', undefined])
  const waits = createQueue(
    ['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => queued(name, 100, 1)),
    2,
  )
  const running: Queued[] = []
  for (let next = waits.take([], calm); next; next = waits.take(running, calm)) running.push(next)
  assert.equal(running.length, 6)
  const full = createQueue([queued('x', 100, 1)], 2)
  const two = [queued('a', 100, 1), queued('b', 100, 1)]
  assert.equal(full.take(two, { isLate: false, hasRoom: false }), undefined, 'they use more than was known')
  assert.equal(full.take(two.slice(1), { isLate: false, hasRoom: false })?.name, 'x')
})

test('one short file at a time runs beside the long ones', () => {
  const queue = createQueue(
    [queued('l1', 9000, 900), queued('l2', 8000, 800), queued('s1', 9, 9), queued('s2', 8, 8)],
    2,
  )
  const running = [queue.take([], calm) as Queued]
  for (const name of ['s1', 'l2']) {
    running.push(queue.take(running, calm) as Queued)
    assert.equal(running.at(-1)?.name, name)
  }
})

test('beside audio a part of the CPU stays free, and when timers are late audio runs alone', () => {
  const audio = queued('audio', 100, 40, { isRealTime: true })
  const busy = (name: string) => queued(name, 50, 50)
  const queue = createQueue([audio, busy('x'), busy('y')], 2)
  const running = [queue.take([], calm) as Queued]
  assert.equal(running[0]?.name, 'audio')
  running.push(queue.take(running, calm) as Queued)
  assert.equal(queue.take(running, calm), undefined, 'a second busy one would leave no spare')
  const pressed = createQueue([audio, busy('x')], 2)
  assert.equal(pressed.take([busy('z')], late)?.name, 'x')
  assert.equal(pressed.take([busy('z')], late), undefined, 'audio waits until nothing runs beside it')
  assert.equal(pressed.take([], late)?.name, 'audio')
  assert.equal(createQueue([busy('x')], 2).take([audio], late), undefined)
})

test('an exclusive task comes last and alone; what others need comes first', () => {
  const queue = createQueue(
    [
      queued('alone', 900, 9, { isExclusive: true }),
      queued('page', 100, 100, { after: 'build' }),
      queued('build', 1, 1),
      queued('unit', 500, 500),
    ],
    2,
  )
  const build = queue.take([], calm) as Queued
  const unit = queue.take([build], calm) as Queued
  assert.deepEqual([build.name, unit.name], ['build', 'unit'])
  assert.equal(queue.take([build], calm), undefined, 'the page waits for its build')
  queue.ended(build, true)
  assert.equal(queue.take([unit], calm)?.name, 'page')
  assert.equal(queue.take([unit], calm), undefined)
  assert.equal(queue.take([], calm)?.name, 'alone')
})

test('a change reaches the tests that import it through other files', () => {
  const sources = {
    'src/a.ts': '',
    'src/b.ts': "import { a } from './a.ts'\n",
    'src/b.test.ts': "import { b } from './b.ts'\n",
    'src/c.test.ts': "import { test } from 'node:test'\n",
  }
  assert.deepEqual([...reachedBy(['src/a.ts'], sources)].sort(), ['src/a.ts', 'src/b.test.ts', 'src/b.ts'])
})
