// The transcript and end time of a call during a database outage are stored afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, usesPostgres } from '../app.ts'
import { answeredCall, NUMBER, spoken, startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { startPostgres } from '../servers.ts'
import { ask } from '../service.ts'
import { until } from '../until.ts'

if (usesPostgres)
  test('messages spoken while PostgreSQL is down are stored in order, and the end time is that of the call', async (t) => {
    let postgres = await startPostgres()
    atEnd(() => postgres.stop())
    const service = await startPhoneService({ DATABASE_URL: postgres.url })
    const carrier = await openByHand(t)
    const settings = { turn: { idleReminderMs: 2500 } }
    const agent = (
      await service.post('/api/agents', { name: 'Ana', systemPrompt: 'x', initialSpeech: 'Hi.', settings })
    ).json
    const trunk = { name: 'carrier', optionsPing: false, host: '127.0.0.1', port: carrier.port }
    const { id: trunkId } = (await service.post('/api/trunks', trunk)).json
    await service.post(`/api/agents/${agent.id}/link-trunk`, { trunkId, trunkType: 'inbound', phoneNumber: NUMBER })
    const call = await answeredCall(carrier, service.sipPort)
    const row = await spoken(service)
    await postgres.stop('SIGINT', 'keep')
    for (let i = 0; i < 5; i++) {
      const refused = await ask(`${service.url}/api/agents`, service.key, 'GET')
      assert.equal(refused.status, 503)
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    const heard = carrier.rtpPackets()
    await until('the agent has reminded the caller', () => carrier.rtpPackets() > heard + 400, 25_000)
    assert.equal((await call.bye()).status, 200)
    const hungUpAt = Date.now()
    const packets = carrier.rtpPackets()
    await until(
      'the database is away for some time',
      () => Date.now() > hungUpAt + 4000 || carrier.rtpPackets() < packets,
    )
    const backAt = Date.now()
    postgres = await startPostgres(postgres.place)
    const end = await until(
      'its end is written',
      async () => {
        const found = await service.get(`/api/calls/${row.id}`)
        return found.endedAt && found
      },
      25_000,
    )
    assert.equal(end.endReason, 'caller_hangup')
    assert.ok(Date.parse(end.endedAt) < backAt, `${end.endedAt}, not when it was written`)
    const messages = await service.get(`/api/conversations/messages/${row.conversationId}`)
    assert.ok(messages.length >= 2, `${messages.length} kept`)
    assert.equal(new Set(messages.map(({ id }: { id: string }) => id)).size, messages.length)
    const turns = await service.get(`/api/calls/${row.id}/turns`)
    assert.deepEqual(
      turns.map(({ agent }: { agent: string }) => agent),
      messages.map(({ content }: { content: string }) => content),
      'turns and messages tell the same, in the same order',
    )
    const errors = service.output().match(/"level":"error"/g) ?? []
    assert.equal(errors.length, 1, service.output())
    await service.kill('SIGTERM')
  })
