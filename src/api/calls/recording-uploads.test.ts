// Recordings in a real object store (OpenStack Swift): moved after the call, read, ranged and deleted there, and kept on the disk while the
// store is away.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { anAgent, startTestApp, type TestApp } from '../../../test/app.ts'
import { goingOn, putCall, putRecording } from '../../../test/call-rows.ts'
import { startSwift } from '../../../test/swift.ts'
import { until } from '../../../test/until.ts'
import { diskIdOf } from '../../base/disk-id.ts'
import { s3Store } from '../../storage/s3-store.ts'

const swift = await startSwift()
after(() => swift.stop())
const store = s3Store(swift.settings)
const never = new AbortController().signal

const env = {
  S3_ENDPOINT: swift.settings.endpoint,
  S3_BUCKET: swift.settings.bucket,
  S3_ACCESS_KEY_ID: swift.settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: swift.settings.secretAccessKey,
}

async function recordedCall({ ana, config, database }: TestApp, more: object = {}) {
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const recordingNode = diskIdOf(config.dataDir)
  const { id } = await putCall(database.db, {
    ...{ userId: ana.userId, agentId: agent.id as string, recordingNode, recordingStatus: 'complete' },
    ...more,
  })
  const recording = `${id}.wav`
  const wav = putRecording(config.dataDir, recording)
  await database.db.updateTable('calls').set({ recording }).where('id', '=', id).execute()
  return { id, wav, path: join(config.dataDir, 'recordings', recording), key: recording }
}

const url = (id: string) => `/api/gateway/calls/recordings/${id}`

async function download({ app, ana }: TestApp, id: string, range?: string) {
  const headers = { 'x-api-key': ana.key, ...(range ? { range } : {}) }
  const { statusCode, rawPayload, headers: told } = await app.http.inject({ method: 'GET', url: url(id), headers })
  return { status: statusCode, bytes: rawPayload, told }
}

test('a finished recording is moved to the store, sent from there whole and in ranges, and deleted with its call', async () => {
  const base = await startTestApp(env)
  const { id, wav, path, key } = await recordedCall(base)
  await until('the upload', () => !existsSync(path))
  assert.equal(await store.sizeOf(key, never), wav.length)
  const whole = await download(base, id)
  assert.equal(whole.status, 200)
  assert.ok(whole.bytes.equals(wav))
  const part = await download(base, id, 'bytes=10-99')
  assert.deepEqual([part.status, part.told['content-range']], [206, `bytes 10-99/${wav.length}`])
  assert.ok(part.bytes.equals(wav.subarray(10, 100)))
  assert.equal((await base.ana.delete(`/api/calls/${id}`)).status, 200)
  await until('the object is gone', async () => (await store.sizeOf(key, never)) === null)
})

test('a live call keeps its file, and another disk is left alone', async () => {
  const base = await startTestApp(env)
  const live = await recordedCall(base, { ...goingOn, recordingStatus: 'recording' })
  const elsewhere = await recordedCall(base, { recordingNode: 'nod_of_another_disk' })
  const moved = await recordedCall(base)
  await until('the upload', () => !existsSync(moved.path))
  assert.ok(existsSync(live.path) && existsSync(elsewhere.path))
})

test('while the store is away recordings stay on the disk and are served; afterwards they are moved', async () => {
  const base = await startTestApp({ ...env, S3_ENDPOINT: 'http://127.0.0.1:9' })
  const { id, wav, path } = await recordedCall(base)
  await until(
    'it is reported',
    async () => (await base.anonymous({ url: '/readyz' })).json?.objectStorage === 'unreachable',
  )
  assert.ok((await download(base, id)).bytes.equals(wav))
  assert.ok(existsSync(path))
  assert.ok(base.logs().includes('object storage cannot be used'))
  assert.ok(!base.logs().includes(env.S3_SECRET_ACCESS_KEY))
})

test('wrong keys stop nothing: the platform starts and says so', async () => {
  const base = await startTestApp({ ...env, S3_SECRET_ACCESS_KEY: 'another' })
  await until('it is reported', async () => (await base.anonymous({ url: '/readyz' })).json?.objectStorage === 'denied')
})

test('a copy that was left on the disk after its upload is no recording of another', async () => {
  const base = await startTestApp(env)
  const { id, path, wav } = await recordedCall(base)
  await until('the upload', () => !existsSync(path))
  writeFileSync(path, 'an old copy')
  assert.ok((await download(base, id)).bytes.equals(wav))
})
