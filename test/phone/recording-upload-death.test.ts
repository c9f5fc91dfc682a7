// The recording of a killed process, up to the kill, is uploaded once its node is back.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseWavHeader } from '../../src/audio/wav.ts'
import { s3Store } from '../../src/object-storage/s3-store.ts'
import { atEnd } from '../app.ts'
import { databaseOfRun, startPhoneService, talking } from '../phone-service.ts'
import { ask } from '../service.ts'
import { recordingUrl, storeEnv } from '../stored-recordings.ts'
import { startSwift } from '../swift.ts'
import { until } from '../until.ts'

const swift = await startSwift()
atEnd(() => swift.stop())
const never = new AbortController().signal

test('a node killed during a call uploads its recording up to the kill after its next start', async (t) => {
  const env = { ...(await databaseOfRun()), ...storeEnv(swift.settings) }
  const service = await startPhoneService(env)
  const { carrier, row } = await talking(t, service)
  await until('something was recorded', () => carrier.rtpPackets() > 300)
  await service.kill('SIGKILL')
  const key = `${row.id}.wav`
  const path = join(service.dataDir, 'recordings', key)
  assert.ok(existsSync(path), 'the part until the kill is on the disk')
  const again = await startPhoneService(env, service)
  await until('it is uploaded', () => !existsSync(path), 60_000)
  const call = await again.get(`/api/calls/${row.id}`)
  assert.deepEqual([call.recordingStatus, call.recordingError], ['partial', 'process_ended'])
  assert.equal(call.hasRecording, true)
  const size = await s3Store(swift.settings).sizeOf(key, never)
  const response = await fetch(`${again.url}${recordingUrl(row.id)}`, { headers: { 'x-api-key': again.key } })
  assert.equal(response.status, 200)
  const wav = Buffer.from(await response.arrayBuffer())
  assert.equal(wav.length, size)
  const header = parseWavHeader(wav)
  assert.equal(header?.dataBytes, wav.length - (header?.dataAt ?? 0), 'its header is true')
  // At least two seconds of two channels at 8 kHz.
  assert.ok(wav.length > 2 * 2 * 2 * 8000, `${wav.length} bytes`)
  const ready = await ask(`${again.url}/readyz`, undefined, 'GET')
  assert.deepEqual([ready.status, JSON.parse(ready.text).objectStorage], [200, undefined])
  await again.kill('SIGTERM')
})
