import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTemplate, knownVariables } from '../../../../src/llm/prompt.ts'
import { applySuggestion, braceSpans, builtInVariables, namesIn, variableIssues } from './prompt-variables.ts'

test('the built-in variables are those that the server fills', () => {
  const known = knownVariables({ atMs: 0, language: 'pt-BR' })
  assert.deepEqual([...builtInVariables].sort(), Object.keys(known).sort())
})

test('a variable of the page is a variable of the server', () => {
  for (const text of [
    '{{a}}',
    '{{ a.b-c }}',
    '{{ação}}',
    '{{a b}}',
    '{{}}',
    '{a}',
    '{{{a}}}',
    '{{a}',
    '{{_x}}',
    '{{-x}}',
  ])
    assert.deepEqual(namesIn(text), fillTemplate(text, {}).missing, text)
})

const kinds = (text: string) => braceSpans(text).map(({ kind, name }) => [kind, name])

test('tells variables from names with spaces and single braces; code in braces is left alone', () => {
  assert.deepEqual(kinds('Olá {{ nome }}, {{nome completo}} e {nome}'), [
    ['variable', 'nome'],
    ['badName', 'nome completo'],
    ['oneBrace', 'nome'],
  ])
  assert.deepEqual(kinds('{"a": 1} {} {1} { x } {{}}'), [])
  assert.deepEqual(kinds('{{nome}'), [['oneBrace', 'nome']])
})

test('reports what would not be filled, once each, with a suggestion', () => {
  const text = '{{empresa}} {{empreza}} {{empreza}} {{caler}} {{outra}} {nome} {{meu nome}}'
  const issues = variableIssues(text, ['empresa', 'nome', ...builtInVariables, 'timeZone'])
  assert.deepEqual(
    issues.map(({ kind, name, suggestion }) => [kind, name, suggestion]),
    [
      ['unknown', 'empreza', 'empresa'],
      ['unknown', 'caler', 'caller'],
      ['unknown', 'outra', null],
      ['oneBrace', 'nome', 'nome'],
      ['badName', 'meu nome', 'meu_nome'],
    ],
  )
  const [typo, , , brace] = issues
  assert.ok(typo && brace)
  assert.equal(applySuggestion('{{empreza}} e {{ empreza }}', typo), '{{empresa}} e {{empresa}}')
  assert.equal(applySuggestion('Oi {nome}!', brace), 'Oi {{nome}}!')
})

test('a name without a valid form has no suggestion', () => {
  assert.deepEqual(
    variableIssues('{{!!}}', []).map(({ suggestion }) => suggestion),
    [null],
  )
})
