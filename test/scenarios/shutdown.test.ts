// Startup, shutdown, and dependencies that fail meanwhile: with real processes and real servers.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../src/config/load.ts'
import { openDatabase } from '../../src/db/database.ts'
import { atEnd, newPostgresDatabase, usesPostgres } from '../app.ts'
import { startPostgres } from '../servers.ts'
import { ask, NotStarted, newDataDir, type Service, startService } from '../service.ts'
import { until } from '../until.ts'

const newKey = () => randomBytes(24).toString('hex')

const databaseOfRun = async (): Promise<Record<string, string>> =>
  usesPostgres ? { DATABASE_URL: await newPostgresDatabase() } : {}

const open = (service: Service): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })

const refusesConnections = (service: Service) => () =>
  open(service).then(
    (socket) => {
      socket.destroy()
      return false
    },
    () => true,
  )

test('SIGTERM finishes responses in progress, accepts no new requests, and exits with 0', async () => {
  const key = newKey()
  const service = await startService(newDataDir(), { BOOTSTRAP_API_KEY: key, ...(await databaseOfRun()) })
  const [count, agent] = [400, { name: 'long', systemPrompt: 'x'.repeat(60_000) }]
  for (let made = 0; made < count; made += 20)
    await Promise.all(Array.from({ length: 20 }, () => ask(`${service.url}/api/agents`, key, 'POST', agent)))

  const reader = await open(service)
  reader.write(`GET /api/agents HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`) // requests keep-alive
  const chunks: Buffer[] = []
  reader.on('data', (chunk) => chunks.push(chunk))
  await new Promise((resolve) => reader.once('data', resolve))
  reader.pause()
  service.process.kill('SIGTERM')
  await until('no new connection is taken', refusesConnections(service))
  assert.equal(service.process.exitCode, null, 'it left while an answer was being read')
  reader.resume()
  await new Promise((resolve) => reader.once('close', resolve))

  const text = Buffer.concat(chunks).toString()
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
  assert.ok(text.length > count * agent.systemPrompt.length, 'the list was cut short')
  assert.ok(text.endsWith(']\r\n0\r\n\r\n'), `the list was cut short: …${text.slice(-40)}`)
  assert.deepEqual(await service.ended, { code: 0, signal: null })
})

test('two signals end a process whose log nobody reads any more', async () => {
  const env = { LOG_LEVEL: 'info', BOOTSTRAP_API_KEY: newKey(), ...(await databaseOfRun()) }
  const service = await startService(newDataDir(), env)
  service.process.stdout?.destroy()
  service.process.kill('SIGTERM')
  service.process.kill('SIGINT')
  const { signal } = await service.ended
  assert.equal(signal, null, 'it had to be killed')
})

test('clients that send half a header delay neither other clients nor shutdown', async () => {
  const key = newKey()
  const service = await startService(newDataDir(), { BOOTSTRAP_API_KEY: key, ...(await databaseOfRun()) })
  const slow = await Promise.all(Array.from({ length: 300 }, () => open(service)))
  for (const [n, socket] of slow.entries()) {
    socket.on('error', () => {})
    if (n % 3 === 0) socket.write('GET /api/agents HTTP/1.1\r\nHost: x\r\nX-Api-')
    if (n % 3 === 1)
      socket.write(
        `POST /api/agents HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"name":`,
      )
  }
  for (let n = 0; n < 20; n++) {
    const { status } = await ask(`${service.url}/api/agents`, key, 'GET')
    assert.equal(status, 200)
  }
  assert.deepEqual(await service.kill('SIGTERM'), { code: 0, signal: null }, 'an end that took too long has code 1')
  for (const socket of slow) socket.destroy()
})

test('a start with the wrong master key is refused with a clear message', async () => {
  const [dataDir, env] = [newDataDir(), await databaseOfRun()]
  const [first, other] = [`first-${newKey()}`, `other-${newKey()}`]
  const service = await startService(dataDir, { ...env, MASTER_KEY: first })
  assert.deepEqual(await service.kill('SIGTERM'), { code: 0, signal: null })
  await assert.rejects(startService(dataDir, { ...env, MASTER_KEY: other }), (error) => {
    assert.ok(error instanceof NotStarted)
    assert.equal(error.ending.code, 1)
    assert.match(error.output, /^ramal: The master key does not open the secrets that are stored in this database/)
    assert.ok(!error.output.includes(other) && !error.output.includes('    at '), error.output)
    return true
  })
  const rotated = await startService(dataDir, { ...env, MASTER_KEY: `${other},${first}` })
  assert.deepEqual(await rotated.kill('SIGTERM'), { code: 0, signal: null })
})

test('53 the first API key is printed once, and works after a restart', async () => {
  const [dataDir, env] = [newDataDir(), await databaseOfRun()]
  const first = await startService(dataDir, env)
  const key = /^ {2}(\S+)$/m.exec(first.output())?.[1]
  assert.ok(key, first.output())
  await first.kill('SIGTERM')
  const second = await startService(dataDir, env)
  assert.ok(!second.output().includes(key))
  assert.equal((await ask(`${second.url}/api/agents`, key, 'GET')).status, 200)
  assert.deepEqual(await second.kill('SIGINT'), { code: 0, signal: null })
})

