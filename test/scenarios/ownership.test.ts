// Two users, every id in every path, query and body: another user's record is not found and stays unchanged.
// @run gate
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { Answer } from '../answers.ts'
import { aNumber, anAgent, assertError, type Client, testApp } from '../app.ts'
import { isStream, type Operation, operationsOf, urlOf } from '../operations.ts'
import { dumpOf, type Kind, kindOfField, kindsOf, makeRecords, type Records } from '../records.ts'

/** A body that would be accepted if the ids were the user's own. */
const validBodies: Record<string, () => object> = {
  'PATCH /api/agents/{id}': () => ({ name: 'taken' }),
  'POST /api/agents/{id}/link-trunk': () => ({ trunkId: 'line', trunkType: 'inbound', phoneNumber: aNumber() }),
  'POST /api/conversations/message/send/{conversationId}': () => ({ type: 'user', content: 'hello' }),
  'POST /api/conversations/start': () => ({}),
  'POST /api/conversations/end': () => ({}),
  'POST /api/did': () => ({ phoneNumber: aNumber(), countryCode: '55' }),
  'PATCH /api/did/{id}': () => ({ status: 'inactive' }),
  'POST /api/agents/{id}/duplicate': () => ({ name: 'taken' }),
  'POST /api/tools/{id}/duplicate': () => ({ name: 'taken' }),
  'POST /api/trunks/{id}/duplicate': () => ({ name: 'taken' }),
  'PATCH /api/trunks/{id}': () => ({ name: 'taken' }),
  'POST /api/trunks/{id}/doctor': () => ({}),
  'POST /api/gateway/devices': () => ({}),
  'PATCH /api/gateway/devices/{id}': () => ({ name: 'taken' }),
  'PATCH /api/webhooks/{id}': () => ({ description: 'taken' }),
  'PATCH /api/providers/{id}': () => ({ name: 'taken' }),
  'PATCH /api/tools/{id}': () => ({ name: 'taken' }),
  'POST /api/tools/{id}/test': () => ({ arguments: {} }),
  'POST /api/rehearsals': () => ({ steps: [] }),
  'POST /api/rehearsal-scripts': () => ({ name: 'mine', script: { steps: [{ says: 'hello' }] } }),
  'PATCH /api/rehearsal-scripts/{id}': () => ({ name: 'taken' }),
  'POST /api/rehearsal-scripts/from-call': () => ({}),
  'POST /api/rehearsal-scripts/{id}/runs': () => ({}),
  'PATCH /api/knowledge-bases/{id}': () => ({ name: 'taken' }),
  'POST /api/knowledge-bases/{id}/search': () => ({ query: 'secret' }),
  'POST /api/knowledge-bases/{id}/documents': () => ({ name: 'taken', content: 'Other words.' }),
  'PATCH /api/spreadsheets/{id}': () => ({ name: 'taken' }),
  'POST /api/spreadsheets/{id}/rows': () => ({ values: { Name: 'taken' } }),
  'PATCH /api/spreadsheets/{id}/rows/{rowId}': () => ({ values: { Name: 'taken' } }),
  'PUT /api/knowledge-bases/{id}/documents/{documentId}': () => ({ name: 'taken', content: 'Other words.' }),
  'POST /api/calls/outbound': () => ({ toNumber: aNumber() }),
  'POST /api/gateway/calls/outbound': () => ({ toNumber: aNumber() }),
  'POST /api/organizations': () => ({ name: 'mine' }),
  'PATCH /api/organizations/{id}': () => ({ name: 'taken' }),
  'PATCH /api/organizations/{id}/members/{personId}': () => ({ role: 'viewer' }),
  'POST /api/organizations/{id}/invitations': () => ({ email: 'eva@example.com', role: 'viewer' }),
  'PATCH /api/callbacks/{id}': () => ({ status: 'done' }),
  'POST /api/calls/{id}/say': () => ({ text: 'hello' }),
  'POST /api/calls/{id}/transfer': () => ({ agentId: 'agt_missing' }),
  'POST /api/web-calls': () => ({}),
  'POST /api/widgets': () => ({ name: 'mine' }),
  'PATCH /api/widgets/{id}': () => ({ name: 'taken' }),
  'PUT /api/did/{id}/answer-hook': () => ({ kind: 'url', url: 'https://example.com/' }),
  'POST /api/did/{id}/answer-hook/test': () => ({}),
  'PUT /api/agents/{id}/answer-hook': () => ({ kind: 'url', url: 'https://example.com/' }),
  'POST /api/agents/{id}/answer-hook/test': () => ({}),
  'POST /api/gateway/sip/credentials/rotate': () => ({}),
  'POST /api/campaigns': () => ({ name: 'mine', agentId: 'agt_missing' }),
  'PATCH /api/campaigns/{id}': () => ({ name: 'taken' }),
  'POST /api/campaigns/{id}/preview': () => ({}),
  'POST /api/campaigns/{id}/contacts': () => ({ spreadsheetId: 'sht_missing' }),
  'POST /api/campaigns/{id}/contacts/{contactId}/resolve': () => ({ resolution: 'give_up' }),
  'POST /api/suppressions': () => ({ phoneNumber: aNumber() }),
  'POST /api/suppressions/check': () => ({ phoneNumber: aNumber() }),
  'POST /api/suppression-lists': () => ({ name: 'mine' }),
  'PATCH /api/suppression-lists/{id}': () => ({ name: 'taken' }),
  'POST /api/calling-rules': () => ({ name: 'mine', copyOf: 'br-strict' }),
  'PATCH /api/calling-rules/{id}': () => ({ name: 'taken' }),
  'POST /api/calling-rules/{id}/ask': () => ({ phoneNumber: '+5511987654321' }),
}

