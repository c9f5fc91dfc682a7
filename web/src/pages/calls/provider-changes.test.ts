// Provider changes within a call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Turn } from '../../../../client/paths.ts'
import type { Entry } from '../../components/transcript-lines.ts'
import { type ChangeWords, providerChanges, withChanges } from './provider-changes.ts'

const served = (id: string) => ({ id, name: id.toUpperCase(), model: null })
const turn = (number: number, [stt, llm, tts]: readonly (string | null)[]): Turn =>
  ({
    number,
    at: `2026-01-01T00:00:0${number}.000Z`,
    caller: `question ${number}`,
    agent: `answer ${number}`,
    providers: { stt: stt ? served(stt) : null, llm: llm ? served(llm) : null, tts: tts ? served(tts) : null },
  }) as unknown as Turn
const words: ChangeWords = {
  kind: { stt: 'hearing', llm: 'model', tts: 'voice' },
  embedded: { stt: 'own ears', llm: 'message taker', tts: 'own voice' },
  degraded: (kind, from, to) => `${kind}: ${from} → ${to}`,
  recovered: (kind, to) => `${kind}: ${to} again`,
}
const line = (who: 'caller' | 'agent', text: string, second: number): Entry => ({
  kind: 'line',
  id: text,
  who,
  text,
  at: `2026-01-01T00:00:0${second}.000Z`,
  fromMs: null,
  toMs: null,
  isCut: false,
  waitedMs: null,
})

test('a change is told once, and the return to the first provider is a recovery', () => {
  const turns = [
    turn(1, ['a', 'x', 'v']),
    turn(2, ['a', 'y', 'v']),
    turn(3, [null, 'y', 'v']),
    turn(4, ['a', 'x', 'v']),
  ]
  assert.deepEqual(
    providerChanges(turns).map(({ kind, turn: { number }, to, isRecovered }) => [kind, number, to.id, isRecovered]),
    [
      ['llm', 2, 'y', false],
      ['llm', 4, 'x', true],
    ],
  )
  assert.deepEqual(providerChanges([{ ...turn(1, []), providers: undefined } as unknown as Turn]), [])
})

test('notes stand before the words that the new provider heard or said', () => {
  const turns = [turn(1, ['a', 'x', 'v']), turn(2, ['embedded', 'x', 'embedded']), turn(3, ['embedded', 'x', 'v'])]
  const entries = [1, 2, 3].flatMap((n) => [line('caller', `question ${n}`, n), line('agent', `answer ${n}`, n)])
  const shown = withChanges(entries, turns, words).map((entry) => (entry.kind === 'tool' ? '' : entry.text))
  assert.deepEqual(shown, [
    'question 1',
    'answer 1',
    'hearing: A → own ears',
    'question 2',
    'voice: V → own voice',
    'answer 2',
    'question 3',
    'voice: V again',
    'answer 3',
  ])
  const unsaid = withChanges(
    [line('caller', 'hello', 1)],
    [turn(1, ['a', null, null]), turn(2, ['b', null, null])],
    words,
  )
  assert.equal(unsaid.at(-1)?.kind, 'note')
})
