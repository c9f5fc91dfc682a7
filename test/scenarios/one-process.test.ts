// One process per DATA_DIR with SQLite; several nodes share a PostgreSQL, each under a name of its own.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { ask, compiled, NotStarted, newDataDir, startService } from '../service.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')
const key = 'a-key-of-this-test-with-32-characters'

if (!usesPostgres)
  test('a second process on the same DATA_DIR is refused with a clear message; the command line works beside the first', async () => {
    const dataDir = newDataDir()
    const first = await startService(dataDir, { BOOTSTRAP_API_KEY: key })
    const refused = await startService(dataDir, {}).then(
      () => assert.fail('the second process started'),
      (error: NotStarted) => error,
    )
    assert.ok(refused instanceof NotStarted)
    assert.match(refused.output, /Another Ramal process is using .*\. SQLite serves one process/)
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...compiled }
    const { stdout } = await run(process.execPath, [cli, 'users', 'list'], { env, cwd: dataDir })
    assert.notEqual(stdout.trim(), '')
    assert.equal((await ask(`${first.url}/api/agents`, key, 'GET')).status, 200)
    const name = readFileSync(join(dataDir, 'node-name'), 'utf8')
    await first.kill('SIGKILL')
    const next = await startService(dataDir, {})
    assert.equal((await ask(`${next.url}/api/agents`, key, 'GET')).status, 200)
    assert.equal(readFileSync(join(dataDir, 'node-name'), 'utf8'), name, 'a node keeps its name')
    await next.kill('SIGTERM')
  })
else
  test('two nodes that share one DATA_DIR have different names', async () => {
    const env = { DATABASE_URL: await newPostgresDatabase(), CALLS_PER_SECOND: '100' }
    const dataDir = newDataDir()
    const one = await startService(dataDir, { ...env, BOOTSTRAP_API_KEY: key })
    const two = await startService(dataDir, env)
    const names = await Promise.all(
      [one, two].map(async ({ url }) => {
        const post = async (path: string, body: object) =>
          JSON.parse((await ask(`${url}${path}`, key, 'POST', body)).text)
        const agent = await post('/api/agents', { name: 'Ana', systemPrompt: 'x' })
        const { callId } = await post('/api/calls/outbound', { agentId: agent.id, toNumber: '+5511999990000' })
        return JSON.parse((await ask(`${url}/api/calls/${callId}`, key, 'GET')).text).nodeId
      }),
    )
    assert.equal(new Set(names).size, 2, names.join(' '))
    await Promise.all([one.kill('SIGTERM'), two.kill('SIGTERM')])
  })
