// Files of removed recordings are deleted by the node that has them, whichever node removed the call, with retries.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { anAgent, atEnd, startTestApp, type TestApp, testConfig, usesPostgres } from '../../../test/app.ts'
import { goingOn, putCall, putRecording } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { diskIdOf } from '../../base/process/disk-id.ts'
import { openDatabase } from '../../db/database.ts'
import { fileRemover, OBJECT_STORE } from './recording-store.ts'
import { recordingRemovals } from './removal-queue.ts'
import { recordingSweep } from './sweep-store.ts'

const log = pino({ level: 'silent' })
const isThere = (dataDir: string, name: string) => existsSync(join(dataDir, 'recordings', name))
const metric = async ({ app }: TestApp, name: string) => {
  const { payload } = await app.http.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(payload)?.[1])
}

async function owned(base: TestApp) {
  const { json: agent } = await base.ana.post('/api/agents', anAgent)
  return { userId: base.ana.userId, agentId: agent.id as string }
}

function otherDisk() {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-test-'))
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  return { dataDir, node: diskIdOf(dataDir) }
}

test('a call deleted through one node leaves its recording to the node that has the file', async () => {
  const base = await startTestApp()
  const { ana, config, database } = base
  const there = otherDisk()
  putRecording(config.dataDir, 'same-name.wav')
  putRecording(there.dataDir, 'same-name.wav')
  const call = { ...(await owned(base)), recording: 'same-name.wav', recordingNode: there.node }
  const { id } = await putCall(database.db, call)
  assert.equal((await ana.delete(`/api/calls/${id}`)).status, 200)
  assert.equal(await metric(base, 'ramal_recording_removals_pending_elsewhere'), 1)
  const remove = fileRemover(there.dataDir)
  assert.equal(await recordingRemovals({ db: database.db, node: there.node, remove, log }).work(), 1)
  assert.equal(isThere(there.dataDir, 'same-name.wav'), false)
  assert.ok(isThere(config.dataDir, 'same-name.wav'), 'a file of that name on another disk is another file')
  assert.equal(await metric(base, 'ramal_recording_removals_pending_elsewhere'), 0)
})

if (usesPostgres)
  test('with two nodes on one database and a DATA_DIR each, either may delete a call or an agent, and no file is left', async () => {
    const one = await startTestApp({ MASTER_KEY: 'the same master key on both nodes' })
    const { dataDir } = await testConfig()
    const two = await buildApp({ ...one.config, dataDir }, log)
    atEnd(() => two.close())
    const byTwo = (url: string) => two.http.inject({ method: 'DELETE', url, headers: { 'x-api-key': one.ana.key } })
    const owner = await owned(one)
    const names = ['call.wav', 'agent-1.wav', 'agent-2.wav']
    const ids: string[] = []
    for (const recording of names) {
      putRecording(one.config.dataDir, recording)
      const recordingNode = diskIdOf(one.config.dataDir)
      ids.push((await putCall(one.database.db, { ...owner, recording, recordingNode })).id)
    }
    assert.equal((await byTwo(`/api/calls/${ids[0]}`)).statusCode, 200)
    assert.equal((await byTwo(`/api/agents/${owner.agentId}`)).statusCode, 200)
    await until('the other node has deleted all', () => !names.some((name) => isThere(one.config.dataDir, name)))
  })

test('deleting a file is retried until it succeeds; the removal is acknowledged at once', async () => {
  const base = await startTestApp()
  const { ana, config, database } = base
  const { id } = await putCall(database.db, { ...(await owned(base)), recording: 'stuck.wav' })
  const path = join(config.dataDir, 'recordings', 'stuck.wav')
  mkdirSync(path, { recursive: true }) // a folder cannot be deleted like a file
  assert.equal((await ana.delete(`/api/calls/${id}`)).status, 200)
  const entry = () => database.db.selectFrom('recordingRemovals').selectAll().executeTakeFirst()
  await until('it was tried', async () => ((await entry())?.tries ?? 0) > 0)
  assert.ok((await entry())?.error)
  assert.equal(await metric(base, 'ramal_recording_removals_pending'), 1)
  assert.match(base.logs(), /failed to delete a recording/)
  rmSync(path, { recursive: true })
  writeFileSync(path, 'x')
  await until('it is deleted', async () => !existsSync(path) && (await entry()) === undefined)
})

