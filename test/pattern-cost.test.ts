// Outside input must not block the event loop: no regular expression of more than linear cost, and no loop whose step
// may be zero.
// @run own-process: it replaces RegExp while it imports the source.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { doubtfulSteps } from './loop-steps.ts'
import { costOf } from './pattern-cost.ts'
import { lineOf, parsed, serverFiles, walk } from './source-tree.ts'

const files = serverFiles()

test('every pattern written in the source costs no more than linear time', () => {
  const costly: string[] = []
  const checked = new Set<string>()
  for (const file of files)
    walk(file.tree, (node) => {
      const literal = node.regex as { pattern: string; flags: string } | undefined
      if (node.type !== 'Literal' || !literal) return
      const pattern = new RegExp(literal.pattern, literal.flags)
      if (checked.has(String(pattern))) return
      checked.add(String(pattern))
      const cost = costOf(pattern)
      if (cost) costly.push(`${file.path}:${lineOf(file, node)} ${pattern} on ${cost.text}: ${Math.round(cost.ms)} ms`)
    })
  assert.ok(checked.size > 400, `only ${checked.size} patterns were recognised`)
  assert.deepEqual(costly, [])
})

test('every pattern that the source composes costs no more than linear time', async () => {
  const composing = files.filter(({ source }) => /new RegExp\(/.test(source)).map(({ path }) => path)
  const composed = new Map<string, string>()
  const { RegExp: plain } = globalThis
  let importing = ''
  globalThis.RegExp = new Proxy(plain, {
    construct(target, given: [string | RegExp, string?]) {
      const made = new target(...given)
      composed.set(String(made), importing)
      return made
    },
  })
  try {
    for (importing of composing) await import(pathToFileURL(join(import.meta.dirname, '..', importing)).href)
  } finally {
    globalThis.RegExp = plain
  }
  assert.ok(composed.size > 10, `only ${composed.size} patterns were seen`)
  const costly = [...composed].flatMap(([text, path]) => {
    const end = text.lastIndexOf('/')
    const cost = costOf(new RegExp(text.slice(1, end), text.slice(end + 1)))
    return cost ? [`${path} ${text.slice(0, 200)} on ${cost.text}: ${Math.round(cost.ms)} ms`] : []
  })
  assert.deepEqual(costly, [])
})

test('the pattern check finds costly ones, and accepts linear ones', () => {
  const costly = [
    /(sips?:[^\s:@<>]+):[^\s@<>]+@/gi,
    /(a=crypto[^\r\n]*inline:)\S+/gi,
    /^(#{1,6})\s+(.+?)\s*#*$/,
    /^\|?[\s:|-]*-[\s:|-]*\|?$/,
    /\s+$/,
    /^(a+)+$/,
  ]
  for (const pattern of costly) assert.notEqual(costOf(pattern), null, String(pattern))
  for (const pattern of [/^[a-z]+$/, /\r?\n/g, /^#{1,6}\s/, /[^\s@]{1,64}@/, /a=crypto[^\r\n]{0,400}inline:/])
    assert.equal(costOf(pattern), null, String(pattern))
})

test('no loop has a step from outside that may be zero', () =>
  assert.deepEqual(
    files.flatMap((file) => doubtfulSteps(file)),
    [],
  ))

test('the step check finds loops that may never end, and accepts bounded ones', () => {
  const stepsIn = (source: string) => doubtfulSteps(parsed('src/a.ts', source)).length
  assert.equal(stepsIn('for (let at = 0; at < end; at += settings.stepMs) use(at)'), 1)
  assert.equal(stepsIn('function f(step: number) { for (let at = 0; at < 9; at += step) use(at) }'), 1)
  assert.equal(stepsIn('while (at < end) { use(at); at += settings.stepMs }'), 1)
  assert.equal(stepsIn('for (let at = 0; at < end; at += Math.max(1, settings.stepMs)) use(at)'), 0)
  assert.equal(stepsIn('const STEP = 4\nfor (let at = 0; at < end; at += STEP) use(at)'), 0)
  assert.equal(stepsIn('const step = Math.max(1, given)\nfor (let at = 0; at < end; at += step) use(at)'), 0)
  assert.equal(stepsIn('while (at < end) { const step = read(at); if (step <= 0) break; at += step }'), 0)
})
