// /api/calling-rules: packs of the product, copies of users, their versions, and questions to them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, testApp } from '../../../test/app.ts'

const { newUser, database } = await testApp()
const member = () => newUser('Ana')
/** The content type without its parameters. */
const codeOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-error-code']).split(';')[0]

test('the packs of the product come first and cannot be changed', async () => {
  const { get, post, patch, delete: del } = await member()
  const mine = (await post('/api/calling-rules', { name: 'Nossa clínica', copyOf: 'br-strict' })).json
  const list = (await get('/api/calling-rules')).json
  assert.deepEqual(
    list.map(({ id, isBuiltIn }: { id: string; isBuiltIn: boolean }) => [id, isBuiltIn]),
    [
      ['br-strict', true],
      ['international', true],
      [mine.id, false],
    ],
  )
  const builtIn = (await get('/api/calling-rules/br-strict')).json
  assert.deepEqual([builtIn.version, builtIn.createdAt, builtIn.pack.windows[0].id], [1, null, 'br-hours'])
  for (const answer of [
    await patch('/api/calling-rules/br-strict', { name: 'x' }),
    await del('/api/calling-rules/br-strict'),
  ])
    assert.deepEqual([answer.status, codeOf(answer)], [409, 'rules_builtin'])
})

test('a copy is its own pack; its version grows when its rules change, not with its name', async () => {
  const { get, post, patch } = await member()
  const copy = (await post('/api/calling-rules', { name: 'Cópia', copyOf: 'br-strict' })).json
  assert.match(copy.id, /^crl_/)
  assert.deepEqual([copy.version, copy.pack.id, copy.pack.name, copy.pack.version], [1, copy.id, 'Cópia', 1])
  const path = `/api/calling-rules/${copy.id}`
  const renamed = (await patch(path, { name: 'Outra' })).json
  assert.deepEqual([renamed.name, renamed.version, renamed.pack.name], ['Outra', 1, 'Outra'])
  const unchanged = (await patch(path, { pack: Object.fromEntries(Object.entries(copy.pack).reverse()) })).json
  assert.equal(unchanged.version, 1)
  const changed = (await patch(path, { pack: { ...copy.pack, spacing: null } })).json
  assert.deepEqual([changed.version, changed.pack.version, changed.pack.spacing], [2, 2, null])
  assert.deepEqual((await get(path)).json, changed)
})

test('what the product wrote is there in three languages: of its packs, and of what a copy kept of them', async () => {
  const { get, post, patch } = await member()
  const languages = (rules: { texts: Record<string, string>[] }, text: string) =>
    rules.texts.find(({ en }) => en === text)
  for (const builtIn of (await get('/api/calling-rules')).json) {
    const sources = [builtIn.name, builtIn.pack.disclosure.source]
    for (const rule of [...builtIn.pack.windows, ...builtIn.pack.frequency]) sources.push(rule.source)
    for (const source of sources) {
      const { en, pt, es } = languages(builtIn, source) ?? {}
      assert.ok(en && pt && es && en !== pt, source)
    }
    const wrong = [...JSON.stringify(builtIn.pack).matchAll(/"date":"([\d-]+)"/g)].filter(
      ([, day]) => day !== builtIn.pack.date,
    )
    assert.deepEqual(wrong, [], 'each source was consulted when the pack was made')
  }
  const copy = (await post('/api/calling-rules', { name: 'Cópia', copyOf: 'br-strict' })).json
  const [first, ...others] = copy.pack.windows
  assert.equal(languages(copy, first.source)?.pt?.startsWith('Padrão do Ramal'), true)
  const windows = [{ ...first, source: 'Our lawyer' }, ...others]
  const changed = (await patch(`/api/calling-rules/${copy.id}`, { pack: { ...copy.pack, windows } })).json
  assert.equal(languages(changed, first.source), undefined)
  assert.equal(languages(changed, 'Our lawyer'), undefined)
  assert.ok(languages(changed, others[0].source))
})

test('rules that cannot be read are refused with the field, and nothing is stored', async () => {
  const { get, post, patch } = await member()
  const { pack } = (await get('/api/calling-rules/br-strict')).json
  const backwards = { ...pack.windows[0], windows: [{ days: [1], from: '18:00', to: '09:00' }] }
  const copy = (await post('/api/calling-rules', { name: 'Cópia', copyOf: 'br-strict' })).json
  for (const [answer, message] of [
    [await post('/api/calling-rules', { name: 'x' }), 'pack: give one of copyOf and pack'],
    [await post('/api/calling-rules', { name: 'x', copyOf: 'br-strict', pack }), 'pack: give one of copyOf and pack'],
    [
      await post('/api/calling-rules', { name: 'x', pack: { ...pack, windows: [backwards] } }),
      'pack: windows[0].windows[0].to must be after from',
    ],
    [await patch(`/api/calling-rules/${copy.id}`, { pack: { name: 'x' } }), 'pack: must have required properties'],
  ] as const) {
    assert.equal(answer.status, 400)
    assert.equal(codeOf(answer), 'rules_invalid')
    assert.ok(answer.json.message.startsWith(message), answer.json.message)
  }
  assert.equal((await post('/api/calling-rules', { name: 'x', copyOf: 'crl_none' })).status, 404)
  assert.equal((await get('/api/calling-rules')).json.length, 3)
  assert.deepEqual((await get(`/api/calling-rules/${copy.id}`)).json, copy)
})

