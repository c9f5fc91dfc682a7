// A campaign over two nodes on one PostgreSQL, against a sipp whose callees answer, are busy, silent, unreachable or
// voicemail, or hang up at once, while nodes are killed: every contact is called as its plan says and never more. An
// attempt that may have rung when its node died is in doubt and is not redialed automatically. CAMPAIGN_CONTACTS and
// CAMPAIGN_KILLS make it longer.
// @run postgres
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { allOf, type CampaignClient, campaignWith, start } from '../campaign-api.ts'
import { randomFrom } from '../crash-writers.ts'
import { agentOnService, NUMBER, type PhoneService, startPhoneService } from '../phone-service.ts'
import { type CalleeKind, kindOf, startPeople } from '../phones/sipp-callees.ts'
import { ask } from '../service.ts'
import { until } from '../until.ts'

const contactCount = Number(process.env.CAMPAIGN_CONTACTS ?? 40)
const kills = Number(process.env.CAMPAIGN_KILLS ?? 3)
const seed = Number(process.env.CRASH_SEED ?? 20_261_116)

/** Attempts are spread over this time, so that the kills happen among them. */
const SPREAD_SECONDS = Math.max(16, kills * 16)
const withinMs = 200_000 + contactCount * 500 + kills * 20_000
const pacing = { maxConcurrentCalls: 40, callsPerSecond: contactCount / SPREAD_SECONDS }
/** A busy number is called once more. */
const retries = { maxAttempts: 2, rules: [{ outcome: 'busy', times: 1, afterMinutes: 1 }], otherTimeOfDay: false }
const outcomes = {
  answered: 'answered',
  dropped: 'answered',
  voicemail: 'voicemail',
  silent: 'no_answer',
  busy: 'busy',
  unreachable: 'unreachable',
  rejected: 'rejected',
  failing: 'failed',
} as const satisfies Record<CalleeKind, string>

/** The end detail of a call whose process died. */
const CUT = 'The process that ran this call ended'

const numberOf = (index: number) => `+551198765${String(1000 + index)}`
const clientOf = (node: PhoneService): CampaignClient => ({
  get: async (path) => {
    const { status, text } = await ask(`${node.url}${path}`, node.key, 'GET')
    return { status, json: JSON.parse(text) }
  },
  post: node.post,
})

type Nodes = { all: PhoneService[]; killOne(random: () => number): Promise<void> }

async function startNodes(): Promise<Nodes> {
  const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: randomBytes(24).toString('hex') }
  const settings = { ...env, CALLS_PER_SECOND: '20', MAX_CALLS_PER_USER: '60' }
  const first = await startPhoneService(settings)
  const { key } = first
  const all = [first, await startPhoneService(settings, { key })]
  return {
    all,
    /** Kills a process at a random moment within the next seconds and starts a new one in its place. */
    async killOne(random) {
      await sleep(random() * 4000)
      const at = random() < 0.5 ? 0 : 1
      const node = all[at] as PhoneService
      await node.kill('SIGKILL')
      all[at] = await startPhoneService(settings, { key, dataDir: node.dataDir })
    },
  }
}

if (usesPostgres)
  test('a campaign over two nodes survives kill -9: every contact as its plan says, and no more', {
    timeout: withinMs,
  }, async (t) => {
    const random = randomFrom(seed)
    const people = await startPeople({ withinMs })
    t.after(people.stop)
    const nodes = await startNodes()
    t.after(() => Promise.all(nodes.all.map((each) => each.kill('SIGTERM'))))
    const [first] = nodes.all as [PhoneService]
    const trunk = { host: '127.0.0.1', port: people.port, maxConcurrentCalls: 60 }
    const { agentId, trunkId } = await agentOnService(first, trunk, NUMBER)
    const numbers = Array.from({ length: contactCount }, (_, index) => numberOf(index))
    const callerId = '+551130000000'
    const id = await campaignWith(clientOf(first), { agentId, trunkId, callerId, pacing, retries }, numbers)
    await start(clientOf(first), id)
    await until('calls go out', () => people.called().size > 2, 60_000)
    const waitingAtKill: number[] = []
    for (let killed = 0; killed < kills; killed++) {
      waitingAtKill.push(contactCount - people.called().size)
      await nodes.killOne(random)
    }
    const client = clientOf(nodes.all[0] as PhoneService)
    const campaign = await until(
      'nobody waits or is being called',
      async () => {
        const { json: now } = await client.get(`/api/campaigns/${id}`)
        const why = `${now.status}: ${now.statusReason} ${now.statusDetail}`
        assert.ok(['running', 'completed'].includes(now.status), why)
        return now.contacts.waiting + now.contacts.calling === 0 && now
      },
      withinMs,
    )
    const contacts = await allOf(client, `/api/campaigns/${id}/contacts`)
    const attempts = await allOf(client, `/api/campaigns/${id}/attempts`)
    const called = people.called()
    assert.equal(contacts.length, contactCount)
    for (const contact of contacts) {
      const number: string = contact.phoneNumber
      const kind = kindOf(number)
      const own = attempts.filter(({ contactId, status }) => contactId === contact.id && status !== 'withdrawn')
      const sent = called.get(number)?.size ?? 0
      const doubts = own.filter(({ status }) => status === 'in_doubt').length
      const tries = kind === 'busy' && contact.status !== 'in_doubt' ? 2 : 1
      assert.ok(own.length === tries || (doubts > 0 && own.length <= 2), `${number} ${kind}: ${own.length} tries`)
      assert.ok(
        sent <= own.length && sent >= own.length - doubts,
        `${number} ${kind}: ${sent} calls, ${doubts} in doubt`,
      )
      // Answered when its node died: somebody was reached, and AMD had not decided yet.
      const isCut = own.some(({ detail, outcome }) => outcome === 'answered' && detail === CUT)
      if (doubts === 0) assert.equal(contact.outcome, isCut ? 'answered' : outcomes[kind], number)
      for (const doubt of own.filter(({ status }) => status === 'in_doubt'))
        assert.match(doubt.detail, /ended while it was dialing/)
    }
    const { in_doubt: inDoubt } = campaign.contacts
    const sentTotal = [...called.values()].reduce((sum, ids) => sum + ids.size, 0)
    const withdrawn = attempts.filter(({ status }) => status === 'withdrawn').length
    t.diagnostic(
      `measured ${contactCount} contacts, ${kills} kills, ${sentTotal} calls, ${inDoubt} in doubt, ${withdrawn} withdrawn`,
    )
    t.diagnostic(`measured contacts not called yet at each kill: ${waitingAtKill.join(' ')}`)
    assert.ok(
      waitingAtKill.some((waiting) => waiting > 0),
      'the kills fell among the calls',
    )
    assert.ok(inDoubt <= kills * pacing.maxConcurrentCalls, 'no more than were being dialled')
  })
