// @run rest-nodes
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, startTestApp, testApp } from '../../../test/app.ts'
import { goingOn, putCall, putRecording } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { pcmBytes, wavHeader } from '../../audio/wav.ts'

const urlOf = (id: string) => `/api/gateway/calls/recordings/${id}`

async function recordedCall() {
  const app = await testApp()
  const { ana, database, config } = app
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const owner = { userId: ana.userId, agentId: agent.id as string }
  const { id } = await putCall(database.db, owner)
  await database.db
    .updateTable('calls')
    .set({ recording: `${id}.wav` })
    .where('id', '=', id)
    .execute()
  const wav = putRecording(config.dataDir, `${id}.wav`)
  const download = async (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const all = { 'x-api-key': ana.key, ...headers }
    const {
      statusCode,
      headers: told,
      rawPayload,
    } = await app.app.http.inject({ method, url: urlOf(id), headers: all })
    return { status: statusCode, headers: told, bytes: rawPayload }
  }
  return { ...app, owner, id, wav, download }
}

test('117 the recording of a finished call is downloaded by its callId as a WAV file', async () => {
  const { ana, id, wav, download } = await recordedCall()
  assert.equal((await ana.get(`/api/calls/${id}`)).json.sessionId, id)
  assert.equal((await ana.get(`/api/calls/${id}`)).json.hasRecording, true)
  assert.equal((await ana.get(urlOf(id))).status, 200)
  const { status, headers, bytes } = await download()
  assert.equal(status, 200)
  assert.ok(bytes.equals(wav))
  assert.equal(headers['content-type'], 'audio/wav')
  assert.equal(headers['content-length'], String(wav.length))
  assert.equal(headers['accept-ranges'], 'bytes')
  assert.equal(headers['content-disposition'], `attachment; filename="${id}.wav"`)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('117 HEAD returns the length and no body', async () => {
  const { wav, download } = await recordedCall()
  const { status, headers, bytes } = await download({}, 'HEAD')
  assert.equal(status, 200)
  assert.equal(headers['content-length'], String(wav.length))
  assert.equal(bytes.length, 0)
})

test('117 a Range request returns that part of the recording', async () => {
  const { ana, id, wav, download } = await recordedCall()
  const size = wav.length
  const parts: [range: string, start: number, end: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-43', 0, 43],
    ['bytes=100-199', 100, 199],
    ['bytes=44-', 44, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=-100', size - 100, size - 1],
    [`bytes=-${size + 50}`, 0, size - 1],
    [`bytes=10-${size + 1000}`, 10, size - 1],
    ['bytes=10-99999999999999999999999', 10, size - 1],
  ]
  for (const [range, start, end] of parts) {
    const { status, headers, bytes } = await download({ range })
    assert.equal(status, 206, range)
    assert.equal(headers['content-range'], `bytes ${start}-${end}/${size}`, range)
    assert.equal(headers['content-length'], String(end - start + 1), range)
    assert.equal(headers['content-type'], 'audio/wav')
    assert.ok(bytes.equals(wav.subarray(start, end + 1)), range)
  }
  assert.equal((await ana.get(urlOf(id), { range: 'bytes=0-9' })).status, 206, 'and this is in the OpenAPI document')
})

test('117 a Range beyond the end is a 416 with the length', async () => {
  const { ana, id, wav } = await recordedCall()
  const size = wav.length
  for (const range of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=-0', 'bytes=99999999999999999999-']) {
    const answer = await ana.get(urlOf(id), { range })
    assertError(answer, 416)
    assert.equal(answer.headers['content-range'], `bytes */${size}`)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.equal(answer.headers['content-disposition'], undefined, 'an error is not a file to keep')
  }
})

test('117 several ranges, or invalid ones, return the whole recording', async () => {
  const { wav, download } = await recordedCall()
  const thousand = `bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join(',')}`
  for (const range of [thousand, 'bytes=0-1,5-9', 'bytes=', 'bytes=-', 'bytes=a-b', 'items=0-5', 'bytes 0-5', '0-5']) {
    const { status, headers, bytes } = await download({ range })
    assert.equal(status, 200, range.slice(0, 30))
    assert.equal(headers['content-range'], undefined)
    assert.ok(bytes.equals(wav))
  }
  const conditional = await download({ range: 'bytes=0-9', 'if-range': '"another version"' })
  assert.equal(conditional.status, 200, 'a part of another version is of no use')
  assert.ok(conditional.bytes.equals(wav))
})

test('117 unknown, foreign, unfinished, unrecorded and lost recordings are a 404', async () => {
  const { ana, bia, database, config, owner, id } = await recordedCall()
  assertError(await ana.get(urlOf('cal_none')), 404, 'Recording not found')
  assertError(await bia.get(urlOf(id)), 404, 'Recording not found')
  for (const status of ['initiating', 'ringing', 'in_progress'] as const) {
    const live = await putCall(database.db, { ...owner, ...goingOn, status, recording: 'live.wav' })
    putRecording(config.dataDir, 'live.wav')
    assertError(await ana.get(urlOf(live.id)), 404, 'Recording not found')
    assert.equal((await ana.get(`/api/calls/${live.id}`)).json.hasRecording, false)
  }
  const none = await putCall(database.db, owner)
  assertError(await ana.get(urlOf(none.id)), 404, 'Recording not found')
  const lost = await putCall(database.db, { ...owner, recording: 'never-written.wav' })
  assertError(await ana.get(urlOf(lost.id)), 404, 'Recording not found')
})

test('117 no id leads out of the recordings folder', async () => {
  const { ana, config, id } = await recordedCall()
  assert.ok(existsSync(join(config.dataDir, 'master.key')))
  const ids = ['..%2fmaster.key', '%2e%2e%2fmaster.key', '..%5cmaster.key', '%2fetc%2fpasswd', `${id}.wav`, `.%2f${id}`]
  ids.push('%00', `${id}%00`, `${id}%00.wav`, '..', '.', '%F0%9F%98%80', '%', '%zz', 'x'.repeat(5000))
  for (const name of ids) assertError(await ana.get(urlOf(name)), 404)
})

test('117 dots in the path do not leave the recordings folder', async () => {
  const { app, ana } = await startTestApp()
  const { port } = new URL(await app.listen())
  const get = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'x-api-key': ana.key }
      const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode))
      })
      sent.once('error', reject).end()
    })
  for (const path of ['../../../../master.key', '..', './x', '%2e%2e/%2e%2e/master.key', '/etc/passwd'])
    assert.equal(await get(urlOf(path)), 404, path)
})

