// The S3 store against a real one (OpenStack Swift), and against a proxy that fails in the ways a store does.
// @run rest
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Fault, faultProxy } from '../../test/store-faults.ts'
import { startSwift } from '../../test/swift.ts'
import type { ObjectStore } from './object-store.ts'
import { s3Store } from './s3-store.ts'

const swift = await startSwift()
after(() => swift.stop())
const store = s3Store(swift.settings)
const folder = mkdtempSync(join(tmpdir(), 'ramal-objects-'))
const never = new AbortController().signal

function fileOf(bytes: Buffer): string {
  const path = join(folder, createHash('sha256').update(bytes).digest('hex'))
  writeFileSync(path, bytes)
  return path
}

async function readAll(key: string, start: number, end: number): Promise<Buffer | null> {
  const stream = await store.read(key, { start, end }, never)
  return stream && Buffer.concat(await stream.toArray())
}

test('a small and a large file come back whole and in ranges, and are gone when removed', async () => {
  for (const size of [1, 1000, 5 * 2 ** 20, 5 * 2 ** 20 + 1, 16_000_003]) {
    const bytes = randomBytes(size)
    const key = `call_${size}.wav`
    await store.putFile(key, fileOf(bytes), never)
    assert.equal(await store.sizeOf(key, never), size)
    assert.ok(bytes.equals((await readAll(key, 0, size - 1)) as Buffer), `${size} bytes`)
    const [from, to] = [Math.floor(size / 3), Math.floor(size / 2)]
    assert.ok(bytes.subarray(from, to + 1).equals((await readAll(key, from, to)) as Buffer))
    await store.remove(key, never)
    await store.remove(key, never)
    assert.equal(await store.sizeOf(key, never), null)
    assert.equal(await readAll(key, 0, 0), null)
  }
})

test('the check passes, and says what is wrong with keys, bucket and address', async () => {
  await store.check(never)
  const wrong = (change: Partial<typeof swift.settings>) => s3Store({ ...swift.settings, ...change }).check(never)
  await assert.rejects(wrong({ secretAccessKey: 'another' }), { reason: 'denied' })
  await assert.rejects(wrong({ accessKeyId: 'nobody:here' }), { reason: 'denied' })
  await assert.rejects(wrong({ bucket: 'no-such-bucket' }), { reason: 'no_bucket' })
  await assert.rejects(wrong({ endpoint: 'http://127.0.0.1:9' }), { reason: 'unreachable' })
})

test('without its bucket nothing counts as removed or absent', async () => {
  const lost = s3Store({ ...swift.settings, bucket: 'no-such-bucket' })
  await assert.rejects(lost.remove('call_1.wav', never), { reason: 'no_bucket' })
  await assert.rejects(lost.sizeOf('call_1.wav', never), { reason: 'no_bucket' })
  await assert.rejects(lost.read('call_1.wav', { start: 0, end: 1 }, never), { reason: 'no_bucket' })
})

async function behind(fault: Fault): Promise<{ store: ObjectStore; close(): void }> {
  const { endpoint, close } = await faultProxy(swift.settings.endpoint, fault)
  return { store: s3Store({ ...swift.settings, endpoint }), close }
}

const big = fileOf(randomBytes(17_000_000))
const small = fileOf(randomBytes(100_000))

test('an upload whose content arrives changed is an error, also in one of several parts', async (t) => {
  const { store, close } = await behind((req, body, { pass }) => {
    const isLast = req.url?.includes('partNumber=3') || !req.url?.includes('uploadId')
    if (req.method === 'PUT' && isLast) body.writeUInt8(body.readUInt8(body.length >> 1) ^ 1, body.length >> 1)
    pass(body)
  })
  t.after(close)
  for (const path of [small, big])
    await assert.rejects(store.putFile('changed.wav', path, never), { reason: 'wrong_content' })
})

test('an ETag of another kind is no error: the object is read back', async (t) => {
  let reads = 0
  const { store, close } = await behind((req, body, { pass }) => {
    if (req.method === 'GET') reads++
    pass(body, (headers) =>
      req.method === 'PUT' ? { ...headers, etag: '"00000000000000000000000000000000"' } : headers,
    )
  })
  t.after(close)
  await store.putFile('encrypted.wav', small, never)
  assert.equal(reads, 1)
})

test('a store that is full, refuses, answers nonsense or hangs up says so, and leaves no parts behind', async (t) => {
  let fault: { status: number; code?: string } | 'cut' = 'cut'
  let aborted = 0
  const { store, close } = await behind((req, body, { pass, fail, cut }) => {
    if (req.method === 'DELETE' && req.url?.includes('uploadId')) aborted++
    const isPart = req.method === 'PUT' && (req.url?.includes('partNumber=2') || !req.url?.includes('uploadId'))
    if (!isPart) pass(body)
    else if (fault === 'cut') cut()
    else fail(fault.status, fault.code)
  })
  t.after(close)
  for (const [next, reason] of [
    ['cut', 'unreachable'],
    [{ status: 507 }, 'full'],
    [{ status: 403, code: 'QuotaExceeded' }, 'full'],
    [{ status: 403, code: 'AccessDenied' }, 'denied'],
    [{ status: 503, code: 'SlowDown' }, 'failed'],
    [{ status: 500 }, 'failed'],
  ] as const) {
    fault = next
    await assert.rejects(store.putFile('small.wav', small, never), { reason })
    await assert.rejects(store.putFile('big.wav', big, never), { reason })
  }
  assert.equal(aborted, 6)
  assert.equal(await s3Store(swift.settings).sizeOf('big.wav', never), null)
})

test('a store that does not answer is given up when the signal fires', async (t) => {
  const { store, close } = await behind(() => {})
  t.after(close)
  const stop = new AbortController()
  const uploading = store.putFile('slow.wav', small, stop.signal)
  stop.abort()
  await assert.rejects(uploading)
})

test('a store that ignores the range, or sends fewer or more bytes than it announced, is an error and not a file', async (t) => {
  await store.putFile('ranged.wav', small, never)
  const whole = Buffer.alloc(100_000)
  const lies: Fault[] = [
    (_req, _body, { send }) => send(whole, { 'content-length': String(whole.length) }),
    (_req, _body, { send }) => send(whole, {}),
    (_req, _body, { send }) => send(whole.subarray(0, 99), {}),
    (_req, _body, { cut }) => cut(10),
  ]
  for (const lie of lies) {
    const { store: lying, close } = await behind(lie)
    t.after(close)
    await assert.rejects(async () => (await lying.read('ranged.wav', { start: 5, end: 104 }, never))?.toArray())
  }
  const { store: honest, close } = await behind((_req, _body, { send }) => send(whole.subarray(0, 100), {}))
  t.after(close)
  assert.ok(await honest.read('ranged.wav', { start: 5, end: 104 }, never))
})

test('an answer that never ends is read only up to a bound', async (t) => {
  const { store: talkative, close } = await behind((_req, _body, { fail }) => fail(500, 'x'.repeat(1_000_000)))
  t.after(close)
  await assert.rejects(talkative.check(never), { reason: 'failed', detail: '500' })
})