test('two nodes that see the same entries delete each file once', async () => {
  const { db } = (await startTestApp()).database
  const at = new Date().toISOString()
  const entry = { node: 'shared', tries: 0, dueAt: at, error: null, createdAt: at }
  const files = ['one.wav', 'two.wav', 'three.wav']
  await db
    .insertInto('recordingRemovals')
    .values(files.map((file) => ({ ...entry, file })))
    .execute()
  const asked: string[] = []
  const atStore = Promise.withResolvers<void>()
  const remove = async (file: string) => {
    asked.push(file)
    await atStore.promise
  }
  const one = recordingRemovals({ db, node: 'shared', remove, log }).work()
  await until('the first is being deleted', () => asked.length === 1)
  const two = recordingRemovals({ db, node: 'shared', remove, log }).work()
  await until('the other node deletes another', () => asked.length === 2)
  atStore.resolve()
  assert.equal((await one) + (await two), files.length)
  assert.deepEqual(asked.toSorted(), files.toSorted())
})

test('files queued for deletion when the process crashed are deleted after the next start', async () => {
  const first = await startTestApp()
  const { config } = first
  const dueAt = new Date().toISOString()
  await first.app.close()
  putRecording(config.dataDir, 'left.wav')
  const entry = { node: diskIdOf(config.dataDir), file: 'left.wav', tries: 0, dueAt, error: null, createdAt: dueAt }
  const between = await openDatabase(config.database, () => {})
  await between.db.insertInto('recordingRemovals').values(entry).execute()
  await between.close()
  const again = await buildApp(config, log)
  atEnd(() => again.close())
  await until('it is deleted', () => !isThere(config.dataDir, 'left.wav'))
})

test('processes that share a DATA_DIR share a node id; another folder has another', async () => {
  const { dataDir, node } = otherDisk()
  assert.equal(diskIdOf(dataDir), node)
  assert.notEqual(otherDisk().node, node)
  writeFileSync(join(dataDir, 'node-id'), '../../etc')
  assert.throws(() => diskIdOf(dataDir), /does not hold a node id/)
})

test('the sweep deletes old files that no call names, a bounded number per round, and no others', async () => {
  const base = await startTestApp()
  const { db } = base.database
  const { dataDir } = otherDisk() // the app sweeps its own folder at startup
  const owner = await owned(base)
  await db.updateTable('users').set({ createdAt: '2020-01-01T00:00:00.000Z' }).execute()
  const put = (name: string, hoursAgo: number) => {
    putRecording(dataDir, name)
    const at = Date.now() / 1000 - hoursAgo * 3600
    utimesSync(join(dataDir, 'recordings', name), at, at)
  }
  for (const name of ['left-1.wav', 'left-2.wav', 'left-3.wav', 'named.wav', 'notes.txt']) put(name, 2)
  put('young.wav', 0.5)
  await putCall(db, { ...owner, recording: 'named.wav' })
  put('uploaded.wav', 2) // left by a crash after its upload
  await putCall(db, { ...owner, recording: 'uploaded.wav', recordingNode: OBJECT_STORE })
  const live = await putCall(db, { ...owner, ...goingOn }) // its recording is not stored in the row yet
  put(`${live.id}.wav`, 2)
  const sweep = recordingSweep({ db, dataDir, log, mostDeleted: 2 })
  assert.equal(await sweep(), 2)
  assert.equal(await sweep(), 2)
  assert.equal(await sweep(), 0)
  for (const name of ['named.wav', 'notes.txt', 'young.wav', `${live.id}.wav`]) assert.ok(isThere(dataDir, name), name)
  assert.ok(!isThere(dataDir, 'left-1.wav') && !isThere(dataDir, 'uploaded.wav'))
})

test('the sweep skips files older than the database or its restore, and the folder of another database', async () => {
  const base = await startTestApp()
  const { db } = base.database
  const { dataDir } = otherDisk() // the app sweeps its own folder at startup
  const at = Date.now() / 1000 - 7200
  putRecording(dataDir, 'older.wav')
  utimesSync(join(dataDir, 'recordings', 'older.wav'), at, at)
  const sweep = recordingSweep({ db, dataDir, log })
  assert.equal(await sweep(), 0, 'the database is younger')
  await db.updateTable('users').set({ createdAt: '2020-01-01T00:00:00.000Z' }).execute()
  await db.insertInto('meta').values({ name: 'restored-at', value: new Date().toISOString() }).execute()
  assert.equal(await sweep(), 0, 'the database was restored since')
  await db.deleteFrom('meta').where('name', '=', 'restored-at').execute()
  writeFileSync(join(dataDir, 'database-id'), 'dba_of_another')
  assert.equal(await sweep(), 0, 'the folder serves another database')
  rmSync(join(dataDir, 'database-id'))
  assert.equal(await sweep(), 1)
})
