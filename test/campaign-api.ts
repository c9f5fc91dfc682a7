// Creates campaigns over the API as a user does: rules, campaign, list, start.
import assert from 'node:assert/strict'
import { anyTime } from './any-time-rules.ts'
import { until } from './until.ts'

// biome-ignore lint/suspicious/noExplicitAny: any JSON response of the API
type Json = any
type Answer = { status: number; json: Json }

export type CampaignClient = {
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
}

export async function expectStatus(status: number, answer: Promise<Answer>): Promise<Json> {
  const { status: given, json } = await answer
  assert.equal(given, status, JSON.stringify(json))
  return json
}

/** Creates a rule pack that permits calls at any time. */
export const anyTimeRules = async (client: CampaignClient): Promise<string> =>
  (await expectStatus(201, client.post('/api/calling-rules', { name: 'Any time', pack: anyTime }))).id

/** A draft with these contacts imported. Its rules permit calls at any time unless `campaign` names others. */
export async function campaignWith(client: CampaignClient, campaign: object, numbers: readonly string[]) {
  const rulesId = await anyTimeRules(client)
  const retries = { maxAttempts: 1, rules: [], otherTimeOfDay: false }
  const made = await expectStatus(201, client.post('/api/campaigns', { name: 'test', rulesId, retries, ...campaign }))
  const id: string = made.id
  const rows = numbers.map((telefone, i) => ({ telefone, nome: `n${i}` }))
  for (let from = 0; from < rows.length; from += 500) {
    const body = { rows: rows.slice(from, from + 500), phoneColumn: 'telefone' }
    const { id: importId } = await expectStatus(202, client.post(`/api/campaigns/${id}/contacts`, body))
    const isRead = async () => {
      const read = (await client.get(`/api/campaigns/${id}/imports/${importId}`)).json
      assert.notEqual(read.status, 'failed', JSON.stringify(read))
      return read.status === 'completed'
    }
    await until('the list is read', isRead, 60_000)
  }
  return id
}

export const start = (client: CampaignClient, id: string) =>
  expectStatus(200, client.post(`/api/campaigns/${id}/start`))

/** Fetches a whole list. */
export const allOf = (client: CampaignClient, path: string): Promise<Json[]> => expectStatus(200, client.get(path))
