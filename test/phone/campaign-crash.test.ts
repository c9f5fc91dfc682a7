// A campaign over two nodes on one PostgreSQL against a SIP peer that answers, is busy, unreachable or rejects, while nodes are killed: every
// contact is called exactly once. What may have rung when its node died is in doubt, and is not called again by itself.
// CAMPAIGN_CONTACTS and CAMPAIGN_KILLS make it longer.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newRequest } from '../../src/sip/message/build.ts'
import type { SipRequest } from '../../src/sip/message/message.ts'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { randomFrom } from '../crash-writers.ts'
import { agentOnService, NUMBER, type PhoneService, startPhoneService } from '../phone-service.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

const contactCount = Number(process.env.CAMPAIGN_CONTACTS ?? 40)
const kills = Number(process.env.CAMPAIGN_KILLS ?? 3)
const seed = Number(process.env.CRASH_SEED ?? 20_261_116)

const behaviours = ['busy', 'answered', 'unreachable', 'rejected'] as const
const codes = { busy: 486, unreachable: 480, rejected: 603 } as const
const numberOf = (index: number) => `+551198765${String(1000 + index)}`
const behaviourOf = (number: string) => behaviours[Number(number.slice(-4)) % behaviours.length] ?? 'busy'

const told = { source: 'this test', date: '2026-11-16' }
const alwaysOpen = {
  ...{ id: 'always', name: 'Always', version: 1, date: '2026-11-16', countries: null },
  windows: [
    { id: 'open', regions: null, windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }], ...told },
  ],
  ...{ holidays: null, frequency: [], spacing: null, monthly: null, shortCalls: null },
  disclosure: { id: 'disclosure', isRequired: false, ...told },
}

/** Answers by the number, and remembers the calls to each. */
function carrierOf(peer: ByHand): Map<string, Set<string>> {
  const calls = new Map<string, Set<string>>()
  const hangUp = (invite: SipRequest) => {
    const contact = /<([^>]+)>/.exec(invite.headers.get('contact') ?? '')?.[1] ?? ''
    const bye = newRequest({
      ...{ method: 'BYE', uri: contact, callId: invite.headers.get('call-id') ?? '', cseq: 1 },
      from: `${invite.headers.get('to')};tag=far`,
      to: invite.headers.get('from') ?? '',
      headers: [['contact', `<sip:far@${peer.address}:${peer.port}>`]],
    })
    bye.headers.prepend(
      'via',
      `SIP/2.0/UDP ${peer.address}:${peer.port};branch=z9hG4bK${randomBytes(8).toString('hex')}`,
    )
    peer.send(bye, Number(/:(\d+)/.exec(contact.slice(4))?.[1]))
  }
  peer.onRequest = (request) => {
    if (request.method !== 'INVITE') return peer.answer(request, 200)
    const number = /sip:(\+?\d+)@/.exec(request.uri)?.[1] ?? ''
    const known = calls.get(number) ?? new Set()
    calls.set(number, known.add(request.headers.get('call-id') ?? ''))
    const behaviour = behaviourOf(number)
    if (behaviour !== 'answered') return peer.answer(request, codes[behaviour])
    peer.answer(request, 200, { sdp: peer.sdp() })
    setTimeout(() => hangUp(request), 500)
  }
  return calls
}

