// Endpointing on labeled ends of speech in three languages: how many unfinished turns are waited for, and how many
// finished ones end soon.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as en from '../../../test/fixtures/turn-ends/en.ts'
import * as es from '../../../test/fixtures/turn-ends/es.ts'
import * as pt from '../../../test/fixtures/turn-ends/pt.ts'
import type { TurnEndRows } from '../../../test/fixtures/turn-ends/rows.ts'
import { endpointingPause, initialRhythm } from './endpointing.ts'
import { defaultTurnRules } from './rules.ts'

const WAITS_MS = 1250
const ENDS_MS = 550
const MIN_WAITING = 0.95
const MIN_ENDED = 0.9

const lists = { pt, en, es }

type Judged = { row: string; ms: number }

const judged = (rows: TurnEndRows, language: string): Judged[] =>
  rows.map(([transcript, expected, prosody]) => ({
    row: `${language} ${JSON.stringify(transcript)} ${expected} ${prosody}`,
    ms: endpointingPause({ transcript, expected, prosody, rhythm: initialRhythm, language }, defaultTurnRules),
  }))

function score(all: readonly Judged[], isRight: (ms: number) => boolean) {
  const wrong = all.filter(({ ms }) => !isRight(ms)).map(({ row, ms }) => `${row}: ${ms} ms`)
  return { share: 1 - wrong.length / all.length, wrong, count: all.length }
}

const unfinished = Object.entries(lists).flatMap(([language, list]) => judged(list.unfinished, language))
const finished = Object.entries(lists).flatMap(([language, list]) => judged(list.finished, language))

test('unfinished turns are kept waiting', (t) => {
  const { share, wrong, count } = score(unfinished, (ms) => ms >= WAITS_MS)
  t.diagnostic(`${(100 * share).toFixed(1)} % of ${count} wait ${WAITS_MS} ms or more`)
  assert.ok(share >= MIN_WAITING, `${share}\n${wrong.join('\n')}`)
})

test('finished turns end soon', (t) => {
  const { share, wrong, count } = score(finished, (ms) => ms <= ENDS_MS)
  t.diagnostic(`${(100 * share).toFixed(1)} % of ${count} end within ${ENDS_MS} ms`)
  assert.ok(share >= MIN_ENDED, `${share}\n${wrong.join('\n')}`)
})
