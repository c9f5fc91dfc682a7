// Recordings in a real object store (OpenStack Swift): moved after the call, then read, ranged and deleted there.
import assert from 'node:assert/strict'
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import pino from 'pino'
import { atEnd, startTestApp, type TestApp, testConfig, usesPostgres } from '../../../test/app.ts'
import { goingOn } from '../../../test/call-rows.ts'
import {
  diskOf,
  download,
  metric,
  type RecordedCall,
  recordedCall,
  storeEnv,
  storeProblem,
} from '../../../test/stored-recordings.ts'
import { startSwift } from '../../../test/swift.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { diskIdOf } from '../../base/process/disk-id.ts'
import { recordingCommands } from '../../cli/recordings.ts'
import { removeUser } from '../../cli/users-remove.ts'
import { readWhole } from '../../object-storage/recording-source.ts'
import { s3Store } from '../../object-storage/s3-store.ts'
import { recordingFiles } from './recording-store.ts'

const swift = await startSwift()
atEnd(() => swift.stop())
const store = s3Store(swift.settings)
const env = storeEnv(swift.settings)
const never = new AbortController().signal
const log = pino({ level: 'silent' })

const uploaded = (call: RecordedCall) => until('the upload', () => !existsSync(call.path), 60_000)
const inStore = async ({ key }: RecordedCall) => (await store.sizeOf(key, never)) !== null

/** As `ramal recordings upload` runs it. */
async function uploadCommand({ database, config }: TestApp, settings = swift.settings): Promise<string[]> {
  const printed: string[] = []
  const context = {
    config: { ...config, objectStore: settings },
    database,
    print: (line: string) => void printed.push(line),
    options: {},
    subject: undefined,
    value: undefined,
    secrets: () => assert.fail(),
    masterKeys: () => assert.fail(),
  }
  await recordingCommands['recordings upload']?.run(context)
  return printed
}

