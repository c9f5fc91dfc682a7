import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './load.ts'

test('SMS settings are read; problems are reported without secret values', () => {
  assert.equal(readConfig({}).sms, null)
  const sms = {
    SMS_URL: 'https://sms.example/send?to={to}',
    SMS_HEADERS: '{"Authorization":"Bearer s3cret"}',
    SMS_BODY: '{"text":"{text}"}',
  }
  assert.deepEqual(readConfig(sms).sms, {
    url: 'https://sms.example/send?to={to}',
    method: 'POST',
    headers: { Authorization: 'Bearer s3cret' },
    body: { text: '{text}' },
  })
  const invalid = {
    SMS_URL: 'https://{to}.example/',
    SMS_METHOD: 'DELETE',
    SMS_HEADERS: '{"A":"s3cret',
    SMS_BODY: '[]',
  }
  assert.throws(
    () => readConfig(invalid),
    ({ message }: Error) =>
      ['SMS_URL', 'SMS_METHOD', 'SMS_HEADERS', 'SMS_BODY'].every((name) => message.includes(name)) &&
      !message.includes('s3cret'),
  )
})
