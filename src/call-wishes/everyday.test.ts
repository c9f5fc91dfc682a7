// Everyday sentences in three languages, written and labelled without knowledge of the readers: most are read rightly, hardly
// any wrongly; the others are asked about.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { needsTime, wantsPerson } from '../dictation/answers.ts'
import type { ValueKind } from '../dictation/kinds.ts'
import { readValue } from '../dictation/read-value.ts'
import { yesNoIn } from '../dictation/yes-no.ts'
import { callRequestIn, callWishIn } from './call-wishes.ts'
import { readCallbackTime } from './callback-time.ts'

type Row = [kind: ValueKind | 'time' | 'yesno' | 'wish', text: string, value: string | null]

/** Wednesday, 11 November 2026, 11:00 in São Paulo. */
const NOW = Date.parse('2026-11-11T14:00:00Z')
const timeZone = 'America/Sao_Paulo'
const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

function timeOf(text: string, language: string): string | null {
  const time = readCallbackTime(text, { language, nowMs: NOW, timeZone })
  if ('problem' in time) return null
  return time.isExact ? local.format(time.atMs) : `${local.format(time.atMs).slice(0, 10)} ~`
}

function wishOf(text: string, language: string): string | null {
  const wish = callWishIn(text) ?? (wantsPerson(text, language) ? 'person' : callRequestIn(text))
  return wish ?? (needsTime(text, language) ? 'wait' : null)
}

function readingOf([kind, text]: Row, language: string): string | null {
  if (kind === 'time') return timeOf(text, language)
  if (kind === 'yesno') return yesNoIn(text, language)
  if (kind === 'wish') return wishOf(text, language)
  const reading = readValue(kind, text, { language, today: '2026-11-16' })
  return reading.isComplete ? reading.value : null
}

const rowsOf = (code: string) =>
  JSON.parse(readFileSync(new URL(`../../test/everyday/${code}.json`, import.meta.url), 'utf8')) as Row[]
const languages = [
  ['pt', 'pt-BR'],
  ['en', 'en-US'],
  ['es', 'es-MX'],
] as const

/** Shares of all sentences of a language. */
const BOUNDS = { right: 0.85, wrong: 0.03 }

for (const [code, language] of languages) {
  test(`everyday sentences in ${language}`, () => {
    const rows = rowsOf(code)
    const read = rows.map((row) => ({ row, value: readingOf(row, language) }))
    const right = read.filter(({ row, value }) => value === row[2])
    const wrong = read.filter(({ row, value }) => value !== null && value !== row[2])
    const list = wrong.map(({ row, value }) => `${row[1]} => ${value} instead of ${row[2]}`).join('\n')
    assert.ok(wrong.length <= BOUNDS.wrong * rows.length, `${wrong.length} of ${rows.length} are wrong:\n${list}`)
    assert.ok(right.length >= BOUNDS.right * rows.length, `${right.length} of ${rows.length} are right`)
  })

  test(`what callers say about the call in ${language}: nobody is suppressed by mistake, and nearly all is understood`, () => {
    const rows = rowsOf(code).filter(([kind]) => kind === 'wish')
    const read = rows.map((row) => ({ row, value: readingOf(row, language) }))
    const wrong = read.filter(({ row, value }) => value !== null && value !== row[2])
    assert.deepEqual(wrong, [])
    const right = read.filter(({ row, value }) => value === row[2])
    assert.ok(right.length >= 0.95 * rows.length, `${right.length} of ${rows.length} are right`)
  })
}
