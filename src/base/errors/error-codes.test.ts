import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { errorAreas, errorCodes, errorText } from './error-codes.ts'
import { AppError, appError, codeOfKind, notFound } from './errors.ts'

const root = join(import.meta.dirname, '../../..')
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('error-codes'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

test('codes are unique, in snake case, with parameters that a header can carry', () => {
  const all = Object.values(errorAreas).flatMap((area) => Object.keys(area))
  assert.equal(new Set(all).size, all.length)
  assert.deepEqual(all.sort(), Object.keys(errorCodes).sort())
  for (const [code, [, message]] of Object.entries(errorCodes)) {
    assert.match(code, /^[a-z][a-z0-9_]{2,40}$/)
    for (const [, name] of message.matchAll(/\{([^}]*)\}/g)) assert.match(name ?? '', /^[a-z][a-z0-9_]*$/, code)
  }
})

test('every code is used, and errors are made from the catalogue only', () => {
  const written = sources.map(({ text }) => text).join('\n')
  const unused = Object.keys(errorCodes).filter((code) => !written.includes(`'${code}'`))
  assert.deepEqual(unused, [])
  // These build an error from problems or from a child process's error, which have codes already.
  const own = [
    'base/errors/errors.ts',
    'base/errors/validation-error.ts',
    'base/process/sandboxed-process.ts',
    'features/tools/config-check.ts',
  ]
  const free = sources.filter(({ path, text }) => text.includes('new AppError(') && !own.includes(path.slice(4)))
  assert.deepEqual(
    free.map(({ path }) => path),
    [],
    'use appError(code, params), with the code in src/base/errors/error-codes',
  )
})

test('message, kind, code and parameters come from one place', () => {
  const error = appError('body_too_large', { limit: 5 }, { headers: { connection: 'close' } })
  assert.deepEqual(
    [error.status, error.message, error.code, error.params, error.headers],
    [413, 'The body is larger than 5 bytes', 'body_too_large', { limit: 5 }, { connection: 'close' }],
  )
  assert.deepEqual(notFound('API key').params, { what: 'api_key' })
  assert.equal(notFound('API key').message, 'API key not found')
  assert.equal(errorText('not_found', { what: '{what} $& x' }), '{what} $& x not found')
})

test('an error without a code of its own has the code of its kind', () => {
  for (const [kind, code] of Object.entries(codeOfKind)) {
    const error = new AppError(kind as keyof typeof codeOfKind, 'x')
    assert.equal(error.code, code)
    assert.equal(errorCodes[code][0], kind)
  }
})

test('the guide lists every code with its status and message', () => {
  const rows = readFileSync(join(root, 'docs/errors.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const expected = Object.entries(errorCodes).map(
    ([code, [kind, message]]) => `| \`${code}\` | ${new AppError(kind, '').status} | ${message} |`,
  )
  assert.deepEqual(rows.sort(), expected.sort())
})
