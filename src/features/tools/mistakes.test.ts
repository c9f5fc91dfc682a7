// Tools that cannot work as configured are rejected on write; settings that are only missing may follow later.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

const url = '/api/tools'
const api = 'api_request'

const wrong: [fields: { type: string; [name: string]: unknown }, told: RegExp][] = [
  [{ type: api, authorization: { type: 'digest' } }, /authorization.type must be one of none, bearer/],
  [{ type: api, authorization: { type: 'bearer' } }, /bearer needs token/],
  [{ type: api, authorization: { type: 'bearer', token: '' } }, /bearer needs token/],
  [{ type: api, authorization: { type: 'hmac' } }, /hmac needs secret/],
  [{ type: api, authorization: { type: 'hmac', secret: 's', algorithm: 'md5' } }, /needs the algorithm sha256/],
  [{ type: api, authorization: { type: 'basic', username: 'ana' } }, /basic needs username and password/],
  [
    { type: api, authorization: { type: 'api_key', name: 'k', value: 'v', in: 'cookie' } },
    /needs header or query as in/,
  ],
  [{ type: api, authorization: { type: 'api_key', value: 'v' } }, /needs name and value/],
  [{ type: 'mcp', authorization: { type: 'oauth2_client_credentials', clientId: 'c' } }, /needs tokenUrl/],
  [{ type: api, config: { responseFilter: ['a..b['] } }, /responseFilter: a\.\.b\[ is no path/],
  [{ type: 'custom', config: { responseVariables: { a: '[' } } }, /responseVariables: \[ is no path/],
  [{ type: 'calendar', config: { timeZone: 'Mars/Base' } }, /Mars\/Base is no time zone/],
  [{ type: 'calendar', body: { timeZone: 'Mars/Base' } }, /Mars\/Base is no time zone/],
  [{ type: 'calendar', config: { workingHours: { from: '18:00', to: '08:00' } } }, /from must be before to/],
  [{ type: 'transfer_call', config: { destinations: [] } }, /needs destinations, or allowAnyNumber/],
  [{ type: 'transfer_call', config: { allowAnyNumber: false } }, /needs destinations, or allowAnyNumber/],
  [
    { type: 'transfer_call', config: { destinations: [{ type: 'number' }] } },
    /destinations\[0\]: a number is written as/,
  ],
  [
    { type: 'transfer_call', config: { destinations: [{ type: 'sip', sipUri: 'desk' }] } },
    /destinations\[0\]: a sipUri/,
  ],
  [{ type: 'end_call', config: { rejectIf: [{ param: 'a', operator: 'is' }] } }, /as operator one of eq, neq/],
  [{ type: 'end_call', config: { rejectIf: [{ value: 1 }] } }, /needs param or variable/],
]

test('120 a mistake in a tool is a 400, on create and on update', async () => {
  const { ana } = await testApp()
  for (const [{ type, ...fields }, told] of wrong) {
    const answer = await ana.post(url, { name: 'x', type, ...fields })
    assert.equal(answer.status, 400, JSON.stringify(fields))
    assertError(answer, 400, told)
    const { json: tool, status } = await ana.post(url, { name: 'x', type })
    assert.equal(status, 201, `a ${type} may be finished later`)
    assertError(await ana.patch(`${url}/${tool.id}`, fields), 400, told)
    assert.deepEqual((await ana.get(`${url}/${tool.id}`)).json, tool)
  }
})

test('119 a correct or merely incomplete tool is accepted', async () => {
  const { ana } = await testApp()
  const right: object[] = [
    { type: api },
    { type: api, authorization: { type: 'none' } },
    { type: api, authorization: { type: 'basic', username: 'a key as the name', password: '' } },
    { type: api, authorization: { type: 'api_key', name: 'k', value: 'v', in: 'query' } },
    { type: 'calendar', config: { timeZone: 'America/Sao_Paulo' } },
    { type: 'transfer_call', config: { allowAnyNumber: true } },
    { type: 'end_call', config: { rejectIf: [{ variable: 'a', operator: 'gte', value: 1 }] } },
  ]
  for (const fields of right) {
    const { status, text } = await ana.post(url, { name: 'x', ...fields })
    assert.equal(status, 201, `${JSON.stringify(fields)}: ${text}`)
  }
})

test('a tool stored before a check existed can still be renamed and repaired', async () => {
  const { ana, database } = await testApp()
  const { json: tool } = await ana.post(url, { name: 'x', type: 'calendar', requestUrl: 'https://calendar.example/' })
  const config = JSON.stringify({ timeZone: 'Mars/Base' })
  await database.db.updateTable('tools').set({ config }).where('id', '=', tool.id).execute()
  assert.equal((await ana.patch(`${url}/${tool.id}`, { name: 'y', isActive: false })).status, 200)
  assertError(await ana.post(`${url}/${tool.id}/test`, {}), 409, /Mars\/Base is no time zone/)
  assert.equal((await ana.patch(`${url}/${tool.id}`, { config: { timeZone: 'Europe/Madrid' } })).status, 200)
})

test('testing a call-control tool reports what is wrong with it, and which destinations are not offered', async () => {
  const { ana, bia } = await testApp()
  const told = async (fields: object) => {
    const { json, status, text } = await ana.post(url, { name: 'x', ...fields })
    assert.equal(status, 201, text)
    return ana.post(`${url}/${json.id}/test`, {})
  }
  assertError(await told({ type: 'transfer_call' }), 409, 'This tool cannot be used: it has no destinations')
  assertError(await told({ type: 'end_call' }), 409, /needs a live call/)
  const { json: own } = await ana.post('/api/agents', anAgent)
  const { json: foreign } = await bia.post('/api/agents', anAgent)
  const to = (...ids: string[]) => ({
    type: 'transfer_call',
    config: { destinations: ids.map((agentId) => ({ type: 'agent', agentId })) },
  })
  assertError(await told(to('agt_gone')), 409, 'This tool cannot be used: there is no agent agt_gone')
  assertError(await told(to(foreign.id)), 409, `This tool cannot be used: there is no agent ${foreign.id}`)
  assertError(await told(to(own.id, 'agt_gone')), 409, /needs a live call.* Not offered: there is no agent agt_gone$/)
  assertError(await told(to(own.id)), 409, /acts on the call itself$/)
})
