import assert from 'node:assert/strict'
import { test } from 'node:test'
import { property, record, string, assert as verify } from 'fast-check'
import { parseErrorCodes } from '../../web/src/i18n/parse-error-codes.ts'
import { errorCodeHeader } from './error-code-header.ts'

test('codes and parameters are a structured field', () => {
  assert.equal(errorCodeHeader([{ code: 'agent_inactive', params: {} }]), 'agent_inactive')
  const several = errorCodeHeader([
    { code: 'field_required', params: { field: 'name' } },
    { code: 'field_too_long', params: { field: 'prompt', limit: 20_000 } },
  ])
  assert.equal(several, 'field_required;field="name", field_too_long;field="prompt";limit=20000')
  assert.deepEqual(parseErrorCodes(several), [
    { code: 'field_required', params: { field: 'name' } },
    { code: 'field_too_long', params: { field: 'prompt', limit: 20_000 } },
  ])
})

test('no text can break out of its parameter or add a header', () => {
  const hostile = 'x"; admin_only\r\nSet-Cookie: a=b, forbidden;\u0000é\u2028'
  const header = errorCodeHeader([{ code: 'field_unknown', params: { field: hostile } }])
  assert.match(header, /^[\x20-\x7e]+$/)
  assert.deepEqual(parseErrorCodes(header), [{ code: 'field_unknown', params: { field: hostile } }])
})

test('any text arrives as it was, or shortened', () => {
  const params = record({ field: string({ unit: 'binary', maxLength: 300 }) })
  void verify(
    property(params, ({ field }) => {
      const header = errorCodeHeader([{ code: 'field_unknown', params: { field } }])
      assert.match(header, /^[\x20-\x7e]+$/)
      const [read] = parseErrorCodes(header)
      const back = String(read?.params.field)
      assert.equal(back, field.length <= 120 ? field.toWellFormed() : back)
      assert.ok(back.length <= 120)
    }),
  )
})

test('length and number of problems are bounded', () => {
  const field = 'ü'.repeat(5000)
  const problem = { code: 'field_unknown', params: { field } } as const
  const header = errorCodeHeader(Array.from({ length: 50 }, () => problem))
  assert.ok(header.length <= 2048)
  assert.ok(parseErrorCodes(header).length >= 2)
  const numbers = errorCodeHeader([{ code: 'body_too_large', params: { limit: 1e30 } }])
  assert.equal(numbers, 'body_too_large;limit="1e+30"')
})

test('a header that cannot be read gives what came before', () => {
  assert.deepEqual(parseErrorCodes(null), [])
  assert.deepEqual(parseErrorCodes('agent_inactive, ???'), [{ code: 'agent_inactive', params: {} }])
  assert.deepEqual(parseErrorCodes('a;field="open'), [])
  assert.deepEqual(parseErrorCodes('a;field=%"%zz"'), [])
})