if (usesPostgres) {
  test('5, 136 requests get 503 at once while PostgreSQL is away, and succeed when it is back', async () => {
    let postgres = await startPostgres()
    atEnd(() => postgres.stop())
    const key = newKey()
    const env = { BOOTSTRAP_API_KEY: key, MASTER_KEY: newKey(), DATABASE_URL: postgres.url }
    const service = await startService(newDataDir(), env)
    // At this log level it logs why it refused each request; without it some reads take a shortcut.
    const telling = await startService(newDataDir(), { ...env, LOG_LEVEL: 'debug' })
    const agents = `${service.url}/api/agents`
    const body = { name: 'Ana', systemPrompt: 'You are kind.' }
    const before = await ask(agents, key, 'POST', body)
    assert.equal(before.status, 201)
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      await postgres.stop(signal, 'keep')
      for (let n = 0; n < 3; n++) {
        const answers = [service, telling].flatMap(({ url }) => [
          ask(`${url}/api/agents`, key, 'GET'),
          ask(`${url}/api/agents`, key, 'POST', body),
          ask(`${url}/readyz`, undefined, 'GET'),
        ])
        for (const [i, { status, text, headers }] of (await Promise.all(answers)).entries()) {
          assert.equal(status, 503, text)
          assert.deepEqual(Object.keys(JSON.parse(text)), ['statusCode', 'error', 'message'])
          if (i < 3) continue
          const reason = await until('the reason is logged', () => refusalOf(telling, headers.get('x-request-id')))
          assert.match(reason, gone, 'a time limit had to pass first')
        }
      }
      assert.equal((await ask(`${service.url}/healthz`, undefined, 'GET')).status, 200)
      postgres = await startPostgres(postgres.place)
      await until('it is ready', async () => (await ask(`${service.url}/readyz`, undefined, 'GET')).status === 200)
      assert.equal((await ask(agents, key, 'GET')).text, `[${before.text}]`)
    }
    assert.equal((await ask(agents, key, 'POST', body)).status, 201)
    for (const each of [service, telling]) assert.deepEqual(await each.kill('SIGTERM'), { code: 0, signal: null })
  })

  test('53 two processes that start together on an empty database create one user and one key', async () => {
    const given = { MASTER_KEY: newKey() }
    const folder = newDataDir()
    for (const [dirs, env] of [
      [[newDataDir(), newDataDir()], given],
      [[newDataDir(), newDataDir()], { ...given, BOOTSTRAP_API_KEY: newKey() }],
      [[folder, folder], {}], // one folder for both: they must also agree on the master key that one of them creates
    ] as const) {
      const all = { ...env, DATABASE_URL: await newPostgresDatabase({ isMigrated: false }) }
      const services = await Promise.all(dirs.map((dir) => startService(dir, all)))
      const shown = services.flatMap((service) => /^ {2}(\S+)$/m.exec(service.output())?.[1] ?? [])
      assert.equal(shown.length, 'BOOTSTRAP_API_KEY' in env ? 0 : 1, 'keys shown')
      const [key = newKey()] = 'BOOTSTRAP_API_KEY' in env ? [env.BOOTSTRAP_API_KEY] : shown
      for (const { url } of services) assert.equal((await ask(`${url}/api/agents`, key, 'GET')).status, 200)
      const { db, close } = await openDatabase(readConfig(all).database, () => {})
      assert.equal((await db.selectFrom('users').select('id').execute()).length, 1)
      assert.equal((await db.selectFrom('apiKeys').select('id').execute()).length, 1)
      await close()
      for (const service of services) assert.deepEqual(await service.kill('SIGTERM'), { code: 0, signal: null })
    }
  })

  test('a node serves a database one schema step ahead, and refuses one further ahead with the reason', async () => {
    const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: 'k'.repeat(40) }
    const service = await startService(newDataDir(), env)
    await service.kill('SIGTERM')
    const client = new pg.Client(env.DATABASE_URL)
    await client.connect()
    await client.query(`insert into migrations (name, "appliedAt") values ('9998-next', '')`)
    const previous = await startService(newDataDir(), env)
    assert.equal((await ask(`${previous.url}/readyz`, undefined, 'GET')).status, 200)
    await previous.kill('SIGTERM')
    await client.query(`insert into migrations (name, "appliedAt") values ('9999-later', '')`)
    await client.end()
    await assert.rejects(
      startService(newDataDir(), env),
      /ramal: The database is 2 schema steps ahead of this release \(9998-next, 9999-later\), which supports one/,
    )
  })
}

/** Errors of PostgreSQL or the system when the server is gone, as opposed to an expired timeout. */
const gone = /ECONNREFUSED|ECONNRESET|EPIPE|connection terminated|terminating connection|shutting down|not queryable/i

/** Why a request was refused, read from the log. */
function refusalOf(service: Service, requestId: string | null): string | undefined {
  const line = service
    .output()
    .split('\n')
    .find((each) => each.endsWith('"request failed"}') && each.includes(`"${requestId}"`))
  if (!line) return undefined
  const { err } = JSON.parse(line)
  return `${err.code ?? ''} ${err.message}`
}
