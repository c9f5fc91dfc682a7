// Values said in thousands of generated sentences are read, or asked about; hardly ever read wrongly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Code, type Spoken, spokenValues, TODAY, tagOf } from '../../test/spoken-values.ts'
import { readCallbackTime } from '../call-wishes/callback-time.ts'
import { readValue } from './read-value.ts'

const COUNT = 5000
const SEED = Number(process.env.SPOKEN_VALUES_SEED ?? 20_261_119)
const NOW = Date.parse(`${TODAY}T12:00:00Z`)

/** Null: it is asked about. */
function readingOf({ kind, text }: Spoken, language: string): string | null {
  if (kind === 'time') {
    const time = readCallbackTime(text, { language, nowMs: NOW, timeZone: 'UTC' })
    return 'problem' in time || !time.isExact
      ? null
      : new Date(time.atMs).toISOString().replace(/^2026-11-17T|:00\.000Z$/g, '')
  }
  const reading = readValue(kind, text, { language, today: TODAY })
  return reading.isComplete ? reading.value : null
}

for (const code of ['pt', 'en', 'es'] as const satisfies readonly Code[])
  test(`${COUNT} generated sentences in ${code}, seed ${SEED}`, () => {
    const language = tagOf(code)
    const counts = { right: 0, asked: 0, wrong: 0 }
    const wrong: string[] = []
    for (const spoken of spokenValues(code, COUNT, SEED)) {
      const read = readingOf(spoken, language)
      counts[read === spoken.value ? 'right' : read === null ? 'asked' : 'wrong']++
      if (read !== null && read !== spoken.value) wrong.push(`${spoken.text}: ${read} instead of ${spoken.value}`)
    }
    assert.ok(counts.wrong <= COUNT * 0.005, `${counts.wrong} wrong:\n${wrong.slice(0, 20).join('\n')}`)
    assert.ok(counts.asked <= COUNT * 0.1, `${counts.asked} asked about`)
  })
