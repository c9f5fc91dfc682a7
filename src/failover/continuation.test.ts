import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wholeWords, withoutRepeating } from './continuation.ts'

const joinedTo = (said: string, pieces: readonly string[]): string => {
  const joined = withoutRepeating(said)
  return said + pieces.map((piece) => joined.push(piece)).join('') + joined.rest()
}

test('what a continuation repeats is left out', () => {
  const said = 'Of course. Your appointment is on'
  const whole = 'Of course. Your appointment is on Monday at nine.'
  for (const pieces of [
    ['Monday at nine.'],
    [' Monday', ' at nine.'],
    ['on Monday at nine.'],
    ['Your ', 'appointment is on', ' Monday at nine.'],
    ['your appointment is on Monday at nine.'],
    ['Of course. Your appointment is on Monday at nine.'],
    ['… ', 'is on Monday at nine.'],
    ['is on... Monday at nine.'],
    ['', 'is', ' on', ' Mon', 'day at nine.'],
  ])
    assert.equal(joinedTo(said, pieces).replace('… ', ''), whole, pieces.join('|'))
})

test('a mark that is repeated with its word is left out too', () => {
  assert.equal(joinedTo('At nine,', ['at nine, and ten.']), 'At nine, and ten.')
  assert.equal(joinedTo('At nine', ['nine, and ten.']), 'At nine, and ten.')
  assert.equal(joinedTo('At nine. ', ['At nine. And ten.']), 'At nine. And ten.')
})

test('what only looks like a repetition stays', () => {
  assert.equal(joinedTo('We open at', ['attractive prices.']), 'We open at attractive prices.')
  assert.equal(joinedTo('It costs ten', ['tenths more.']), 'It costs ten tenths more.')
  assert.equal(joinedTo('I would like a', ['a lot']), 'I would like a a lot', 'a single letter')
  assert.equal(
    joinedTo('Your order is on its way', ['. It arrives today.']),
    'Your order is on its way. It arrives today.',
  )
  assert.equal(joinedTo('Ready. ', ['Anything else?']), 'Ready. Anything else?')
  assert.equal(joinedTo('Ready', ['']), 'Ready')
})

test('words are passed on when they are complete, and none is lost', () => {
  const words = wholeWords()
  assert.deepEqual([words.push('Your appoint'), words.push('ment is'), words.rest()], ['Your', ' appointment', ' is'])
  assert.equal(wholeWords().push('お電話ありがとう'), 'お電話ありがとう')
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 50 })), (pieces) => {
      const each = wholeWords()
      assert.equal(pieces.map((piece) => each.push(piece)).join('') + each.rest(), pieces.join(''))
    }),
    { seed: 19, numRuns: 200 },
  )
})
