// The limits and fields of an agent's configs.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

const configs = ['llmConfig', 'provider_aConfig']

const postText = (client: Client, payload: string) =>
  client.send({ method: 'POST', url: '/api/agents', headers: { 'content-type': 'application/json' }, payload })

/** An object nested `levels` deep. */
const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) })
/** An object whose JSON has this many bytes. */
const sized = (bytes: number, letter = 'x') => {
  const left = bytes - '{"a":""}'.length
  const width = Buffer.byteLength(letter)
  return { a: letter.repeat(Math.floor(left / width)) + 'x'.repeat(left % width) }
}

test('62 a config is returned as sent: unknown keys, nulls and key order', async () => {
  const { ana } = await testApp()
  const config =
    '{"zeta":1,"model":"m","alpha":{"y":[3,{"b":null,"a":1.5}],"x":""},"temperature":0,"":true,"ção 😀":"\\n\\"","constructor":"c","toJSON":"t","empty":{},"none":[]}'
  for (const name of configs) {
    const sent = `"${name}":${config}`
    const made = await postText(ana, `{"name":"x","systemPrompt":"y",${sent}}`)
    assert.equal(made.status, 201, made.text)
    const { id } = made.json
    const changed = await ana.patch(`/api/agents/${id}`, { name: 'other' })
    for (const answer of [made, changed, await ana.get(`/api/agents/${id}`), await ana.get('/api/agents')])
      assert.ok(answer.text.includes(sent), answer.text)
    await ana.delete(`/api/agents/${id}`)
  }
})

test('62 a config must be an object', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  for (const name of configs)
    for (const value of [[], ['x'], 'text', '{}', 5, true]) {
      const message = new RegExp(`^${name} must be object`)
      assertError(await ana.post('/api/agents', { ...anAgent, [name]: value }), 400, message)
      assertError(await ana.patch(`/api/agents/${agent.id}`, { [name]: value }), 400, message)
    }
  assert.deepEqual((await ana.get('/api/agents')).json, [agent])
})

test('62 a config has at most 32 KB', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  for (const name of configs)
    for (const letter of ['x', 'é', '😀']) {
      const full = sized(32_768, letter)
      const made = await ana.post('/api/agents', { ...anAgent, [name]: full })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual((await ana.get(`/api/agents/${made.json.id}`)).json[name], full)
      const over = { [name]: sized(32_769, letter) }
      const message = new RegExp(`^${name} must be smaller`)
      assertError(await ana.post('/api/agents', { ...anAgent, ...over }), 400, message)
      assertError(await ana.patch(`/api/agents/${agent.id}`, over), 400, message)
    }
})

test('62 a config is at most 10 levels deep, including arrays', async () => {
  const { ana } = await testApp()
  for (const name of configs) {
    const message = new RegExp(`^${name} must not be nested so deep`)
    const made = await ana.post('/api/agents', { ...anAgent, [name]: nested(10) })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.json[name], nested(10))
    assertError(await ana.post('/api/agents', { ...anAgent, [name]: nested(11) }), 400, message)
    assert.equal((await ana.post('/api/agents', { ...anAgent, [name]: { list: [nested(8)] } })).status, 201)
    assertError(await ana.post('/api/agents', { ...anAgent, [name]: { list: [nested(9)] } }), 400, message)
    assertError(await ana.patch(`/api/agents/${made.json.id}`, { [name]: nested(11) }), 400, message)
  }
})

test('62 temperature is a number from 0 to 2 and model a text', async () => {
  const { ana } = await testApp()
  for (const temperature of [0, 0.7, 2]) {
    const { status, json } = await ana.post('/api/agents', { ...anAgent, llmConfig: { temperature } })
    assert.equal(status, 201)
    assert.equal(json.llmConfig.temperature, temperature)
  }
  for (const temperature of [-0.01, 2.01, '1', null, true, [1]])
    assertError(
      await ana.post('/api/agents', { ...anAgent, llmConfig: { temperature } }),
      400,
      /^llmConfig\.temperature must/,
    )
  for (const model of [5, null, {}, ['m']])
    assertError(await ana.post('/api/agents', { ...anAgent, llmConfig: { model } }), 400, /^llmConfig\.model must/)
  const { json: agent } = await ana.post('/api/agents', { ...anAgent, llmConfig: { model: 'm' } })
  assertError(await ana.patch(`/api/agents/${agent.id}`, { llmConfig: { temperature: 3 } }), 400)
  assert.deepEqual((await ana.get(`/api/agents/${agent.id}`)).json, agent)
  // These two names have a meaning only in llmConfig.
  const free = { temperature: 'warm', model: 5 }
  const { json } = await ana.post('/api/agents', { ...anAgent, provider_aConfig: free })
  assert.deepEqual(json.provider_aConfig, free)
})

test('62 language is a BCP 47 tag', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  for (const language of ['pt-BR', 'en', 'es-419', 'zh-Hant-TW', 'de-CH-1996', 'yue']) {
    const made = await ana.post('/api/agents', { ...anAgent, language })
    assert.equal(made.status, 201, `${language}: ${made.text}`)
    assert.equal(made.json.language, language)
    assert.equal((await ana.patch(`/api/agents/${agent.id}`, { language })).json.language, language)
  }
  for (const language of ['', 'p', 'pt_BR', 'pt-', '-BR', 'pt--BR', 'Portuguese (Brazil)', 'pt-BR ', 'en-123456789', 5])
    for (const answer of [
      await ana.post('/api/agents', { ...anAgent, language }),
      await ana.patch(`/api/agents/${agent.id}`, { language }),
    ])
      assertError(answer, 400, /^language must/)
})

test('62 initialSpeech and voiceId are texts, and the voice is not looked up', async () => {
  const { ana } = await testApp()
  for (const field of ['initialSpeech', 'voiceId'])
    for (const value of [5, true, {}, ['x']])
      assertError(await ana.post('/api/agents', { ...anAgent, [field]: value }), 400, new RegExp(`^${field} must`))
  const odd = { initialSpeech: 'Olá,\n{{name}} 😀', voiceId: 'not/a voice: ção' }
  const { json } = await ana.post('/api/agents', { ...anAgent, ...odd })
  assert.deepEqual({ initialSpeech: json.initialSpeech, voiceId: json.voiceId }, odd)
})