test('a finished recording is moved to the store, sent from there whole and in ranges, and deleted with its call', async () => {
  const base = await startTestApp(env)
  const call = await recordedCall(base)
  const { id, wav } = call
  await uploaded(call)
  assert.equal(await store.sizeOf(call.key, never), wav.length)
  const whole = await download(base, id)
  assert.equal(whole.status, 200)
  assert.ok(whole.bytes.equals(wav))
  const part = await download(base, id, 'bytes=10-99')
  assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes 10-99/${wav.length}`])
  assert.ok(part.bytes.equals(wav.subarray(10, 100)))
  assert.equal((await download(base, id, `bytes=${wav.length}-`)).status, 416)
  assert.equal((await base.ana.delete(`/api/calls/${id}`)).status, 200)
  await until('the object is gone', async () => !(await inStore(call)))
  assert.equal((await download(base, id)).status, 404)
})

test('a rehearsal reads a recording from the store', async () => {
  const base = await startTestApp(env)
  const call = await recordedCall(base)
  await uploaded(call)
  const { open } = recordingFiles(base.config.dataDir, { disk: 'nod_another', nodeId: 'another', store })
  const source = await open({ file: call.key, disk: (await diskOf(base, call.id)) as string, nodeId: null })
  assert.ok(call.wav.equals(await readWhole(source)))
  await source.close()
})

test('a live call keeps its file, and another disk is left alone', async () => {
  const base = await startTestApp(env)
  const live = await recordedCall(base, { ...goingOn, recordingStatus: 'recording' })
  const ended = await recordedCall(base, { recordingStatus: 'recording' })
  const ahead = Date.now() / 1000 + 3600 // still being written: its process has not crashed
  utimesSync(ended.path, ahead, ahead)
  const elsewhere = await recordedCall(base, { recordingNode: 'nod_of_another_disk' })
  const finished = await recordedCall(base)
  await uploaded(finished)
  assert.ok(existsSync(live.path) && existsSync(ended.path) && existsSync(elsewhere.path))
})

test('a copy that was left on the disk after its upload is not sent', async () => {
  const base = await startTestApp(env)
  const call = await recordedCall(base)
  await uploaded(call)
  writeFileSync(call.path, 'an old copy')
  assert.ok((await download(base, call.id)).bytes.equals(call.wav))
})

test('a recording without its file is reported once, is not marked as uploaded, and stops no other', async () => {
  const base = await startTestApp(env)
  const elsewhere = { recordingNode: 'nod_of_another_disk' }
  const [lost, restored] = [await recordedCall(base, elsewhere), await recordedCall(base, elsewhere)]
  await store.putFile(restored.key, restored.path, never)
  for (const { path } of [lost, restored]) rmSync(path)
  const here = { recordingNode: diskIdOf(base.config.dataDir) }
  await base.database.db.updateTable('calls').set(here).where('id', 'in', [lost.id, restored.id]).execute()
  await until('it is counted', async () => (await metric(base, 'ramal_recordings_missing')) === 1)
  await uploaded(await recordedCall(base))
  await uploaded(await recordedCall(base))
  assert.equal(base.logs().split('the file of a recording is missing').length - 1, 1)
  assert.equal(await diskOf(base, lost.id), diskIdOf(base.config.dataDir))
  assert.equal((await download(base, lost.id)).status, 404)
  // A backup from before the upload was restored: the object is the recording.
  assert.ok((await download(base, restored.id)).bytes.equals(restored.wav))
  assert.equal(await diskOf(base, restored.id), 's3')
})

test('wrong keys, a wrong bucket or an address without a store: the platform starts, says so once, and keeps recordings', async () => {
  for (const [change, reason] of [
    [{ S3_ENDPOINT: 'http://127.0.0.1:9' }, 'unreachable'],
    [{ S3_SECRET_ACCESS_KEY: 'another-secret' }, 'denied'],
    [{ S3_BUCKET: 'no-such-bucket' }, 'no_bucket'],
  ] as const) {
    const base = await startTestApp({ ...env, ...change })
    const call = await recordedCall(base)
    await until('it is reported', async () => (await storeProblem(base)) === reason)
    assert.ok((await download(base, call.id)).bytes.equals(call.wav))
    assert.ok(existsSync(call.path))
    assert.equal(base.logs().split('object storage cannot be used').length - 1, 1)
    assert.ok(!base.logs().includes(swift.settings.secretAccessKey) && !base.logs().includes('another-secret'))
    assert.equal(await metric(base, 'ramal_object_storage_up'), 0)
    assert.equal(await metric(base, 'ramal_recording_uploads_pending'), 1)
    assert.equal(await metric(base, 'ramal_recording_uploads_pending_bytes'), call.wav.length)
    assert.ok((await metric(base, 'ramal_recording_uploads_oldest_seconds')) >= 20)
  }
})

test('ramal recordings upload moves what exists, also from before disks had ids, and says what is left', async () => {
  const base = await startTestApp()
  const [one, old] = [
    await recordedCall(base),
    await recordedCall(base, { recordingNode: null, recordingStatus: null }),
  ]
  const wrong = { ...swift.settings, secretAccessKey: 'another' }
  await assert.rejects(uploadCommand(base, wrong), /2 recordings are still on this disk \(denied\)/)
  assert.ok(existsSync(one.path) && existsSync(old.path))
  assert.deepEqual(await uploadCommand(base), ['2 recordings moved to object storage'])
  assert.ok(!existsSync(one.path) && !existsSync(old.path))
  assert.ok((await inStore(one)) && (await inStore(old)))
  assert.deepEqual(await uploadCommand(base), ['0 recordings moved to object storage'])
  // The settings were removed afterwards: nothing is lost, and the response says why the file is not sent.
  const refused = await download(base, one.id)
  assert.deepEqual([refused.status, refused.headers['x-error-code']], [503, 'recording_store_unavailable'])
})

test('ramal users remove deletes the objects of the user', async () => {
  const base = await startTestApp()
  const call = await recordedCall(base)
  await uploadCommand(base)
  const printed: string[] = []
  const config = { ...base.config, objectStore: swift.settings }
  const parts = { database: base.database, config, log, print: (line: string) => void printed.push(line) }
  await removeUser(parts, base.ana.userId)
  assert.deepEqual(printed, [`removed ${base.ana.userId}`])
  assert.equal(await inStore(call), false)
})

if (usesPostgres)
  test('with two nodes on one database and a DATA_DIR each, both send and delete what one has uploaded', async () => {
    const one = await startTestApp({ ...env, MASTER_KEY: 'the same master key on both nodes' })
    const { dataDir } = await testConfig()
    const two = await buildApp({ ...one.config, dataDir }, log)
    atEnd(() => two.close())
    const call = await recordedCall(one)
    await uploaded(call)
    const there = { app: two, ana: one.ana }
    const part = await download(there, call.id, 'bytes=100-2099')
    assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes 100-2099/${call.wav.length}`])
    assert.ok(part.bytes.equals(call.wav.subarray(100, 2100)))
    const removal = { method: 'DELETE', url: `/api/calls/${call.id}`, headers: { 'x-api-key': one.ana.key } } as const
    assert.equal((await two.http.inject(removal)).statusCode, 200)
    await until('the object is gone', async () => !(await inStore(call)))
  })
