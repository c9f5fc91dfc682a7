// A real object store behind a proxy that is slow, fails, is full or lies: nothing is lost, the fault is reported, and
// uploads resume afterwards.
// @run rest: an object store with every fault.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { test } from 'node:test'
import { assertError, atEnd, startTestApp, type TestApp } from '../../../test/app.ts'
import { type Fault, faultProxy, noFault } from '../../../test/store-faults.ts'
import {
  diskOf,
  download,
  metric,
  type RecordedCall,
  recordedCall,
  recordingUrl,
  storeEnv,
  storeProblem,
} from '../../../test/stored-recordings.ts'
import { startSwift } from '../../../test/swift.ts'
import { until } from '../../../test/until.ts'
import { addressOf } from '../../../test/web-caller.ts'
import { diskIdOf } from '../../base/process/disk-id.ts'
import { s3Store } from '../../object-storage/s3-store.ts'

const swift = await startSwift()
atEnd(() => swift.stop())
const store = s3Store(swift.settings)
const never = new AbortController().signal
const BOUND_MS = 60_000

async function appBehindProxy() {
  const proxy = await faultProxy(swift.settings.endpoint)
  const base = await startTestApp(storeEnv({ ...swift.settings, endpoint: proxy.endpoint }))
  return { base, proxy }
}

const uploaded = (call: RecordedCall) => until('the upload', () => !existsSync(call.path), BOUND_MS)

async function assertKept(base: TestApp, call: RecordedCall): Promise<void> {
  assert.ok(existsSync(call.path))
  assert.equal(await diskOf(base, call.id), diskIdOf(base.config.dataDir))
  assert.ok((await download(base, call.id)).bytes.equals(call.wav))
}

async function assertStored(call: RecordedCall): Promise<void> {
  const stream = await store.read(call.key, { start: 0, end: call.wav.length - 1 }, never)
  assert.ok(call.wav.equals(Buffer.concat((await stream?.toArray()) ?? [])))
}

const isUpload = (req: { method?: string; url?: string }) => req.method === 'PUT' && req.url?.includes('.wav')
const altered = (body: Buffer) => Buffer.from(body.map((byte, i) => (i === 100 ? byte ^ 1 : byte)))

const faults: [name: string, reason: string, fault: Fault][] = [
  ['answers 503', 'failed', (_req, _body, { fail }) => fail(503, 'SlowDown')],
  ['resets connections', 'unreachable', (_req, _body, { cut }) => cut()],
  ['has no space', 'full', (req, body, { fail, pass }) => (isUpload(req) ? fail(507) : pass(body))],
  [
    'has a full quota',
    'full',
    (req, body, { fail, pass }) => (isUpload(req) ? fail(403, 'QuotaExceeded') : pass(body)),
  ],
  ['stores other bytes', 'wrong_content', (req, body, { pass }) => pass(isUpload(req) ? altered(body) : body)],
  [
    'stores nothing and says that it did',
    'wrong_content',
    (req, body, { pass, fail }) => (isUpload(req) ? fail(200) : pass(body)),
  ],
  ['takes no more keys', 'denied', (_req, _body, { fail }) => fail(403, 'InvalidAccessKeyId')],
]

for (const [name, reason, fault] of faults)
  test(`a store that ${name}: the file stays and is sent, it is reported once, and moved afterwards`, async () => {
    const { base, proxy } = await appBehindProxy()
    await until('the store was tested', () => base.logs().includes('recordings are moved to object storage'))
    proxy.fault = fault
    const call = await recordedCall(base)
    await until('it is reported', async () => (await storeProblem(base)) === reason)
    await assertKept(base, call)
    assert.equal(await metric(base, 'ramal_recording_uploads_pending'), 1)
    proxy.fault = noFault
    await uploaded(call)
    await assertStored(call)
    assert.equal(await diskOf(base, call.id), 's3')
    assert.equal(await storeProblem(base), undefined)
    const reports = base.logs().match(/object storage cannot be used|failed to upload a recording/g)
    assert.equal(reports?.length, 1)
  })

test('a slow store: the recording is sent from the disk meanwhile, and a call deleted during the upload leaves nothing', async () => {
  const { base, proxy } = await appBehindProxy()
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  proxy.fault = (req, body, { pass }) => {
    if (!isUpload(req)) return pass(body)
    arrived.resolve()
    void released.promise.then(() => pass(body))
  }
  const [kept, deleted] = [await recordedCall(base), await recordedCall(base)]
  await arrived.promise
  await assertKept(base, kept)
  assert.equal((await base.ana.delete(`/api/calls/${deleted.id}`)).status, 200)
  await until('its file is gone', () => !existsSync(deleted.path))
  released.resolve()
  proxy.fault = noFault
  await uploaded(kept)
  await assertStored(kept)
  await until('its object is gone', async () => {
    const rows = await base.database.db.selectFrom('recordingRemovals').select('file').execute()
    return rows.length === 0 && (await store.sizeOf(deleted.key, never)) === null
  })
})

test('an outage while recordings are deleted: they are deleted afterwards', async () => {
  const { base, proxy } = await appBehindProxy()
  const calls = [await recordedCall(base), await recordedCall(base)]
  for (const call of calls) await uploaded(call)
  proxy.fault = (_req, _body, { fail }) => fail(503)
  for (const { id } of calls) assert.equal((await base.ana.delete(`/api/calls/${id}`)).status, 200)
  await until('it is reported', async () => (await storeProblem(base)) === 'failed')
  assert.equal(await metric(base, 'ramal_recording_removals_pending_object_storage'), 2)
  proxy.fault = noFault
  for (const { key } of calls)
    await until('the object is gone', async () => (await store.sizeOf(key, never)) === null, BOUND_MS)
})

test('while the store is down, its recordings answer 503 with Retry-After', async () => {
  const { base, proxy } = await appBehindProxy()
  const call = await recordedCall(base)
  await uploaded(call)
  const faultsOfReads: Fault[] = [
    (_req, _body, { fail }) => fail(503),
    (_req, _body, { cut }) => cut(),
    (req, body, { fail, pass }) => (req.method === 'GET' ? fail(500) : pass(body)),
  ]
  for (const fault of faultsOfReads) {
    proxy.fault = fault
    const refused = await base.ana.get(recordingUrl(call.id))
    assertError(refused, 503, /object storage/)
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
  }
  proxy.fault = noFault
  assert.ok((await download(base, call.id)).bytes.equals(call.wav))
})

test('a client that leaves ends the request to the store, and a store that breaks off ends the response', async () => {
  const { base, proxy } = await appBehindProxy()
  const call = await recordedCall(base, {}, 40_000)
  await uploaded(call)
  const url = `${await addressOf(base)}${recordingUrl(call.id)}`
  const start = async () => {
    const request = get(url, { headers: { 'x-api-key': base.ana.key } })
    request.once('error', () => {})
    const [response] = await once(request, 'response')
    return { request, response }
  }
  proxy.fault = (req, body, { stall, pass }) => (req.method === 'GET' ? stall(1000) : pass(body))
  const { request, response } = await start()
  await once(response, 'data')
  const aborted = proxy.nextAbort()
  request.destroy()
  await aborted
  proxy.fault = (req, body, { cut, pass }) => (req.method === 'GET' ? cut(1000) : pass(body))
  const broken = await start()
  assert.equal(broken.response.statusCode, 200)
  await assert.rejects(broken.response.toArray())
})
