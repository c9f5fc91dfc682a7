// Calls with recordings, and an app whose recordings go to an object store.
import { join } from 'node:path'
import { diskIdOf } from '../src/base/process/disk-id.ts'
import type { ObjectStoreConfig } from '../src/config/config.ts'
import type { CallRow } from '../src/db/tables.ts'
import { anAgent, type TestApp } from './app.ts'
import { putCall, putRecording } from './call-rows.ts'

export const storeEnv = (settings: ObjectStoreConfig): Record<string, string> => ({
  S3_ENDPOINT: settings.endpoint,
  S3_BUCKET: settings.bucket,
  S3_ACCESS_KEY_ID: settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
})

export type RecordedCall = { id: string; key: string; wav: Buffer; path: string }

/** Writes the recording before its row, as the phone service does. */
export async function recordedCall(
  { ana, config, database }: TestApp,
  more: Partial<CallRow> = {},
  samples = 4000,
): Promise<RecordedCall> {
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const key = `call-${crypto.randomUUID()}.wav`
  const wav = putRecording(config.dataDir, key, samples)
  const { id } = await putCall(database.db, {
    userId: ana.userId,
    agentId: agent.id as string,
    recording: key,
    recordingNode: diskIdOf(config.dataDir),
    recordingStatus: 'complete',
    ...more,
  })
  return { id, key, wav, path: join(config.dataDir, 'recordings', key) }
}

export const recordingUrl = (id: string) => `/api/gateway/calls/recordings/${id}`

export async function download({ app, ana }: Pick<TestApp, 'app' | 'ana'>, id: string, range?: string) {
  const headers = { 'x-api-key': ana.key, ...(range ? { range } : {}) }
  const response = await app.http.inject({ method: 'GET', url: recordingUrl(id), headers })
  return { status: response.statusCode, bytes: response.rawPayload, headers: response.headers }
}

/** What /readyz reports about the object store; undefined if it is usable. */
export const storeProblem = async ({ anonymous }: TestApp): Promise<string | undefined> =>
  (await anonymous({ url: '/readyz' })).json.objectStorage

export async function metric({ app }: TestApp, name: string): Promise<number> {
  const { payload } = await app.http.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(payload)?.[1])
}

export const diskOf = async ({ database }: TestApp, id: string): Promise<string | null | undefined> =>
  (await database.db.selectFrom('calls').select('recordingNode').where('id', '=', id).executeTakeFirst())?.recordingNode
