// Inserts calls into the database as the phone service would, and writes their recording files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../src/base/ids.ts'
import type { Db } from '../src/db/database.ts'
import { notRecorded } from '../src/db/recording-rows.ts'
import { type CallRow, type ConversationRow, notAnalyzed } from '../src/db/tables.ts'
import { aNumber } from './app.ts'

/** By default the call was answered, lasted 30 seconds and has ended. */
export async function putCall(
  db: Db,
  call: Pick<CallRow, 'userId' | 'agentId'> & Partial<CallRow>,
): Promise<CallRow & { startedAt: string }> {
  const row = aCall(call)
  await db.insertInto('calls').values(row).execute()
  return row
}

export function aCall(call: Pick<CallRow, 'userId' | 'agentId'> & Partial<CallRow>): CallRow {
  const startedMs = call.startedAt ? Date.parse(call.startedAt) : Date.now() - 60_000
  const at = (seconds: number) => new Date(startedMs + seconds * 1000).toISOString()
  const row: CallRow = {
    id: newId('cal'),
    conversationId: null,
    direction: 'outbound',
    status: 'completed',
    endReason: 'caller_hangup',
    endDetail: null,
    sipCode: null,
    hangupBy: 'caller',
    answeredBy: null,
    fromNumber: null,
    toNumber: aNumber(),
    trunkId: null,
    deviceId: null,
    deviceTokens: null,
    headers: null,
    via: null,
    attemptId: null,
    channel: 'sip',
    variables: null,
    metadata: null,
    isTest: 0,
    ...notRecorded,
    nodeId: null,
    leaseUntil: at(40),
    startedAt: at(0),
    ringingAt: at(1),
    answeredAt: at(2),
    endedAt: at(32),
    ...call,
  }
  const { answeredAt, endedAt } = row
  const talkSeconds = answeredAt && endedAt ? Math.round((Date.parse(endedAt) - Date.parse(answeredAt)) / 1000) : null
  return { ...row, talkSeconds }
}

/** A live call: no end, and a lease that is valid for another minute. */
export const goingOn = {
  status: 'in_progress',
  endReason: null,
  hangupBy: null,
  endedAt: null,
  get leaseUntil() {
    return new Date(Date.now() + 60_000).toISOString()
  },
} as const satisfies Partial<CallRow>

/** Inserts the conversation of a call with its messages. */
export async function putConversation(
  db: Db,
  conversation: Pick<ConversationRow, 'userId' | 'agentId'> & Partial<ConversationRow>,
  said: string[] = [],
): Promise<ConversationRow> {
  const startedAt = conversation.startedAt ?? new Date().toISOString()
  const row: ConversationRow = {
    id: newId('cnv'),
    title: null,
    status: 'active',
    endedAt: null,
    messageCount: said.length,
    lastMessageAt: null,
    variables: null,
    ...notAnalyzed,
    ...conversation,
    startedAt,
  }
  await db.insertInto('conversations').values(row).execute()
  for (const [i, content] of said.entries()) {
    const message = { id: newId('msg'), conversationId: row.id, number: i + 1, content, timestamp: startedAt }
    await db
      .insertInto('messages')
      .values({ ...message, type: i % 2 === 0 ? 'agent' : 'user' })
      .execute()
  }
  return row
}

/** Writes a recording into the data folder and returns its bytes: a WAV file of 16-bit mono PCM. */
export function putRecording(dataDir: string, fileName: string, samples = 4000): Buffer {
  const data = Buffer.from(Array.from({ length: samples * 2 }, (_, i) => (i * 31) % 251))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  const wav = Buffer.concat([header, data])
  mkdirSync(join(dataDir, 'recordings'), { recursive: true })
  writeFileSync(join(dataDir, 'recordings', fileName), wav)
  return wav
}
