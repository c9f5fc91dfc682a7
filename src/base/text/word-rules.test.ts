// Rules over words, in the notation of word-rules.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clausesIn, matchesRule, plainSpeech, wordRules, wordsOf } from './word-rules.ts'

const matches = (rule: string, text: string, names: readonly string[] = []) =>
  matchesRule(text.split(' '), wordRules({ kin: 'mae pai_do_titular', be: 'esta ta' }, rule), new Set(names))

const cases: readonly (readonly [rule: string, text: string, expected: boolean])[] = [
  ['nao liga', 'ela nao liga mais', true],
  ['nao liga', 'nao me liga', false],
  ['nao me? liga', 'nao liga', true],
  ['lig* mais', 'nao ligue mais', true],
  ['liga|ligue mais_tarde', 'me ligue mais tarde', true],
  ['$kin nao $be', 'pai do titular nao ta', true],
  ['$kin nao $be', 'pai nao ta', false],
  ['nao ~2 mais', 'nao me ligue mais', true],
  ['nao ~2 mais', 'nao me ligue aqui mais', false],
  ['nao me|nos~2 liga', 'nao me nos liga', true],
  ['nao me|nos~2 liga', 'nao te liga', false],
  ['para !de', 'para com isso', true],
  ['para !de', 'para de rir', false],
  ['<nao sou eu', 'sim sou eu', true],
  ['<nao sou eu', 'nao sou eu', false],
  ['^ engano', 'engano meu', true],
  ['^ engano', 'foi engano', false],
  ['liga .', 'me liga', true],
  ['liga .', 'liga depois', false],
  ['liga depois|.', 'me liga', true],
]
for (const [rule, text, expected] of cases)
  test(`"${rule}" ${expected ? 'matches' : 'does not match'} "${text}"`, () =>
    assert.equal(matches(rule, text), expected))

test('a name is one of the person called', () => {
  assert.equal(matches('nao sou @', 'nao sou carlos', ['carlos']), true)
  assert.equal(matches('nao sou @', 'nao sou vegano', ['carlos']), false)
})

test('a class that does not exist is an error', () => assert.throws(() => wordRules({}, 'nao $liga')))

test('speech becomes words: without contractions, hesitations and repetitions', () => {
  assert.deepEqual(
    wordsOf(plainSpeech("I can't, uh, can't talk, I'm driving")),
    'i can not can not talk i am driving'.split(' '),
  )
  assert.deepEqual(wordsOf(plainSpeech('Não, não, é é engano')), ['nao', 'e', 'engano'])
  assert.deepEqual(
    clausesIn('Ele saiu. Liga depois, tá?').map((words) => words.join(' ')),
    ['ele saiu', 'liga depois', 'ta', ''],
  )
})