const missing: Record<Kind, string> = {
  agent: 'agt_missing',
  conversation: 'cnv_missing',
  did: 'did_missing',
  trunk: 'trk_missing',
  tool: 'tol_missing',
  device: 'dev_missing',
  call: 'cal_missing',
  callback: 'cbk_missing',
  key: 'key_missing',
  rehearsal: 'reh_missing',
  knowledgeBase: 'kb_missing',
  document: 'doc_missing',
  spreadsheet: 'sht_missing',
  row: 'row_missing',
  webhook: 'whk_missing',
  delivery: 'dlv_missing',
  provider: 'prv_missing',
  widget: 'wgt_missing',
  script: 'rhs_missing',
  user: 'usr_missing',
  invitation: 'inv_missing',
  campaign: 'cmp_missing',
  contact: 'cct_missing',
  import: 'imp_missing',
  suppression: 'sup_missing',
  suppressionList: 'spl_missing',
  callingRules: 'crl_missing',
  organization: 'org_missing',
  member: 'usr_missing',
  memberInvitation: 'inv_missing',
}

function bodyOf(operation: Operation): object | undefined {
  if (!operation.body) return undefined
  const body = validBodies[operation.title]
  assert.ok(body, `${operation.title} needs a valid body in this test`)
  return body()
}

const send = (user: Client, operation: Operation, url: string, body: object | undefined): Promise<Answer> =>
  user.send({
    method: operation.method,
    url,
    ...(body ? { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) } : {}),
  })

/** Every combination in which at least one record is another user's and the rest are the user's own. */
function mixtures(count: number): boolean[][] {
  return Array.from({ length: 2 ** count - 1 }, (_, n) =>
    Array.from({ length: count }, (_, i) => (((n + 1) >> i) & 1) === 1),
  )
}

async function twoUsers() {
  const started = await testApp()
  const { ana, bia, database } = started
  const [hers, own] = [await makeRecords(started, ana), await makeRecords(started, bia)]
  const before = await dumpOf(database, ana.userId)
  assert.ok(before.split('\n').length >= 15, before)
  const unchanged = async (what: string) => {
    assert.equal(await dumpOf(database, ana.userId), before, `${what} changed what is another's`)
    assert.ok(existsSync(hers.recording), `${what} removed another's recording`)
  }
  // Users and invitations belong to no user; members are refused (scopes.test.ts).
  const operations = operationsOf(started.app).filter(({ path }) => !/^\/api\/(users|invitations)\b/.test(path))
  return { ...started, hers, own, unchanged, operations }
}

test("29 another user's id in a path is answered like an unknown id, and their data does not change", async () => {
  const { bia, hers, own, unchanged, operations } = await twoUsers()
  const withId = operations.filter((operation) => operation.pathParameters.length > 0)
  assert.ok(withId.length > 25)
  for (const operation of withId) {
    const kinds = kindsOf(operation)
    for (const foreign of mixtures(kinds.length)) {
      const url = (others: Record<Kind, string>) =>
        urlOf(operation, Object.fromEntries(kinds.map(([name, kind], i) => [name, (foreign[i] ? others : own)[kind]])))
      const [toHers, toNone] = [url(hers), url(missing)]
      const what = `${operation.title} as ${toHers}`
      const [answer, expected] = [
        await send(bia, operation, toHers, bodyOf(operation)),
        await send(bia, operation, toNone, bodyOf(operation)),
      ]
      assertError(expected, 404, /^(?!Route)\w.* not found$/)
      assert.equal(answer.status, 404, what)
      assert.equal(answer.text, expected.text, what)
      if (operation.method === 'GET')
        assert.equal((await bia.send({ method: 'HEAD', url: toHers })).status, 404, `HEAD ${what}`)
      await unchanged(what)
    }
  }
})

