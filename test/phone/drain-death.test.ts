// Calls of a killed process, and calls during a database outage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWavHeader } from '../../src/audio/wav.ts'
import { atEnd, usesPostgres } from '../app.ts'
import { answeredCall, databaseOfRun, startPhoneService, talking } from '../phone-service.ts'
import { startPostgres } from '../servers.ts'
import { until } from '../until.ts'

test('a call of a killed process is marked orphaned after the next start, with a complete recording', async (t) => {
  const database = await databaseOfRun()
  const service = await startPhoneService(database)
  const { carrier, row } = await talking(t, service)
  await until('something was recorded', () => carrier.rtpPackets() > 300)
  await service.kill('SIGKILL')
  const again = await startPhoneService(database, service)
  const end = await until(
    'the call is closed',
    async () => {
      const call = await again.get(`/api/calls/${row.id}`)
      return call.endedAt !== null && call
    },
    // Waits for the lease to expire and for the next orphan check.
    30_000,
  )
  assert.deepEqual([end.status, end.endReason, end.hangupBy], ['failed', 'orphaned', 'system'])
  assert.equal((await again.get(`/api/conversations/${row.conversationId}`)).status, 'ended')
  const url = `${again.url}/api/gateway/calls/recordings/${row.id}`
  const wav = await until('its recording is there, and its header is true', async () => {
    const response = await fetch(url, { headers: { 'x-api-key': again.key } })
    const bytes = Buffer.from(await response.arrayBuffer())
    const header = response.status === 200 ? parseWavHeader(bytes) : undefined
    return header && header.dataBytes === bytes.length - header.dataAt && bytes
  })
  assert.equal(parseWavHeader(wav)?.channels, 2)
  // At least two seconds of two channels at 8 kHz.
  assert.ok(wav.length > 2 * 2 * 2 * 8000, `${wav.length} bytes`)
  await again.kill('SIGTERM')
})

if (usesPostgres)
  test('a call continues while PostgreSQL is down, and its end is stored afterwards', async (t) => {
    let postgres = await startPostgres()
    atEnd(() => postgres.stop())
    const service = await startPhoneService({ DATABASE_URL: postgres.url })
    const { carrier, call, row } = await talking(t, service)
    const second = await answeredCall(carrier, service.sipPort)
    const rows = await until('both are in progress', async () => {
      const all = await service.get('/api/calls?status=in_progress')
      return all.length === 2 && all
    })
    const other = rows.find(({ id }: { id: string }) => id !== row.id)
    await until('both agents have said their phrase', async () => {
      const { conversationId } = await service.get(`/api/calls/${other.id}`)
      return (await service.get(`/api/conversations/messages/${conversationId}`)).length > 0
    })
    const heardBefore = carrier.rtpPackets()
    await postgres.stop('SIGINT', 'keep')
    assert.equal((await service.post('/api/agents', { name: 'x', systemPrompt: 'y' })).status, 503)
    await until('the agents are still there', () => carrier.rtpPackets() > heardBefore + 100)
    assert.equal((await call.bye()).status, 200)
    // Longer than a lease: the other call must not be marked as orphaned.
    await until('leases have run out', () => carrier.rtpPackets() > heardBefore + 700, 60_000)
    postgres = await startPostgres(postgres.place)
    const end = await until('its end is written', async () => {
      const found = await service.get(`/api/calls/${row.id}`)
      return found.endedAt && found
    })
    assert.deepEqual([end.status, end.endReason], ['completed', 'caller_hangup'])
    const packets = carrier.rtpPackets()
    await until('the other goes on', () => carrier.rtpPackets() > packets + 200)
    assert.equal((await service.get(`/api/calls/${other.id}`)).status, 'in_progress')
    assert.equal((await second.bye()).status, 200)
    assert.equal(
      (
        await until('its end is written too', async () => {
          const found = await service.get(`/api/calls/${other.id}`)
          return found.endedAt && found
        })
      ).endReason,
      'caller_hangup',
    )
    await service.kill('SIGTERM')
  })
