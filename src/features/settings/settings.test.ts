// GET /api/settings: every setting is listed, and no secret is exposed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertError, startTestApp, testApp } from '../../../test/app.ts'
import { settingsExplained } from '../../../test/architecture-rules.ts'
import { settingsInUse } from '../../config/public-settings.ts'
import { settingGroups } from './example.ts'
import type { Setting, Settings } from './schema.ts'

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
const named = (settings: Settings, name: string): Setting =>
  settings.groups.flatMap((group) => group.settings).find((setting) => setting.name === name) ?? assert.fail(name)

/** Settings that only the operator may see. Add a new setting here or to plainSettings. */
const secrets = [
  'AZURE_SPEECH_KEY',
  'BOOTSTRAP_API_KEY',
  'CARTESIA_API_KEY',
  'DATABASE_URL',
  'DEEPGRAM_API_KEY',
  'ELEVENLABS_API_KEY',
  'EMBEDDINGS_API_KEY',
  'ICE_SERVERS',
  'LLM_API_KEY',
  'LLM_FALLBACK_API_KEY',
  'MASTER_KEY',
  'OPENAI_API_KEY',
  'REDIS_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMS_BODY',
  'SMS_HEADERS',
  'SMS_URL',
  'TURN_SECRET',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_SIP_PASSWORD',
  'WHATSAPP_TOKEN',
  'WHATSAPP_VERIFY_TOKEN',
]

test('every setting of .env.example is listed once, in its group, and these are the secret ones', async () => {
  const { newUser } = await testApp()
  const ana = await newUser('ana', 'admin')
  const { groups } = (await ana.get('/api/settings')).json as Settings
  const all = groups.flatMap((group) => group.settings)
  assert.deepEqual(all.map(({ name }) => name).sort(), settingsExplained(example))
  assert.deepEqual(
    all
      .filter(({ isSecret }) => isSecret)
      .map(({ name }) => name)
      .sort(),
    secrets,
  )
  assert.ok(groups.length > 8 && groups.every(({ name, settings }) => name !== '' && settings.length > 0))
})

test('explicit values are distinguished from defaults', async () => {
  const { newUser } = await startTestApp({ PUBLIC_URL: 'https://voice.example.com', RTP_PORTS: '12000-12100' })
  const ana = await newUser('ana', 'admin')
  const settings = (await ana.get('/api/settings')).json as Settings
  const url = named(settings, 'PUBLIC_URL')
  assert.deepEqual([url.value, url.isSet, url.isSecret], ['https://voice.example.com', true, false])
  assert.match(url.description, /how the outside reaches this server/)
  const calls = named(settings, 'MAX_CALLS_PER_USER')
  assert.deepEqual([calls.value, calls.isSet], ['100', false])
  const redis = named(settings, 'REDIS_URL')
  assert.deepEqual([redis.value, redis.isSet, redis.isSecret], [null, false, true])
  assert.equal(settings.phone.rtpPorts, '12000-12100')
  assert.equal(settings.server.publicUrl, 'https://voice.example.com')
})

test('no secret leaves, nor the credentials inside a URL', async () => {
  const { newUser } = await startTestApp({
    LLM_BASE_URL: 'https://someone:hidden-1@llm.example.com/v1?token=hidden-2',
    LLM_API_KEY: 'hidden-3',
    LLM_MODEL: 'a-model',
    SMS_URL: 'https://sms.example.com/send?key=hidden-4',
    SMS_HEADERS: '{"Authorization":"Bearer hidden-5"}',
    MASTER_KEY: 'hidden-6'.padEnd(40, '-'),
    WHATSAPP_TOKEN: 'hidden-7',
    WHATSAPP_PHONE_NUMBER_ID: '123',
  })
  const ana = await newUser('ana', 'admin')
  const { text, json } = await ana.get('/api/settings')
  assert.doesNotMatch(text, /hidden|someone/)
  assert.equal(named(json, 'LLM_BASE_URL').value, 'https://llm.example.com/v1')
  for (const name of ['LLM_API_KEY', 'SMS_URL', 'SMS_HEADERS', 'MASTER_KEY', 'WHATSAPP_TOKEN']) {
    const { value, isSet, isSecret } = named(json, name)
    assert.deepEqual([value, isSet, isSecret], [null, true, true], name)
  }
  assert.deepEqual(json.model, {
    provider: 'openai-compatible',
    name: 'a-model',
    fallback: null,
    models: null,
    embeddings: null,
  })
})

test('the status of voices, model, phone and server is included', async () => {
  const { newUser, config } = await testApp()
  const ana = await newUser('ana', 'admin')
  const { version, voice, model, phone, server } = (await ana.get('/api/settings')).json as Settings
  assert.match(version, /^\d+\.\d+\.\d+/)
  assert.deepEqual([voice.wanted, voice.speaking, voice.preparingPercent], ['off', 'none', null])
  assert.equal(model.provider, null)
  assert.equal(phone.isOn, false)
  assert.deepEqual([server.database, server.isTls, server.trustsProxy], [config.database.kind, false, false])
})

test('a key with scopes cannot read it', async () => {
  const { newUser } = await testApp()
  const ana = await newUser('ana', 'admin')
  const scoped = await ana.withKey({ scopes: ['calls'] })
  assertError(await scoped.get('/api/settings'), 403)
  assert.equal((await scoped.get('/api/overview')).status, 200)
})

test('a member cannot read the settings, only what the platform offers', async () => {
  const { ana, newUser } = await testApp()
  assertError(await ana.get('/api/settings'), 403, /administrator/)
  assertError(await ana.patch('/api/settings/addresses', { host: '0.0.0.0' }), 403, /administrator/)
  assert.equal((await ana.send({ method: 'HEAD', url: '/api/settings/' })).status, 403)
  const admin = await newUser('maria', 'admin')
  assert.equal((await admin.get('/api/settings')).status, 200)
  assertError(await (await ana.withKey({ scopes: ['tts'] })).get('/api/platform'), 403)
  for (const client of [ana, admin]) {
    const { status, json } = await client.get('/api/platform')
    assert.equal(status, 200)
    assert.deepEqual(json.gatewayDrivers, ['embedded'])
    assert.deepEqual([json.model, json.models, json.publicUrl], [null, null, null])
    assert.equal(json.voiceProviders.provider_a, 'embedded')
    assert.deepEqual(json.missingForPhones, ['HOST=0.0.0.0', 'SIP_HOST=0.0.0.0'])
  }
})

test('an unclassified setting is hidden, and an empty text is no value', () => {
  const settings = settingsInUse({ NEW_THING: 'x', PORT: ' ', DENIED_PREFIXES: '', HOST: '0.0.0.0' })
  assert.deepEqual({ ...settings }, { NEW_THING: null, DENIED_PREFIXES: '', HOST: '0.0.0.0' })
  const text = '# --- A ---\n# free words\n# NEW_THING=7  # first\n#              # second\n# PORT=3000\n'
  assert.deepEqual(
    settingGroups(text, settings, (name) => name === 'PORT'),
    [
      {
        name: 'A',
        settings: [
          { name: 'NEW_THING', value: null, isSecret: true, isSet: true, description: 'first second' },
          { name: 'PORT', value: '3000', isSecret: false, isSet: false, description: '' },
        ],
      },
    ],
  )
})