async function startCampaign(node: PhoneService, port: number): Promise<string> {
  const { agentId, trunkId } = await agentOnService(node, { host: '127.0.0.1', port }, NUMBER)
  const rules = await node.post('/api/calling-rules', { name: 'Always', pack: alwaysOpen })
  assert.equal(rules.status, 201, JSON.stringify(rules.json))
  const made = await node.post('/api/campaigns', {
    ...{ name: 'crash', agentId, trunkId, callerId: '+551130000000', rulesId: rules.json.id },
    pacing: { maxConcurrentCalls: 8, callsPerSecond: 8 },
    retries: { maxAttempts: 1, rules: [], otherTimeOfDay: false },
  })
  assert.equal(made.status, 201, JSON.stringify(made.json))
  const { id } = made.json
  const rows = Array.from({ length: contactCount }, (_, index) => ({ telefone: numberOf(index), nome: `n${index}` }))
  const begun = await node.post(`/api/campaigns/${id}/contacts`, { rows, phoneColumn: 'telefone' })
  assert.equal(begun.status, 202, JSON.stringify(begun.json))
  await until('the list is read', async () => {
    const read = await node.get(`/api/campaigns/${id}/imports/${begun.json.id}`)
    assert.notEqual(read.status, 'failed', read.error)
    return read.status === 'completed' && read.accepted === contactCount
  })
  const started = await node.post(`/api/campaigns/${id}/start`)
  assert.equal(started.status, 200, JSON.stringify(started.json))
  return id
}

async function all(node: PhoneService, path: string): Promise<Record<string, string | number | null>[]> {
  const found = []
  for (let after: string | null = ''; after !== null; ) {
    const page: Record<string, string | number | null>[] = await node.get(
      `${path}?limit=100${after ? `&after=${after}` : ''}`,
    )
    found.push(...page)
    after = page.length === 100 ? String(page.at(-1)?.id) : null
  }
  return found
}

if (usesPostgres)
  test('a campaign over two nodes survives kill -9: every contact exactly once', async (t) => {
    const random = randomFrom(seed)
    const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: randomBytes(24).toString('hex') }
    const settings = { ...env, CALLS_PER_SECOND: '20' }
    const first = await startPhoneService(settings)
    const nodes = [first, await startPhoneService(settings, { key: first.key })]
    const peer = await openByHand(t)
    const calls = carrierOf(peer)
    const id = await startCampaign(first, peer.port)
    for (let killed = 0; killed < kills; killed++) {
      const before = calls.size
      await until('calls go out', () => calls.size > before + 2 || calls.size >= contactCount, 60_000)
      await sleep(random() * 500)
      const at = random() < 0.5 ? 0 : 1
      const node = nodes[at] as PhoneService
      await node.kill('SIGKILL')
      nodes[at] = await startPhoneService(settings, { key: first.key, dataDir: node.dataDir })
    }
    const node = nodes[0] as PhoneService
    const campaign = await until(
      'nobody waits or is being called',
      async () => {
        const now = await node.get(`/api/campaigns/${id}`)
        assert.ok(
          ['running', 'completed'].includes(now.status),
          `${now.status}: ${now.statusReason} ${now.statusDetail}`,
        )
        return now.contacts.waiting + now.contacts.calling === 0 && now
      },
      120_000 + contactCount * 500,
    )
    const contacts = await all(node, `/api/campaigns/${id}/contacts`)
    const attempts = await all(node, `/api/campaigns/${id}/attempts`)
    assert.equal(contacts.length, contactCount)
    for (const contact of contacts) {
      const number = String(contact.phoneNumber)
      const sent = calls.get(number)?.size ?? 0
      const own = attempts.filter(({ contactId, status }) => contactId === contact.id && status !== 'withdrawn')
      assert.equal(own.length, 1, `${number}: one try in the ledger`)
      if (contact.status === 'in_doubt') assert.ok(sent <= 1, `${number}: ${sent} calls, in doubt`)
      else assert.deepEqual([sent, contact.outcome], [1, behaviourOf(number)], number)
    }
    for (const invite of peer.all('INVITE'))
      assert.match(invite.headers.get('from') ?? '', /sip:\+551130000000@/, "the campaign's caller ID")
    const { in_doubt: inDoubt } = campaign.contacts
    t.diagnostic(`${contactCount} contacts, ${kills} kills, ${inDoubt} in doubt`)
    assert.ok(inDoubt <= kills * 8, 'no more than were being dialled')
    await Promise.all(nodes.map((each) => each.kill('SIGTERM')))
  })
