// A database with agents and conversations, plus ten calls with ten-minute recordings on disk.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wavHeader } from '../../src/audio/wav.ts'
import { openDatabase } from '../../src/db/database.ts'
import { putCall } from '../../test/call-rows.ts'
import { robotSpeech } from '../../test/sounds.ts'
import { seed } from '../api/seed.ts'
import type { Place } from '../api/servers.ts'
import type { Download, Job } from './load.ts'

const RECORDINGS = 10
const RECORDED_SECONDS = 600
const HZ = 8000
const BYTES_PER_SECOND = 1e6

const message = JSON.stringify({
  type: 'user',
  content: 'I would like to come on Thursday, in the afternoon if you can.',
})

export type Data = Pick<Job, 'requests' | 'downloads'>

export async function makeData({ dataDir, database: config }: Place): Promise<Data> {
  const { one, hundred } = await seed(config)
  const wav = await stereoWav()
  const folder = join(dataDir, 'recordings')
  mkdirSync(folder, { recursive: true })
  const database = await openDatabase(config, () => {})
  const downloads: Download[] = []
  try {
    const [agentId = ''] = one.agentIds
    const { userId } = await database.db
      .selectFrom('agents')
      .select('userId')
      .where('id', '=', agentId)
      .executeTakeFirstOrThrow()
    for (let i = 0; i < RECORDINGS; i++) {
      const recording = `bench-${i}.wav`
      writeFileSync(join(folder, recording), wav)
      const { id } = await putCall(database.db, { userId, agentId, recording })
      const path = `/api/gateway/calls/recordings/${id}`
      downloads.push({ path, key: one.keys[i] ?? '', bytes: wav.length, bytesPerSecond: BYTES_PER_SECOND })
    }
  } finally {
    await database.close()
  }
  const requests = one.keys.flatMap((key, i): Job['requests'] => {
    const agent = { method: 'GET', path: `/api/agents/${one.agentIds[i]}`, key, expect: 200 } as const
    const path = `/api/conversations/message/send/${one.conversationIds[i]}`
    const store = { method: 'POST', path, key, expect: 201, body: message } as const
    const list = { method: 'GET', path: '/api/conversations', key: hundred.keys[i] ?? '', expect: 200 } as const
    return [agent, store, agent, list, agent]
  })
  return { requests, downloads }
}

/** Speech in one channel and silence in the other, as in a recording. */
async function stereoWav(): Promise<Buffer> {
  const speech = await robotSpeech('Bom dia, eu queria marcar uma consulta para a semana que vem.', 'pt-br', HZ)
  const frames = RECORDED_SECONDS * HZ
  const both = new Int16Array(2 * frames)
  for (let i = 0; i < frames; i++) both[2 * i] = speech[i % speech.length] ?? 0
  return Buffer.concat([wavHeader(HZ, frames, 2), Buffer.from(both.buffer)])
}
