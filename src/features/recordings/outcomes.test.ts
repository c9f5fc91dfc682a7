// Failed recordings are reported on the call, as an event and in the metrics, and never downloaded as an empty file.
// @run sqlite
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, startTestApp, type TestApp } from '../../../test/app.ts'
import { goingOn, putCall, putRecording } from '../../../test/call-rows.ts'
import { toneAgent } from '../../../test/phone/talks.ts'
import { until } from '../../../test/until.ts'
import { orderOf, webCaller } from '../../../test/web-caller.ts'
import { diskIdOf } from '../../base/process/disk-id.ts'
import { callRecording } from '../../rtp/call-recording.ts'
import type { EndedRecording } from '../calls/end-store.ts'
import { callStore } from '../calls/store.ts'

const agent = toneAgent()
const urlOf = (id: string) => `/api/gateway/calls/recordings/${id}`
const end = { status: 'completed', endReason: 'caller_hangup', hangupBy: 'caller' } as const

async function metricsOf({ app }: TestApp): Promise<string> {
  return (await app.http.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).payload
}

const recordingEvents = async ({ database }: TestApp, callId: string) => {
  const rows = database.db.selectFrom('events').select('type').where('callId', '=', callId).orderBy('sequence')
  return (await rows.execute()).map(({ type }) => type).filter((type) => type.startsWith('call.recording'))
}

/** A complete web call, hung up by the browser. */
async function webCall(base: TestApp) {
  const { json } = await base.ana.post('/api/agents', anAgent)
  const caller = await webCaller(base, await orderOf(base.ana, json.id))
  const talk = await agent.next()
  await caller.until('started')
  caller.tell({ type: 'hangup' })
  return until('its end is written', async () => {
    const { json: call } = await base.ana.get(`/api/calls/${talk.call.callId}`)
    return call.endedAt !== null && call
  })
}

test('a call whose recording cannot be written has the recording status failed and the reason', async () => {
  const base = await startTestApp({}, { converse: agent.converse })
  const folder = join(base.config.dataDir, 'recordings')
  const good = await webCall(base)
  assert.deepEqual([good.recordingStatus, good.recordingError, good.hasRecording], ['complete', null, true])
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'not a folder')
  const call = await webCall(base)
  rmSync(folder)
  mkdirSync(folder)
  assert.deepEqual([call.recordingStatus, call.recordingError, call.hasRecording], ['failed', 'not_writable', false])
  assertError(await base.ana.get(urlOf(call.id)), 404)
  assert.deepEqual(await recordingEvents(base, call.id), ['call.recording_failed'])
  assert.match(await metricsOf(base), /^ramal_recordings_failed 1$/m)
})

test('with too little free space nothing is recorded, and /readyz and the log say so', async () => {
  const base = await startTestApp({ RECORDING_MIN_FREE_MB: '1000000' }, { converse: agent.converse })
  const call = await webCall(base)
  assert.deepEqual([call.recordingStatus, call.recordingError, call.hasRecording], ['failed', 'disk_full', false])
  const ready = await base.anonymous({ url: '/readyz' })
  assert.deepEqual([ready.status, ready.json], [200, { status: 'ready', recordings: 'disk_full' }])
  assert.match(base.logs(), /disk nearly full; new calls are not recorded/)
  assert.match(await metricsOf(base), /^ramal_recordings_disk_free_bytes \d/m)
})

test('a recording cut short by a full disk is partial and can be downloaded', async () => {
  const base = await startTestApp()
  const { ana, config, database } = base
  const { json } = await ana.post('/api/agents', anAgent)
  const calls = callStore(database.db)
  const finished = async (more: Pick<EndedRecording, 'status' | 'error'>) => {
    const { id } = await putCall(database.db, { userId: ana.userId, agentId: json.id, ...goingOn })
    const file = `${id}.wav`
    if (more.status !== 'failed') putRecording(config.dataDir, file)
    await calls.finish(id, { ...end, recording: { file, node: diskIdOf(config.dataDir), ...more } })
    return { id, call: (await ana.get(`/api/calls/${id}`)).json }
  }
  const partial = await finished({ status: 'partial', error: 'disk_full' })
  assert.deepEqual([partial.call.recordingStatus, partial.call.recordingError], ['partial', 'disk_full'])
  assert.equal(partial.call.hasRecording, true)
  assert.equal((await ana.get(urlOf(partial.id))).status, 200)
  assert.deepEqual(await recordingEvents(base, partial.id), ['call.recording_failed', 'call.recording_ready'])
  const whole = await finished({ status: 'complete', error: null })
  assert.deepEqual(await recordingEvents(base, whole.id), ['call.recording_ready'])
  const none = (
    await ana.get(`/api/calls/${(await putCall(database.db, { userId: ana.userId, agentId: json.id })).id}`)
  ).json
  assert.deepEqual([none.recordingStatus, none.recordingError, none.hasRecording], ['none', null, false])
})

test('the recording of a crashed process is announced only by the node that has the file', async () => {
  const base = await startTestApp()
  const { ana, config, database } = base
  const { json } = await ana.post('/api/agents', anAgent)
  const left = async (recordingNode: string) => {
    const owner = { userId: ana.userId, agentId: json.id }
    const call = await putCall(database.db, {
      ...owner,
      ...goingOn,
      leaseUntil: '2020-01-01T00:00:00.000Z',
      recording: `${recordingNode}.wav`,
      recordingNode,
      recordingStatus: 'recording',
    })
    return call.id
  }
  const here = diskIdOf(config.dataDir)
  putRecording(config.dataDir, `${here}.wav`, 8000)
  const [own, foreign] = [await left(here), await left('nod_of_a_dead_node')]
  const call = await until(
    'it is announced',
    async () => {
      const found = (await ana.get(`/api/calls/${own}`)).json
      return found.hasRecording && found
    },
    60_000,
  )
  assert.deepEqual([call.recordingStatus, call.recordingError], ['partial', 'process_ended'])
  assert.ok((await recordingEvents(base, own)).includes('call.recording_ready'))
  assert.equal((await ana.get(`/api/calls/${foreign}`)).json.hasRecording, false)
  assert.deepEqual(await recordingEvents(base, foreign), [])
  assertError(await ana.get(urlOf(foreign)), 503, /another node/)
})

test("the recording status follows from the file and the recorder's error", async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ramal-test-'))
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  const problems: string[] = []
  const folder = { dir, node: 'n', hasRoom: async () => true, onFailed: (error: string) => void problems.push(error) }
  const came = async (id: string, bytes: number, problem?: string) => {
    const recording = callRecording(folder, id)
    await recording.begin((path) => writeFile(path, Buffer.alloc(bytes)))
    if (problem) recording.failed(problem)
    const outcome = await recording.outcome()
    return [outcome?.status, outcome?.error]
  }
  assert.deepEqual(await came('whole', 1000), ['complete', null])
  assert.deepEqual(await came('cut', 1000, 'ENOSPC'), ['partial', 'disk_full'])
  assert.deepEqual(await came('slow', 1000, 'the disk is too slow'), ['partial', 'disk_slow'])
  assert.deepEqual(await came('head', 44, 'ENOSPC'), ['failed', 'disk_full'])
  assert.deepEqual(await came('nothing', 0), ['failed', 'not_writable'])
  assert.equal(await callRecording(folder, 'never').outcome(), undefined)
  assert.deepEqual(problems, ['disk_full', 'disk_slow', 'disk_full', 'not_writable'])
})
