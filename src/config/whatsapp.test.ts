// WhatsApp settings: all or none, and no secret in an error message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './load.ts'

const minimal = { WHATSAPP_TOKEN: 's3cret', WHATSAPP_PHONE_NUMBER_ID: '106540352242922' }

test("a token and a phone number id are enough; the rest defaults to Meta's endpoints", () => {
  assert.equal(readConfig({}).gateway.whatsapp, null)
  assert.deepEqual(readConfig(minimal).gateway.whatsapp, {
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
    ...minimal,
    WHATSAPP_API_URL: 'http://127.0.0.1:8080/v24.0/',
    WHATSAPP_SIP_HOST: 'a.test:5071',
  })
  assert.deepEqual(
    [own.gateway.whatsapp?.apiUrl, own.gateway.whatsapp?.sipHost],
    ['http://127.0.0.1:8080/v24.0', 'a.test:5071'],
  )
})

const invalid: [settings: Record<string, string>, message: RegExp][] = [
  [{ GATEWAY_DRIVER: 'whatsapp' }, /need WHATSAPP_TOKEN/],
  [{ WHATSAPP_TOKEN: 's3cret' }, /need WHATSAPP_TOKEN and WHATSAPP_PHONE_NUMBER_ID/],
  [{ WHATSAPP_APP_SECRET: 's3cret', WHATSAPP_VERIFY_TOKEN: 's3cret' }, /need WHATSAPP_TOKEN/],
  [{ ...minimal, WHATSAPP_APP_SECRET: 's3cret' }, /go together/],
  [{ ...minimal, WHATSAPP_PHONE_NUMBER_ID: '+55 11 s3cret' }, /digits alone/],
  [{ ...minimal, WHATSAPP_SIP_HOST: 'sips:s3cret@a b' }, /WHATSAPP_SIP_HOST/],
  [{ ...minimal, WHATSAPP_API_URL: 's3cret' }, /WHATSAPP_API_URL/],
]
test('invalid settings are reported without their secret values', () => {
  for (const [settings, expected] of invalid)
    assert.throws(
      () => readConfig(settings),
      ({ message }: Error) => expected.test(message) && !message.includes('s3cret'),
      JSON.stringify(settings),
    )
})
