// The command line next to a running platform: users, keys, backup and restore, rotation of the master key.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { buildApp } from '../../src/app.ts'
import { createLog } from '../../src/base/process/log.ts'
import type { Config } from '../../src/config/config.ts'
import { agentStore } from '../../src/features/agents/store.ts'
import { anAgent, atEnd, testConfig } from '../app.ts'
import { putCall, putRecording } from '../call-rows.ts'
import { compiled } from '../service.ts'

const run = promisify(execFile)

type Env = Record<string, string>
const envOf = (config: Config): Env => ({
  DATA_DIR: config.dataDir,
  ...(config.database.kind === 'postgres' ? { DATABASE_URL: config.database.url } : {}),
})

async function ramal(env: Env, ...words: string[]): Promise<string> {
  const all = { PATH: process.env.PATH, ...compiled, ...env }
  const { stdout } = await run(process.execPath, ['src/cli/main.ts', ...words], { env: all })
  return stdout.trim()
}

async function refused(env: Env, ...words: string[]): Promise<string> {
  const failure = await ramal(env, ...words).then(
    () => assert.fail(`ramal ${words.join(' ')} was not refused`),
    (error: { code: number; stderr: string }) => error,
  )
  assert.equal(failure.code, 1)
  return failure.stderr
}

/** The running platform, and a way to call it with a key. */
async function platform(config: Config) {
  const app = await buildApp(config, createLog('silent'))
  const address = await app.listen()
  let isOpen = true
  const close = async () => {
    if (isOpen) await app.close()
    isOpen = false
  }
  atEnd(close)
  const ask = async (key: string, path: string, body?: object) => {
    const response = await fetch(`${address}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, json: await response.json() }
  }
  return { app, ask, close }
}

test('a user and a key added by the command line work at once, and a revoked key stops working at once', async () => {
  const config = await testConfig()
  const { ask } = await platform(config)
  const env = envOf(config)
  await ramal(env, 'users', 'add', 'Maria', '--email', 'maria@example.com')
  assert.match(await ramal(env, 'users', 'list'), /admin[\s\S]*Maria {2}maria@example\.com/)
  const key = await ramal(env, 'keys', 'add', '--user', 'Maria', '--scopes', 'agents', '--rate-limit', '100')
  assert.equal((await ask(key, '/api/agents')).status, 200)
  assert.equal((await ask(key, '/api/tools')).status, 403)
  const listed = (await ramal(env, 'keys', 'list', '--user', 'Maria')).split('\n')
  assert.equal(listed.length, 1)
  assert.ok(!listed[0]?.includes(key), 'the list shows the key')
  await ramal(env, 'keys', 'revoke', listed[0]?.split('  ')[0] ?? '')
  assert.equal((await ask(key, '/api/agents')).status, 401)
  assert.match(await refused(env, 'users', 'remove', 'Maria'), /--yes/)
  await ramal(env, 'users', 'remove', 'Maria', '--yes')
  assert.doesNotMatch(await ramal(env, 'users', 'list'), /Maria/)
})

test('an operator releases a number from another account, and its owner registers it', async () => {
  const config = await testConfig()
  const { ask } = await platform(config)
  const env = envOf(config)
  const did = { phoneNumber: '+551140028922', countryCode: '55' }
  const [squatter = '', owner = ''] = await Promise.all(
    ['Mallory', 'Ana'].map(async (name) => {
      await ramal(env, 'users', 'add', name)
      return ramal(env, 'keys', 'add', '--user', name)
    }),
  )
  assert.equal((await ask(squatter, '/api/did', did)).status, 201)
  assert.equal((await ask(owner, '/api/did', did)).status, 409)
  assert.match(await ramal(env, 'numbers', 'release', did.phoneNumber), /^released \+551140028922/)
  assert.equal((await ask(owner, '/api/did', did)).status, 201)
  assert.match(await refused(env, 'numbers', 'release', '+551140028923'), /DID not found/)
})

test('a role set by the command line takes effect at once, and the last admin cannot be demoted', async () => {
  const config = await testConfig()
  const { ask } = await platform(config)
  const env = envOf(config)
  assert.match(await ramal(env, 'users', 'add', 'Maria'), /Maria {2}member$/)
  assert.match(await ramal(env, 'users', 'list'), /admin {2}- {2}admin {2}[\s\S]*Maria {2}- {2}member {2}/)
  const key = await ramal(env, 'keys', 'add', '--user', 'Maria')
  const settings = async () => (await ask(key, '/api/settings')).status
  assert.equal(await settings(), 403)
  assert.equal(await ramal(env, 'users', 'role', 'Maria', 'admin'), 'Maria is now an admin')
  assert.equal(await settings(), 200)
  await ramal(env, 'users', 'role', 'Maria', 'member')
  assert.equal(await settings(), 403)
  assert.match(await refused(env, 'users', 'role', 'Maria', 'king'), /king is not a role/)
  assert.match(await refused(env, 'users', 'role', 'Maria'), /admin or member is missing/)
  assert.match(await refused(env, 'users', 'role', 'admin', 'member'), /only administrator/)
  assert.match(await refused(env, 'users', 'remove', 'admin', '--yes'), /only administrator/)
  assert.match(await ramal(env, 'users', 'add', 'Rui', '--role', 'admin'), /Rui {2}admin$/)
  await ramal(env, 'users', 'remove', 'admin', '--yes')
  assert.match(await refused(env, 'users', 'remove', 'Rui', '--yes'), /only administrator/)
})

test('ramal forget erases a number with --yes only; without it, it only counts', async () => {
  const config = await testConfig()
  const { app } = await platform(config)
  const env = envOf(config)
  const { db } = app.database
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const { id: agentId } = await agentStore(db).create(userId, anAgent)
  putRecording(config.dataDir, 'hers.wav')
  const call = { userId, agentId, toNumber: '+5511977776666' }
  await putCall(db, { ...call, recording: 'hers.wav' })
  await putCall(db, { ...call, toNumber: '11977776666' })
  const calls = async () => (await db.selectFrom('calls').select('id').execute()).length

  const counted = await ramal(env, 'forget', '+55 11 97777-6666')
  assert.match(
    counted,
    /admin: 1 call, 1 recording, 0 conversations, 0 texts, 0 call-back requests, 0 campaign contacts found/,
  )
  assert.match(counted, /kept: numbers with the same ending: 11977776666/)
  assert.match(counted, /nothing was removed: add --yes/)
  assert.equal(await calls(), 2)
  const removed = await ramal(env, 'forget', '5511977776666', '--user', 'admin', '--yes')
  assert.match(
    removed,
    /admin: 1 call, 1 recording, 0 conversations, 0 texts, 0 call-back requests, 0 campaign contacts removed/,
  )
  assert.match(removed, /backups, logs/)
  assert.equal(await calls(), 1)
  assert.equal(existsSync(join(config.dataDir, 'recordings', 'hers.wav')), false)
  assert.match(
    await ramal(env, 'forget', '+5511977776666', '--yes'),
    /no ended call, conversation, text, call-back request or campaign contact has this number/,
  )
  assert.match(await refused(env, 'forget', 'ana'), /must be a telephone number/)
  assert.match(await refused(env, 'forget'), /NUMBER is missing/)
  assert.match(await refused(env, 'forget', '+5511977776666', '--user', 'nobody'), /User not found/)
})

test('invalid commands are refused with their usage alone, and a group of commands lists them', async () => {
  const env = envOf(await testConfig())
  assert.equal(await refused(env, 'dance'), 'ramal: unknown command: dance\nramal help lists the commands.\n')
  assert.equal(await refused(env, 'users', 'x'), 'ramal: unknown command: users x\nramal users lists its commands.\n')
  assert.equal(
    await refused(env, 'numbers', 'release'),
    'ramal: NUMBER is missing\nusage: ramal numbers release NUMBER\n',
  )
  const users = await ramal(env, 'users')
  assert.match(users, /ramal users add NAME[\s\S]*ramal users password/)
  assert.doesNotMatch(users, /ramal keys/)
  assert.match(await ramal(env, 'help'), /ramal users add NAME[\s\S]*ramal backup FILE/)
  assert.match(await ramal(env, 'users', 'add', '--help'), /^ramal users add NAME.*\n.*Add a user\.$/)
  assert.match(await refused(env, 'keys', 'add', '--user', 'nobody'), /User not found/)
  assert.match(await refused(env, 'keys', 'revoke', 'key_x'), /there is no key key_x/)
  assert.match(await refused(env, 'users', 'add', '--colour', 'red'), /colour/)
})

test('a reader that closes the pipe early ends a command without an error', async () => {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'help'], { env: { PATH: process.env.PATH, ...compiled } })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  assert.deepEqual([code, errors], [0, ''])
})

test('a backup of a running platform is complete, has no plaintext secrets, and restores to the same records', async () => {
  const config = await testConfig()
  const { app, ask } = await platform(config)
  const key = app.firstKey as string
  const headers = { Authorization: 'canary-of-a-tool' }
  const { json: tool } = await ask(key, '/api/tools', { name: 't', type: 'api_request', headers })
  for (let i = 0; i < 40; i++) await ask(key, '/api/agents', { name: `before ${i}`, systemPrompt: 'x' })

  const file = join(config.dataDir, 'backup.gz')
  let isDone = false
  const backup = ramal(envOf(config), 'backup', file).finally(() => {
    isDone = true
  })
  let during = 0
  for (; !isDone; during++)
    assert.equal((await ask(key, '/api/agents', { name: `during ${during}`, systemPrompt: 'x' })).status, 201)
  await backup
  assert.ok(during > 0, 'nothing was written during the backup')
  const text = gunzipSync(readFileSync(file)).toString()
  assert.ok(!text.includes('canary-of-a-tool') && !text.includes(key), 'a secret stands in the backup')

  const other = await testConfig({ DATABASE_URL: '' })
  const env = { ...envOf(other), DATA_DIR: other.dataDir }
  assert.match(await refused(env, 'restore', file, '--yes'), /master key/i)
  writeFileSync(join(other.dataDir, 'master.key'), readFileSync(join(config.dataDir, 'master.key')))
  assert.match(await refused(env, 'restore', file), /--yes/)
  await ramal(env, 'restore', file, '--yes')
  const restored = await platform(other)
  assert.equal(restored.app.firstKey, null)
  assert.deepEqual((await restored.ask(key, `/api/tools/${tool.id}`)).json, tool)
  const agents = (await restored.ask(key, '/api/agents')).json as { name: string }[]
  assert.equal(agents.filter((agent) => agent.name.startsWith('before')).length, 40)
})

test('a restore is refused while the platform runs; a truncated or invalid file changes nothing', async () => {
  const config = await testConfig()
  const { app, ask, close } = await platform(config)
  const key = app.firstKey as string
  await ask(key, '/api/agents', { name: 'stays', systemPrompt: 'x' })
  const file = join(config.dataDir, 'backup.gz')
  await ramal(envOf(config), 'backup', file)
  const whole = readFileSync(file)
  assert.match(await refused(envOf(config), 'restore', file, '--yes'), /running on this database.*stop it first/)
  await close()
  for (const broken of [whole.subarray(0, whole.length - 20), Buffer.from('not a backup'), Buffer.alloc(0)]) {
    writeFileSync(file, broken)
    await refused(envOf(config), 'restore', file, '--yes')
  }
  const again = await platform(config)
  assert.equal((await again.ask(key, '/api/agents')).json[0].name, 'stays')
})

test('master key rotation: both keys decrypt, then the new one is enough', async () => {
  const [older, newer] = ['an-old-master-key-of-32-characters!!', 'the-new-master-key-of-32-characters!']
  const config = await testConfig({ MASTER_KEY: older })
  const first = await platform(config)
  const key = first.app.firstKey as string
  const { json: tool } = await first.ask(key, '/api/tools', {
    name: 't',
    type: 'custom',
    headers: { 'X-Secret': 'canary' },
  })
  await first.close()
  const env = envOf(config)
  assert.match(await refused({ ...env, MASTER_KEY: newer }, 'rekey'), /master key/i)
  assert.match(await ramal({ ...env, MASTER_KEY: `${newer},${older}` }, 'rekey'), /^2 secrets/) // and the key of the suppressed numbers
  const second = await platform({ ...config, masterKeys: [newer] })
  assert.deepEqual((await second.ask(key, `/api/tools/${tool.id}`)).json, tool)
})
