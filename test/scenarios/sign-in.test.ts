// Signing in from an operator's point of view: what the start prints, and a forgotten password on the command line.
// @run sqlite
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { masterKeys } from '../../src/base/crypto/master-key.ts'
import { keyRing } from '../../src/base/crypto/secrets.ts'
import { removeSecondFactor, setPassword } from '../../src/cli/users-password.ts'
import { writeBackup } from '../../src/db/backup.ts'
import { secondFactors } from '../../src/features/auth/second-factor-store.ts'
import { codeAt, stepAt } from '../../src/features/auth/totp.ts'
import { userStore } from '../../src/features/users/store.ts'
import { atEnd, startTestApp } from '../app.ts'
import { browserOf, signedIn } from '../browser-client.ts'
import { compiled, newDataDir, startService } from '../service.ts'

type Ran = { code: number | null; output: string }

/** Runs a program with this standard input. */
function run(words: string[], env: Record<string, string>, input = '', cwd = process.cwd()): Promise<Ran> {
  const child = spawn(process.execPath, words, { cwd, env: { PATH: process.env.PATH, ...compiled, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  child.stdin.on('error', () => {}) // it may exit without reading
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

test('the command line sets a forgotten password, and all sessions end', async () => {
  const base = await startTestApp()
  const { config, database } = base
  const env = {
    DATA_DIR: config.dataDir,
    ...(config.database.kind === 'postgres' ? { DATABASE_URL: config.database.url } : {}),
  }
  /** Runs the command without a process of its own. */
  const refused = (input: string, user: string, email: string | undefined, message: RegExp) =>
    assert.rejects(
      setPassword(
        { database, input: Readable.from([input]) as NodeJS.ReadStream, output: process.stdout },
        { user, email },
      ),
      message,
    )
  const ana = await signedIn(base, base.ana.key)
  await refused('long enough\n', 'nobody', undefined, /User not found/)
  await refused('long enough\n', base.ana.userId, undefined, /add --email/)
  await refused('long enough\n', base.ana.userId, 'ana', /not an e-mail/)
  await refused('short\n', base.ana.userId, 'ana@example.com', /10 to 256/)
  await refused('', base.ana.userId, 'ana@example.com', /no password on standard input/)
  assert.equal((await ana.get('/api/agents')).status, 200)

  const command = ['src/cli/main.ts', 'users', 'password', base.ana.userId, '--email', 'Ana@Example.com']
  const set = await run(command, env, 'a zebra in the night\n')
  assert.equal(set.code, 0, set.output)
  assert.match(set.output, /signs in as ana@example\.com/)
  assert.ok(!set.output.includes('zebra'))
  assert.equal((await ana.get('/api/agents')).status, 401)
  await refused('long enough\n', base.bia.userId, 'ANA@example.com', /Another user/)

  const browser = browserOf(base)
  assert.equal((await browser.get('/auth/session')).json.needsSetup, false)
  const login = { email: 'ana@example.com', password: 'a zebra in the night' }
  assert.equal((await browser.post('/auth/login', login)).status, 200)
  const file = join(config.dataDir, 'backup.gz')
  await writeBackup(database.db, file)
  const text = gunzipSync(readFileSync(file)).toString()
  assert.ok(text.includes('scrypt:') && !text.includes('zebra'))
  assert.ok(!text.includes('"table":"sessions"'), 'what was ended since would be open again')
  const users = JSON.stringify(await userStore(database.db).list())
  assert.ok(users.includes('ana@example.com') && !users.includes('scrypt'))
  assert.equal((await database.db.selectFrom('sessions').select('id').execute()).length, 1)
})

test('the command line removes a lost second factor, and all sessions end', async () => {
  const base = await startTestApp()
  const { config, database } = base
  const ring = keyRing(masterKeys(config.masterKeys, config.dataDir))
  const factors = secondFactors(database.db, ring)
  const ana = await signedIn(base, base.ana.key)
  const remove = () => removeSecondFactor(database, ring, base.ana.userId)
  await assert.rejects(remove(), /has no second factor/)
  const secret = await factors.begin(base.ana.userId)
  await assert.rejects(remove(), /has no second factor/, 'one that was only begun')
  await assert.rejects(factors.confirm(base.ana.userId, codeAt(secret, stepAt(Date.now()))), /not begun/)
  const again = await factors.begin(base.ana.userId)
  assert.equal((await factors.confirm(base.ana.userId, codeAt(again, stepAt(Date.now()))))?.length, 10)
  const env = {
    DATA_DIR: config.dataDir,
    ...(config.database.kind === 'postgres' ? { DATABASE_URL: config.database.url } : {}),
  }
  const { code, output } = await run(['src/cli/main.ts', 'users', 'remove-second-factor', base.ana.userId], env)
  assert.equal(code, 0, output)
  assert.match(output, /with the password alone/)
  assert.equal(await factors.isOn(base.ana.userId), false)
  assert.equal((await ana.get('/api/agents')).status, 401)
})

test('the setup code is printed with the address until the first password is set', async () => {
  const dataDir = newDataDir()
  const first = await startService(dataDir, {})
  const code = /asks for this code: ([2-9A-Z]{5}-[2-9A-Z]{5})/
  const shown = async (service: typeof first) => {
    const { needsSetup } = (await (await fetch(`${service.url}/auth/session`)).json()) as { needsSetup: boolean }
    return { needsSetup, code: code.exec(service.output())?.[1] }
  }
  const before = await shown(first)
  assert.equal(before.needsSetup, true)
  assert.ok(before.code, first.output())
  const answer = await fetch(`${first.url}/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify({ email: 'ana@example.com', password: 'a zebra in the night', setupCode: before.code }),
  })
  assert.equal(answer.status, 200, await answer.text())
  await first.kill('SIGTERM')
  const second = await startService(dataDir, {})
  assert.deepEqual(await shown(second), { needsSetup: false, code: undefined })
  await second.kill('SIGTERM')
})

test('a failed dashboard build is reported, and the start continues', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-build-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['src/config', 'web']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['package.json', 'web/build-when-missing.ts', ...globSync('src/config/*.ts')])
    cpSync(name, join(folder, name))
  const words = ['web/build-when-missing.ts']
  const { code, output } = await run(words, {}, '', folder)
  assert.equal(code, 0, output)
  assert.match(output, /building the dashboard[\s\S]*dashboard build failed: its build tools are not installed/)
  assert.deepEqual(await run(words, { WEB: 'off' }, '', folder), { code: 0, output: '' })
})
