// The tool form: request bodies; a stored secret is neither shown nor lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tool } from '../../../../client/paths.ts'
import { newField } from './parameter-fields.ts'
import {
  bodyOf,
  changesOf,
  draftOf,
  MASK,
  messageDraft,
  messageOf,
  missingParameters,
  newToolBody,
  problemsOf,
  tidy,
} from './tool-form.ts'

const stored: Partial<Tool> = {
  name: 'Book a table',
  description: 'Books a table',
  type: 'api_request',
  method: 'POST',
  requestUrl: 'https://example.com/book/{day}',
  isActive: true,
  headers: { 'X-Key': MASK, Accept: 'application/json' },
  authorization: { type: 'basic', username: 'ana', password: MASK },
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  body: { day: '{day}' },
  messages: { start: 'One moment', failed: ['A', 'B'], delayed: [{ content: 'Still', timingMs: 3000 }] },
  config: { timeoutMs: 5000, retry: { maxRetries: 2 } },
}

test('an unchanged tool sends nothing', () => {
  assert.deepEqual(changesOf(draftOf(stored), draftOf(stored)), {})
  assert.deepEqual(changesOf(draftOf({ name: 'a' }), draftOf({ name: 'a', config: null, messages: null })), {})
})

test('a draft matches the stored tool', () => {
  const { type, ...fields } = stored
  assert.deepEqual(bodyOf(draftOf(stored)), fields)
})

test('a stored secret is sent only as its mask, and only when its group changed', () => {
  const before = draftOf(stored)
  const renamed = { ...before, name: 'Other' }
  assert.deepEqual(changesOf(before, renamed), { name: 'Other' })
  const user = { ...before.authorization, fields: { ...before.authorization.fields, username: 'bia' } }
  assert.deepEqual(changesOf(before, { ...before, authorization: user }), {
    authorization: { type: 'basic', username: 'bia', password: MASK },
  })
  const key = before.headers.map((pair) => (pair.name === 'X-Key' ? { ...pair, value: 'new' } : pair))
  assert.deepEqual(changesOf(before, { ...before, headers: key }), {
    headers: { 'X-Key': 'new', Accept: 'application/json' },
  })
})

test('emptied values become null', () => {
  const before = draftOf(stored)
  const none = { type: 'none', fields: {} }
  assert.deepEqual(changesOf(before, { ...before, authorization: none, headers: [], body: '', config: {} }), {
    authorization: null,
    headers: null,
    body: null,
    config: null,
  })
})

test('a new tool sends only what was typed', () => {
  const draft = {
    ...draftOf({}),
    name: ' Docs ',
    config: { knowledgeBaseIds: ['kb_1'], topK: '', minScore: undefined },
  }
  assert.deepEqual(newToolBody('query', draft), { type: 'query', name: 'Docs', config: { knowledgeBaseIds: ['kb_1'] } })
})

test('a message is a text, one variant per line, or JSON', () => {
  for (const message of ['Hi', ['A', 'B'], { content: 'x' }, ['A', { content: 'B' }], 'two\nlines', ['only']])
    assert.deepEqual(messageOf(messageDraft(message)), message, JSON.stringify(message))
  assert.equal(messageDraft(['A', 'B']).text, 'A\nB')
  assert.equal(messageDraft({ content: 'x' }).isJson, true)
  assert.equal(messageOf({ text: ' \n ', isJson: false }), null)
  assert.deepEqual(messageOf({ text: 'A\n\n B ', isJson: false }), ['A', 'B'])
})

test('problems are reported by field', () => {
  const draft = draftOf({})
  assert.deepEqual(problemsOf('api_request', draft), ['name', 'description', 'url'])
  assert.deepEqual(problemsOf('end_call', { ...draft, name: 'x', description: 'y' }), [])
  assert.deepEqual(problemsOf('mcp', { ...draft, name: 'x', requestUrl: 'https://x.example' }), [])
  const good = draftOf(stored)
  assert.deepEqual(problemsOf('api_request', good), [])
  const bad = {
    ...good,
    requestUrl: 'https://{host}/x',
    body: '{',
    authorization: { type: 'bearer', fields: {} },
    parameters: { ...good.parameters, fields: [newField({ name: 'two words' })] },
    messages: { ...good.messages, delayed: { text: '[', isJson: true } },
  }
  assert.deepEqual(problemsOf('api_request', bad), ['url', 'auth.token', 'parameters', 'body', 'message.delayed'])
  assert.deepEqual(
    problemsOf('api_request', { ...good, parameters: { ...good.parameters, isJson: true, text: '[]' } }),
    ['parameters'],
  )
})

test('a name in braces that no parameter fills is found', () => {
  const draft = draftOf({
    requestUrl: 'https://x.example/{cpf}/{day}?x={cpf}',
    headers: { 'X-Unit': '{unit} {{caller}}' },
  })
  assert.deepEqual(missingParameters('api_request', draft), ['cpf', 'day', 'unit'])
  const fields = [newField({ name: 'cpf' }), newField({ name: 'day' }), newField({ name: 'unit' })]
  assert.deepEqual(missingParameters('api_request', { ...draft, parameters: { ...draft.parameters, fields } }), [])
  assert.deepEqual(missingParameters('mcp', draft), [])
})

test('empty values are removed at any depth', () => {
  assert.deepEqual(tidy({ a: '', b: null, c: [], d: { e: undefined }, f: 0, g: false, h: { i: 1, j: '' } }), {
    f: 0,
    g: false,
    h: { i: 1 },
  })
})