test('rules of a campaign that has not ended stay', async () => {
  const { post, delete: del, userId } = await member()
  const { id: agentId } = (await post('/api/agents', anAgent)).json
  const { id: rulesId } = (await post('/api/calling-rules', { name: 'Cópia', copyOf: 'br-strict' })).json
  const campaign = await post('/api/campaigns', { name: 'Lista', agentId, rulesId })
  assert.equal(campaign.status, 201)
  const refused = await del(`/api/calling-rules/${rulesId}`)
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'rules_in_use'])
  await database.db
    .updateTable('campaigns')
    .set({ status: 'canceled' })
    .where('userId', '=', userId)
    .where('id', '=', campaign.json.id)
    .execute()
  assert.equal((await del(`/api/calling-rules/${rulesId}`)).status, 200)
  assert.equal((await del(`/api/calling-rules/${rulesId}`)).status, 404)
})

test('a user has at most 100 packs, and never those of another', async () => {
  const { post, get, userId } = await member()
  const { id, ...row } = (await post('/api/calling-rules', { name: 'Cópia', copyOf: 'br-strict' })).json
  const filler = { userId, name: 'x', pack: '{}', version: 1, createdAt: row.createdAt, updatedAt: row.updatedAt }
  await database.db
    .insertInto('callingRules')
    .values(Array.from({ length: 99 }, (_, index) => ({ ...filler, id: `crl_filler${index}` })))
    .execute()
  const refused = await post('/api/calling-rules', { name: 'x', copyOf: 'br-strict' })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'rules_limit'])
  const other = await member()
  assert.equal((await other.get(`/api/calling-rules/${id}`)).status, 404)
  assert.equal((await other.post('/api/calling-rules', { name: 'x', copyOf: id })).status, 404)
  const asked = await other.post(`/api/calling-rules/${id}/ask`, { phoneNumber: '+5511987654321' })
  assert.equal(asked.status, 404)
  // Stored rules that do not parse lead to a refusal.
  const broken = await post('/api/calling-rules/crl_filler1/ask', { phoneNumber: '+5511987654321' })
  assert.deepEqual([broken.status, codeOf(broken)], [400, 'rules_invalid'])
  assert.equal((await get('/api/calling-rules')).json.length, 102)
})

test('a change needs the version that was read', async () => {
  const { post, patch } = await member()
  const { id } = (await post('/api/calling-rules', { name: 'Cópia', copyOf: 'br-strict' })).json
  const ifMatch = { 'if-match': '"1"' }
  assert.equal((await patch(`/api/calling-rules/${id}`, { name: 'a' }, ifMatch)).status, 200)
  assert.equal((await patch(`/api/calling-rules/${id}`, { name: 'b' }, ifMatch)).status, 412)
})

test('may this number be called: now, later, never', async () => {
  const { post } = await member()
  const ask = async (phoneNumber: string, at: string, rules = 'br-strict') =>
    (await post(`/api/calling-rules/${rules}/ask`, { phoneNumber, at })).json
  const open = await ask('11 98765-4321', '2026-11-18T10:00:00-03:00')
  assert.deepEqual([open.result, open.at, open.reason], ['now', '2026-11-18T13:00:00.000Z', null])
  assert.deepEqual(open.decision.window, { date: '2026-11-18', from: '09:00', to: '18:00' })
  // Thursday evening; 20 November is a holiday.
  const later = await ask('11 98765-4321', '2026-11-19T20:00:00-03:00')
  assert.deepEqual([later.result, later.at, later.reason], ['later', '2026-11-23T12:00:00.000Z', 'br-hours'])
  const never = await ask('+4930901820', '2026-11-18T10:00:00-03:00')
  assert.deepEqual([never.result, never.at, never.reason], ['never', null, 'country_not_covered'])
  const german = await ask('+4930901820', '2026-11-18T10:00:00+01:00', 'international')
  assert.deepEqual([german.result, german.decision.country], ['now', 'DE'])
  const invalid = await post('/api/calling-rules/br-strict/ask', { phoneNumber: '190' })
  assert.deepEqual([invalid.status, codeOf(invalid)], [400, 'rules_number'])
  assert.equal((await post('/api/calling-rules/none/ask', { phoneNumber: '+5511987654321' })).status, 404)
})
