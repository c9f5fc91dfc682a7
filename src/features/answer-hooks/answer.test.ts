// Parsing a hook's answer: what is accepted, what invalidates the whole answer, and what is ignored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalCodes } from '../../base/domain/hook-statuses.ts'
import { isEmpty, noAnswer, readAnswer } from './answer.ts'

const answerOf = (value: unknown) => {
  const read = readAnswer(value)
  assert.ok('answer' in read, 'problem' in read ? read.problem : '')
  return read.answer
}
const problemOf = (value: unknown) => {
  const read = readAnswer(value)
  return 'problem' in read ? read.problem : null
}

test('an answer may choose everything at once', () => {
  const whole = {
    agentId: 'agt_1',
    variables: { nome: 'Ana', 'plano.tipo': 'ouro', visitas: 3, ativo: true, vazio: null },
    language: 'es-MX',
    transferTo: '+551130304040',
    context: 'Cliente desde 2019.',
  }
  assert.deepEqual(answerOf(whole), {
    ...whole,
    refuse: null,
    variables: { nome: 'Ana', 'plano.tipo': 'ouro', visitas: '3', ativo: 'true' },
  })
})

test('nothing, an empty object and fields that are null ask for nothing', () => {
  for (const value of [null, undefined, {}, { agentId: null, refuse: false, variables: {} }, { context: '  ' }]) {
    assert.deepEqual(answerOf(value), noAnswer)
    assert.ok(isEmpty(answerOf(value)))
  }
})

test('a refusal is one of the listed codes, and true means 603', () => {
  assert.equal(answerOf({ refuse: true }).refuse, 603)
  for (const code of refusalCodes) assert.equal(answerOf({ refuse: code }).refuse, code)
  for (const refuse of [200, 302, 401, 407, 487, 500, 999, 486.5, '486', {}, [], 'yes'])
    assert.match(problemOf({ refuse }) ?? '', /^refuse is none of/)
})

test('wrong types make the whole answer wrong', () => {
  for (const value of ['<html>', 5, true, [], [{}]]) assert.equal(problemOf(value), 'The answer is not a JSON object')
  for (const [field, wrong] of Object.entries({ agentId: 5, language: {}, transferTo: ['+1'], context: 1 }))
    assert.equal(problemOf({ variables: { good: '1' }, [field]: wrong }), `${field} is not a text`)
  for (const language of ['portugues do Brasil', 'p', 'pt_BR', 'pt-', '../x'])
    assert.match(problemOf({ language }) ?? '', /^language is not a language tag/)
  for (const variables of ['x', 5, [], ['a']]) assert.equal(problemOf({ variables }), 'variables is not an object')
  for (const wrong of [{}, [], ['a']])
    assert.match(problemOf({ variables: { a: wrong } }) ?? '', /^variables has a value/)
})

test('names of variables are those that {{name}} can name', () => {
  const proto = JSON.parse('{"variables":{"__proto__":"x"}}')
  for (const value of [
    proto,
    { variables: { 'a b': '1' } },
    { variables: { '': '1' } },
    { variables: { 'a\r\n': '1' } },
  ])
    assert.match(problemOf(value) ?? '', /^variables has a name/)
  assert.equal(Object.getPrototypeOf(answerOf({ variables: { constructor: 'x' } }).variables), Object.prototype)
})

test('sizes are bounded', () => {
  assert.match(problemOf({ variables: { a: 'x'.repeat(5001) } }) ?? '', /5000 characters/)
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`v${i}`, 'x']))
  assert.match(problemOf({ variables: many }) ?? '', /more than 100 names/)
  const large = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`v${i}`, 'x'.repeat(4500)]))
  assert.match(problemOf({ variables: large }) ?? '', /32768 bytes/)
  assert.match(problemOf({ context: 'x'.repeat(4001) }) ?? '', /4000 characters/)
  assert.match(problemOf({ agentId: 'x'.repeat(256) }) ?? '', /255 characters/)
})

test('control characters do not survive, line breaks of a text do', () => {
  const { variables, context, transferTo } = answerOf({
    variables: { a: 'x\r\nX-Evil: 1', b: 'a\u0000b\u001bc\u2028d', c: '\ud800' },
    context: 'one\r\ntwo\tthree',
    transferTo: '+5511\r\n3030',
  })
  assert.deepEqual(variables, { a: 'x\nX-Evil: 1', b: 'a b c d', c: '\ufffd' })
  assert.equal(context, 'one\ntwo\tthree')
  assert.ok(!/[\r\0]/.test(transferTo ?? ''))
})

test('unknown fields are ignored and named', () => {
  const read = readAnswer({ agentID: 'agt_1', extra: {}, variables: { a: '1' } })
  assert.ok('answer' in read)
  assert.deepEqual([read.ignored, read.answer.variables], [['agentID', 'extra'], { a: '1' }])
})