test('117 the file name in a row is resolved only within that folder, and must be a regular file', async () => {
  const { ana, database, config, owner } = await recordedCall()
  const folder = join(config.dataDir, 'recordings')
  writeFileSync(join(config.dataDir, 'outside.wav'), 'RIFF')
  symlinkSync(join(config.dataDir, 'outside.wav'), join(folder, 'link.wav'))
  for (const recording of ['../outside.wav', join(config.dataDir, 'outside.wav'), 'link.wav', '.', '..', '']) {
    const call = await putCall(database.db, { ...owner, recording })
    assertError(await ana.get(urlOf(call.id)), 404, 'Recording not found')
  }
})

test('117 an empty file is a 404', async () => {
  const { ana, database, config, owner } = await recordedCall()
  writeFileSync(join(config.dataDir, 'recordings', 'empty.wav'), '')
  const { id } = await putCall(database.db, { ...owner, recording: 'empty.wav' })
  assertError(await ana.get(urlOf(id)), 404, 'Recording not found')
  assertError(await ana.get(urlOf(id), { range: 'bytes=0-' }), 404)
})

test('a recording on the disk of another node is a 503 that names the node', async () => {
  const { ana, database, config, owner } = await recordedCall()
  const away = await putCall(database.db, { ...owner, recording: 'away.wav', recordingNode: 'nod_of_another' })
  const answer = await ana.get(urlOf(away.id))
  assertError(answer, 503, /on another node \(nod_of_another\)/)
  assert.equal(answer.headers['retry-after'], '60')
  // The folder is shared, so the file is here whatever the row says.
  const bytes = putRecording(config.dataDir, 'shared.wav')
  const shared = await putCall(database.db, { ...owner, recording: 'shared.wav', recordingNode: 'nod_of_another' })
  assert.equal((await ana.get(urlOf(shared.id))).headers['content-length'], String(bytes.length))
})

test('117 downloading a recording needs the scope gateway', async () => {
  const { ana, id } = await recordedCall()
  assert.equal((await (await ana.withKey({ scopes: ['gateway'] })).get(urlOf(id))).status, 200)
  assertError(await (await ana.withKey({ scopes: ['calls'] })).get(urlOf(id)), 403)
})

test('117 a recording removed during its download is sent to the end, and no file stays open', async () => {
  const { app, ana, database, config } = await startTestApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { id } = await putCall(database.db, { userId: ana.userId, agentId: agent.id, recording: 'long.wav' })
  const wav = putRecording(config.dataDir, 'long.wav', 4_000_000)
  const base = await app.listen()
  const openFiles = () => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).includes('long.wav')).length
  const answer = await fetch(base + urlOf(id), { headers: { 'x-api-key': ana.key } })
  assert.equal((await ana.delete(`/api/calls/${id}`)).status, 200)
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(wav))
  assertError(await ana.get(urlOf(id)), 404)
  await until('the file is closed', () => openFiles() === 0)
})

