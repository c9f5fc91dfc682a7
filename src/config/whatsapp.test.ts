// The settings of WhatsApp: all or nothing, and never a secret in the words of an error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './load.ts'

const least = { WHATSAPP_TOKEN: 's3cret', WHATSAPP_PHONE_NUMBER_ID: '106540352242922' }

test('a token and the id of a number are enough; the rest is as Meta has it', () => {
  assert.equal(readConfig({}).gateway.whatsapp, null)
  assert.deepEqual(readConfig(least).gateway.whatsapp, {
    token: 's3cret',
    phoneNumberId: '106540352242922',
    businessAccountId: null,
    appSecret: null,
    verifyToken: null,
    sipPassword: null,
    apiUrl: 'https://graph.facebook.com/v24.0',
    sipHost: 'wa.meta.vc',
    users: [],
  })
  const own = readConfig({
    ...least,
    WHATSAPP_API_URL: 'http://127.0.0.1:8080/v24.0/',
    WHATSAPP_SIP_HOST: 'a.test:5071',
  })
  assert.deepEqual(
    [own.gateway.whatsapp?.apiUrl, own.gateway.whatsapp?.sipHost],
    ['http://127.0.0.1:8080/v24.0', 'a.test:5071'],
  )
})

const wrong: [settings: Record<string, string>, words: RegExp][] = [
  [{ GATEWAY_DRIVER: 'whatsapp' }, /need WHATSAPP_TOKEN/],
  [{ WHATSAPP_TOKEN: 's3cret' }, /need WHATSAPP_TOKEN and WHATSAPP_PHONE_NUMBER_ID/],
  [{ WHATSAPP_APP_SECRET: 's3cret', WHATSAPP_VERIFY_TOKEN: 's3cret' }, /need WHATSAPP_TOKEN/],
  [{ ...least, WHATSAPP_APP_SECRET: 's3cret' }, /go together/],
  [{ ...least, WHATSAPP_PHONE_NUMBER_ID: '+55 11 s3cret' }, /digits alone/],
  [{ ...least, WHATSAPP_SIP_HOST: 'sips:s3cret@a b' }, /WHATSAPP_SIP_HOST/],
  [{ ...least, WHATSAPP_API_URL: 's3cret' }, /WHATSAPP_API_URL/],
]
test('what does not fit is told without its secrets', () => {
  for (const [settings, words] of wrong)
    assert.throws(
      () => readConfig(settings),
      ({ message }: Error) => words.test(message) && !message.includes('s3cret'),
      JSON.stringify(settings),
    )
})
