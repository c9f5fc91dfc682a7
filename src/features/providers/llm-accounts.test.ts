// Changing or removing an account affects the next call; a running call keeps its model.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { atEnd, startTestApp } from '../../../test/app.ts'
import { startLlm } from '../../../test/vendors/llm.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { masterKeys } from '../../base/crypto/master-key.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { noMeter } from '../../base/meter.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import type { LlmSet } from '../../llm/open.ts'
import { openSpeech } from '../../speech/open.ts'
import { agentStore } from '../agents/store.ts'
import { providerService } from './service.ts'

const log = pino({ level: 'silent' })

function unmetered({ db }: Database, config: Config) {
  const engines = openSpeech({ ...config.speech, embedded: 'off' }, log)
  atEnd(() => engines.close())
  return { agents: agentStore(db), engines, slotsFor: () => engines.slots, meter: noMeter }
}

async function wordOf(llms: LlmSet): Promise<string> {
  let text = ''
  const llm = llms.llmFor(null)
  for await (const part of llm.reply(
    [{ role: 'user', content: 'Hi' }],
    [],
    { language: 'en' },
    AbortSignal.timeout(5000),
  ))
    if ('say' in part) text += part.say
  return text
}

test('a running call keeps its account, and the next one has the new', async () => {
  const { database, config, newUser } = await startTestApp()
  const [one, two] = [
    await startLlm({ answer: () => ({ say: 'one' }) }),
    await startLlm({ answer: () => ({ say: 'two' }) }),
  ]
  atEnd(() => one.stop())
  atEnd(() => two.stop())
  const admin = await newUser('root', 'admin')
  const secrets = keyRing(masterKeys(config.masterKeys, config.dataDir))
  const service = await providerService(
    { config, db: database.db, secrets, log, listening: { address: null } },
    unmetered(database, config),
  )
  atEnd(() => service[Symbol.asyncDispose]())

  assert.equal((await service.forUser(admin.userId)).llmFor(null).isModel, false)
  const account = { vendor: 'openai-compatible', baseUrl: `${one.url}/v1`, model: 'm', apiKey: KEY }
  const { id } = (await admin.post('/api/providers', account)).json
  const first = await service.forUser(admin.userId)
  assert.equal(await wordOf(first), 'one')

  await admin.patch(`/api/providers/${id}`, { baseUrl: `${two.url}/v1`, apiKey: KEY })
  const second = await service.forUser(admin.userId)
  assert.deepEqual([await wordOf(first), await wordOf(second)], ['one', 'two'])

  await admin.delete(`/api/providers/${id}`)
  assert.deepEqual([await wordOf(first), await wordOf(second)], ['one', 'two'])
  assert.equal((await service.forUser(admin.userId)).llmFor(null).isModel, false)
})

test('an agent names a model that the account allows', async () => {
  const { database, config, newUser } = await startTestApp()
  const server = await startLlm({ answer: ({ model }) => ({ say: model }) })
  atEnd(() => server.stop())
  const admin = await newUser('root', 'admin')
  const secrets = keyRing(masterKeys(config.masterKeys, config.dataDir))
  const service = await providerService(
    { config, db: database.db, secrets, log, listening: { address: null } },
    unmetered(database, config),
  )
  atEnd(() => service[Symbol.asyncDispose]())
  const account = { vendor: 'openai-compatible', baseUrl: `${server.url}/v1`, model: 'a', apiKey: KEY }
  const { id } = (await admin.post('/api/providers', account)).json
  const nameFor = async (model: string) => (await service.forUser(admin.userId)).llmFor({ model }).name
  assert.equal(await nameFor('anything'), 'anything')
  await admin.patch(`/api/providers/${id}`, { models: ['b'] })
  assert.deepEqual([await nameFor('b'), await nameFor('c'), await nameFor('')], ['b', 'a', 'a'])
})