test('117 neither refused nor aborted downloads leave a file open', async () => {
  const { app, ana, database, config } = await startTestApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { id } = await putCall(database.db, { userId: ana.userId, agentId: agent.id, recording: 'open.wav' })
  putRecording(config.dataDir, 'open.wav', 4_000_000)
  const base = await app.listen()
  const headers = { 'x-api-key': ana.key }
  for (let i = 0; i < 5; i++) {
    assertError(await ana.get(urlOf(id), { range: 'bytes=99999999-' }), 416)
    assert.equal((await fetch(base + urlOf(id), { method: 'HEAD', headers })).status, 200)
    const leaving = new AbortController()
    await fetch(base + urlOf(id), { headers, signal: leaving.signal })
    leaving.abort()
  }
  await until('all are closed', () => !readdirSync('/proc/self/fd').some((fd) => linkOf(fd).includes('open.wav')))
})

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return '' // closed meanwhile
  }
}

test('117 one channel, or both mixed, is produced while it is sent, also for a Range', async () => {
  const { app, ana, id, config } = await recordedCall()
  const frames = 70_000 // more than one read
  const stereo = Int16Array.from({ length: frames * 2 }, (_, i) => (i % 2 === 0 ? i % 30_000 : -(i % 20_000)))
  const bytes = Buffer.concat([wavHeader(8000, frames, 2), pcmBytes(stereo)])
  writeFileSync(join(config.dataDir, 'recordings', `${id}.wav`), bytes)
  const get = async (channel: string, range?: string) => {
    const headers = { 'x-api-key': ana.key, ...(range ? { range } : {}) }
    const url = `${urlOf(id)}?channel=${channel}`
    const { statusCode: status, headers: told, rawPayload } = await app.http.inject({ url, headers })
    return { status, length: Number(told['content-length']), range: told['content-range'], bytes: rawPayload }
  }
  const made = {
    caller: Int16Array.from({ length: frames }, (_, i) => stereo[2 * i] as number),
    agent: Int16Array.from({ length: frames }, (_, i) => stereo[2 * i + 1] as number),
    mixed: Int16Array.from(
      { length: frames },
      (_, i) => ((stereo[2 * i] as number) + (stereo[2 * i + 1] as number)) >> 1,
    ),
  }
  assert.ok((await get('both')).bytes.equals(bytes))
  for (const [channel, pcm] of Object.entries(made)) {
    const wanted = Buffer.concat([wavHeader(8000, frames), pcmBytes(pcm)])
    const whole = await get(channel)
    assert.deepEqual([whole.status, whole.length], [200, wanted.length], channel)
    assert.ok(whole.bytes.equals(wanted), channel)
    for (const [from, to] of [
      [0, 9],
      [40, 47],
      [43, 44],
      [45, 45],
      [44, wanted.length - 1],
      [65_571, 131_200],
      [131_117, 131_118],
    ] as const) {
      const part = await get(channel, `bytes=${from}-${to}`)
      assert.equal(part.status, 206)
      assert.equal(part.range, `bytes ${from}-${to}/${wanted.length}`)
      assert.equal(part.length, to - from + 1)
      assert.ok(part.bytes.equals(wanted.subarray(from, to + 1)), `${channel} ${from}-${to}`)
    }
    assert.equal((await get(channel, `bytes=${wanted.length}-`)).status, 416)
  }
  const head = { method: 'HEAD', url: `${urlOf(id)}?channel=agent`, headers: { 'x-api-key': ana.key } } as const
  assert.equal((await app.http.inject(head)).headers['content-length'], String(44 + frames * 2))
  await until('all are closed', () => !readdirSync('/proc/self/fd').some((fd) => linkOf(fd).includes(`${id}.wav`)))
  assertError(await ana.get(`${urlOf(id)}?channel=left`), 400, /channel/)
})

test('a recording of another node is a 503 that names the node; a missing one of this node is a 404', async () => {
  const { ana, database, owner } = await recordedCall()
  const own = (await ana.post('/api/calls/outbound', { toNumber: aNumber(), agentId: owner.agentId })).json.callId
  const { nodeId } = (await ana.get(`/api/calls/${own}`)).json
  const elsewhere = await putCall(database.db, { ...owner, nodeId: 'node-b', recording: 'elsewhere.wav' })
  const missing = await putCall(database.db, { ...owner, nodeId, recording: 'missing.wav' })
  assertError(await ana.get(urlOf(elsewhere.id)), 503, /node-b/)
  assert.equal((await ana.get(`/api/calls/${elsewhere.id}`)).json.nodeId, 'node-b')
  assertError(await ana.get(urlOf(missing.id)), 404, 'Recording not found')
})

test('a recording whose process has died is not sent until its header is repaired', async () => {
  const { database, id, wav, download } = await recordedCall()
  const setStatus = (recordingStatus: 'recording' | 'partial') =>
    database.db.updateTable('calls').set({ recordingStatus }).where('id', '=', id).execute()
  await setStatus('recording')
  const refused = await download()
  assert.deepEqual(
    [refused.status, refused.headers['retry-after'], refused.headers['x-error-code']],
    [503, '5', 'recording_unfinished'],
  )
  await setStatus('partial')
  const sent = await download()
  assert.deepEqual([sent.status, sent.bytes.equals(wav)], [200, true])
})
