// The pre-dial webhook: only a clear yes lets an attempt leave.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRequest, HttpResponse } from '../../base/outside/http-port.ts'
import type { CampaignAttemptRow, CampaignRow } from '../../db/campaign-rows.ts'
import { askPredial, eligibilityOf } from './predial.ts'

const answer = (status: number, text: string) => eligibilityOf({ status, body: Buffer.from(text) })

test('a 2xx answer that says eligible: true or false is taken at its word', () => {
  assert.deepEqual(answer(200, '{"eligible": true}'), { isEligible: true })
  assert.deepEqual(answer(201, '{"eligible": true, "note": "x"}'), { isEligible: true })
  assert.deepEqual(answer(200, '{"eligible": false}'), { isEligible: false })
})

test('anything else is no answer', () => {
  const others = [
    '',
    'true',
    '{}',
    '[]',
    'null',
    '{"eligible": "true"}',
    '{"eligible": 1}',
    '{"eligible": null}',
    '<html>',
  ]
  for (const text of others) assert.ok('problem' in answer(200, text), text)
  for (const status of [199, 301, 302, 400, 404, 500, 503])
    assert.ok('problem' in answer(status, '{"eligible": true}'), String(status))
})

test('the request is signed and carries what the server needs to decide', async () => {
  const asked: HttpRequest[] = []
  const http = {
    async request(request: HttpRequest): Promise<HttpResponse> {
      asked.push(request)
      return { status: 200, headers: {}, body: Buffer.from('{"eligible":true}') } as unknown as HttpResponse
    },
  }
  const campaign = { predialUrl: 'https://crm.example.com/predial' } as CampaignRow
  const attempt = {
    id: 'cat_1',
    campaignId: 'cmp_1',
    contactId: 'cct_1',
    phoneNumber: '+5511987654321',
    tryNumber: 2,
  } as CampaignAttemptRow
  const question = { campaign, attempt, variables: { nome: 'Ana' }, secret: 'whsec_AAAA' }
  const { signal } = new AbortController()
  assert.deepEqual(await askPredial(http, question, signal), { isEligible: true })
  assert.deepEqual(JSON.parse(String(asked[0]?.body)), {
    campaignId: 'cmp_1',
    attemptId: 'cat_1',
    contactId: 'cct_1',
    phoneNumber: '+5511987654321',
    tryNumber: 2,
    variables: { nome: 'Ana' },
  })
  assert.equal(asked[0]?.headers?.['webhook-id'], 'cat_1')
  assert.match(asked[0]?.headers?.['webhook-signature'] ?? '', /^v1,/)
  assert.ok('problem' in (await askPredial(http, { ...question, secret: null }, signal)), 'never unsigned')
  const broken = { request: () => Promise.reject(new Error('reset')) }
  assert.ok('problem' in (await askPredial(broken, question, signal)))
})
