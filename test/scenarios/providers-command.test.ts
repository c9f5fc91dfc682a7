// `ramal providers`: accounts are added with a key from standard input, listed, tested and removed next to a running
// platform.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { buildApp } from '../../src/app.ts'
import { createLog } from '../../src/base/process/log.ts'
import { agentStore } from '../../src/features/agents/store.ts'
import { anAgent, atEnd, testConfig } from '../app.ts'
import { compiled } from '../service.ts'
import { startDeepgram } from '../vendors/deepgram.ts'
import { KEY } from '../vendors/server.ts'

const run = promisify(execFile)

test('an account is added, listed, tested and removed on the command line, and its key is printed nowhere', async () => {
  const server = await startDeepgram()
  atEnd(() => server.stop())
  const config = await testConfig()
  const app = await buildApp(config, createLog('silent'))
  atEnd(() => app.close())
  const env = {
    PATH: process.env.PATH,
    ...compiled,
    DATA_DIR: config.dataDir,
    ...(config.database.kind === 'postgres' ? { DATABASE_URL: config.database.url } : {}),
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: KEY,
    DEEPGRAM_BASE_URL: server.url,
  }
  const ramal = async (words: string, input = '') => {
    const running = run(process.execPath, ['src/cli/main.ts', ...words.split(' ')], { env })
    running.child.stdin?.end(input)
    const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error)
    assert.ok(!`${stdout}${stderr}`.includes(KEY), stdout)
    return `${stdout}${stderr}`.trim()
  }
  await ramal('users add Root --role admin')
  const added = await ramal(`providers add deepgram --user Root --kind stt --base-url ${server.url}`, `${KEY}\n`)
  assert.match(added, /^prv_\w+ {2}stt {2}Deepgram {2}nova-3$/)
  const [id = ''] = added.split(' ')
  const row = await app.database.db.selectFrom('providerAccounts').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([row.id, row.kind, row.isDefault], [id, 'stt', 1])
  await agentStore(app.database.db).create(row.userId, { ...anAgent, settings: { recognition: { providerId: id } } })

  const listed = await ramal('providers list')
  assert.match(listed, /^environment-deepgram-stt {2}stt {2}deepgram .* environment {2}key/m)
  assert.match(listed, new RegExp(`^${id} {2}stt {2}deepgram {2}Deepgram {2}nova-3 {2}Root {2}key {2}default$`, 'm'))
  assert.match(await ramal(`providers test ${id}`), /^works: \d+ ms, heard “.*consulta/)
  assert.match(await ramal('providers test environment-deepgram-stt'), /^works/)
  assert.match(await ramal('providers add openai --user Root', '\n'), /apiKey is required|model is required/)
  assert.match(await ramal('providers add nobody --user Root --kind tts', 'k\n'), /vendor: nobody has no tts/)
  assert.match(await ramal(`providers remove ${id}`), /--yes/)
  const removed = await ramal(`providers remove ${id} --yes`)
  assert.match(removed, /^removed Deepgram; agents that named it: 1; used instead: Deepgram$/)
  assert.match(await ramal(`providers test ${id}`), /Provider not found/)
})
