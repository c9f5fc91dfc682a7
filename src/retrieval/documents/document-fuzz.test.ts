// Fuzzes documents: fragments of Markdown, tables and pages, repeated, cut and mixed. None may throw anything but a
// refusal, and none may take long. FUZZ_RUNS sets the length and takes a new seed each time; FUZZ_SEED repeats one.
// @run own-process: it measures memory and the event loop, or moves the clock.
// @run rest: fuzzing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../../base/errors/errors.ts'
import { readDocument } from './read-document.ts'
import type { ContentType } from './reader.ts'

const { FUZZ_RUNS, FUZZ_SEED } = process.env
const numRuns = Math.max(150, Number(FUZZ_RUNS ?? 0) * 2)
const seed = FUZZ_SEED ? Number(FUZZ_SEED) : FUZZ_RUNS ? undefined : 20_261_116
/** A quadratic pattern takes minutes on these sizes. The first run may be cold; third-party parsers are slower. */
const mostMs = (type: ContentType) => (type === 'text/html' || type === 'text/csv' ? 1000 : 100)
const TRIES = 3
const MAX_LETTERS = 50_000

const fragments = [
  ...['# ', '## ', '#', ' ', '\t', '\n', '\n\n', '|', '|-', '---', '===', ':-:|', '| a | b |\n', '|---|---|\n'],
  ...['- ', '* ', '1. ', '```\n', '~~~', '**', '**Bold**', '`', 'Dr. ', 'Av. A ', 'Sra. ', '. A', '! ', '… "B'],
  ...[
    'word ',
    'palavra',
    'ção ',
    'x-\n',
    'abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz abcdefgh-\n',
    '\u2028',
  ],
  ...[
    '<p>',
    '</p>',
    '<h1>',
    '<table><tr><td>',
    '<li>',
    '<!--',
    '<div ',
    '&amp;',
    '&#',
    '<script>',
    '"',
    ',',
    ';',
    '""',
  ],
  ...['\u00a0', '\u3000', '😀', '\ud800', '\ufeff', 'İ', 'A'.repeat(70), '1'.repeat(40)],
]
const types = ['text/plain', 'text/markdown', 'text/html', 'text/csv'] as const satisfies readonly ContentType[]

/** Fragments, some of them repeated many times: slow patterns are nearly always slow on repetition. */
const someParts = fc.array(
  fc.tuple(
    fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 4 }),
    fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 50 }), fc.constantFrom(3000, 50_000)),
  ),
  { minLength: 1, maxLength: 12 },
)

function textOf(parts: readonly (readonly [readonly string[], number])[]): string {
  let text = ''
  for (const [pieces, times] of parts) {
    const piece = pieces.join('')
    text += piece.repeat(Math.min(times, Math.ceil(MAX_LETTERS / piece.length)))
    if (text.length > MAX_LETTERS) break
  }
  return text.slice(0, MAX_LETTERS)
}

async function timeToRead(contentType: ContentType, content: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    const { passages } = await readDocument({ contentType, content })
    for (const { content: words, heading } of passages)
      assert.ok(words.length <= 9000 && heading.length <= 300, `${words.length} letters`)
  } catch (error) {
    if (!(error instanceof AppError || error instanceof RangeError)) throw error // stack overflow: refused
  }
  const { user, system } = process.threadCpuUsage(before) // CPU time, not wall time: the machine may be busy
  return (user + system) / 1000
}

test('no mutated document crashes the reader or blocks it for long', async (t) => {
  for (const type of types) await timeToRead(type, 'warm up, please, 1\na,b') // loads the parsers
  let slowestMs = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...types), someParts, async (type, parts) => {
      const content = textOf(parts)
      let tookMs = Number.POSITIVE_INFINITY
      for (let tries = 0; tries < TRIES && tookMs > mostMs(type); tries++)
        tookMs = Math.min(tookMs, await timeToRead(type, content))
      if (mostMs(type) === 100) slowestMs = Math.max(slowestMs, tookMs)
      assert.ok(tookMs <= mostMs(type), `${type}: ${Math.round(tookMs)} ms for ${content.length} letters`)
    }),
    { numRuns, endOnFailure: true, ...(seed === undefined ? {} : { seed }) },
  )
  t.diagnostic(`${numRuns} documents; the slowest of plain text and Markdown took ${Math.round(slowestMs)} ms`)
})