test("29 another user's id in a body is answered like an unknown id, and their data does not change", async () => {
  const { bia, hers, own, unchanged, operations } = await twoUsers()
  let tried = 0
  for (const operation of operations) {
    for (const field of Object.keys(operation.body?.properties ?? {}).filter((name) => name.endsWith('Id'))) {
      const kind = kindOfField[field]
      assert.notEqual(kind, undefined, `${operation.title}: it is not decided what ${field} names`)
      if (!kind || field === 'trunkId') continue // a trunk's id is scoped to its user: see below
      tried++
      const url = urlOf(operation, Object.fromEntries(kindsOf(operation).map(([name, k]) => [name, own[k]])))
      const [answer, expected] = [
        await send(bia, operation, url, { ...bodyOf(operation), [field]: hers[kind] }),
        await send(bia, operation, url, { ...bodyOf(operation), [field]: missing[kind] }),
      ]
      assertError(expected, 404)
      assert.equal(answer.text, expected.text, `${operation.title} with ${field}`)
      await unchanged(`${operation.title} with ${field}`)
    }
  }
  assert.ok(tried >= 8, `only ${tried} ids in bodies were found`)
})

test("29 another user's id in a query finds the same as an unknown id", async () => {
  const { bia, hers, unchanged, operations } = await twoUsers()
  let tried = 0
  for (const operation of operations) {
    for (const { name } of operation.query.filter((parameter) => parameter.name.endsWith('Id'))) {
      const kind = kindOfField[name]
      if (kind === null) continue
      assert.ok(kind, `${operation.title}: it is not decided what ${name} names`)
      for (const id of kind === 'device' ? [hers.device, hers.deviceId] : [hers[kind]]) {
        tried++
        const answer = await send(bia, operation, `${operation.path}?${name}=${id}`, undefined)
        const expected = await send(bia, operation, `${operation.path}?${name}=${missing[kind]}`, undefined)
        assert.equal(answer.text, expected.text, `${operation.title} with ${name}`)
        assert.equal(answer.status, expected.status)
        await unchanged(`${operation.title} with ${name}`)
      }
    }
  }
  assert.ok(tried >= 5, `only ${tried} ids in queries were found`)
})

test("29, 72 another user's trunk id in a link creates a trunk of the caller's own, and leaves theirs unchanged", async () => {
  const { bia, hers, unchanged } = await twoUsers()
  const { json: agent } = await bia.post('/api/agents', anAgent)
  const linked = await bia.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: hers.trunk, trunkType: 'outbound' })
  assert.equal(linked.status, 201)
  assert.deepEqual(linked.json.trunk, { id: hers.trunk, name: hers.trunk, host: null, status: 'unconfigured' })
  assert.equal((await bia.patch(`/api/trunks/${hers.trunk}`, { host: 'other.example.com' })).status, 200)
  await unchanged('linking and changing a trunk of the same id')
  assert.equal((await bia.delete(`/api/trunks/${hers.trunk}`)).status, 200)
  await unchanged('removing a trunk of the same id')
})

test("29, 73 another user's number in a link or a DID is a conflict, and links nothing", async () => {
  const { ana, bia, hers, own, unchanged, database } = await twoUsers()
  const { phoneNumber } = (await ana.get(`/api/did/${hers.did}`)).json
  const before = await dumpOf(database, bia.userId)
  const link = { trunkId: 'new', trunkType: 'inbound', phoneNumber }
  assertError(await bia.post(`/api/agents/${own.agent}/link-trunk`, link), 409)
  assertError(await bia.post('/api/did', { phoneNumber, countryCode: '55' }), 409)
  assert.equal(await dumpOf(database, bia.userId), before)
  await unchanged('asking for a number')
})

test("29 another user's device tokens in a call are treated like unknown ones, and their data does not change", async () => {
  const { bia, hers, own, unchanged } = await twoUsers()
  const call = { toNumber: aNumber(), agentId: own.agent }
  for (const token of ['unknown', hers.deviceToken, hers.device, hers.deviceId]) {
    const answers = [
      await bia.post('/api/calls/outbound', { ...call, fromDeviceTokens: [token] }),
      await bia.post('/api/gateway/calls/outbound', { ...call, deviceTokens: [token] }),
    ]
    for (const { json } of answers) {
      assert.equal(json.status, 'initiating')
      assert.notEqual((await bia.get(`/api/calls/${json.callId}`)).json.deviceId, hers.device)
    }
  }
  await unchanged('calling through her devices')
})

test("29, 55 no list of one user contains another user's data", async () => {
  const { bia, hers, operations } = await twoUsers()
  const ids = Object.values(hers as Records)
  for (const operation of operations.filter(
    (o) => o.method === 'GET' && o.pathParameters.length === 0 && !isStream(o),
  )) {
    const { text } = await send(bia, operation, operation.path, undefined)
    for (const id of ids) assert.ok(!text.includes(id), `${operation.title} shows ${id}`)
  }
})
