// Trunk passwords: write-only, and encrypted at rest.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { anAgent, testApp } from '../../../test/app.ts'
import { everyRow } from '../../../test/every-row.ts'
import { masterKeys } from '../../base/crypto/master-key.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { trunkStore } from './store.ts'

const password = 'senha-que-ninguém-lê'
const other = 'outra-senha-que-ninguém-lê'

test("138 a trunk's password is in no response and no log", async () => {
  const { ana, logs } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const made = await ana.post('/api/trunks', { name: 'x', host: 'h', password })
  const url = `/api/trunks/${made.json.id}`
  const answers = [
    made,
    await ana.get(url),
    await ana.get('/api/trunks'),
    await ana.patch(url, { name: 'y', password: other }),
    await ana.patch(url, { password, transport: 'pigeon' }),
    await ana.post('/api/trunks', { name: 5, password }),
    await ana.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: made.json.id, trunkType: 'inbound' }),
    await ana.get(`/api/agents/${agent.id}/linked-trunks`),
    await ana.delete(`/api/agents/${agent.id}/link-trunk/${made.json.id}`),
    await ana.delete(url),
  ]
  for (const { text } of answers) {
    assert.ok(!text.includes('ninguém'), text)
    assert.ok(!/"password/i.test(text), text)
  }
  assert.ok(!logs().includes('ninguém'))
})

test('138 hasPassword says whether there is one; an omitted password is kept, null clears it', async () => {
  const { ana, database, config } = await testApp()
  const trunks = trunkStore(database.db, keyRing(masterKeys(config.masterKeys, config.dataDir)))
  const { json: trunk } = await ana.post('/api/trunks', { name: 'x', password })
  const url = `/api/trunks/${trunk.id}`
  const stored = () => trunks.password(ana.userId, trunk.id)
  assert.equal(trunk.hasPassword, true)
  assert.equal(await stored(), password)
  assert.equal((await ana.patch(url, { name: 'y' })).json.hasPassword, true)
  assert.equal(await stored(), password)
  assert.equal((await ana.patch(url, { password: other })).json.hasPassword, true)
  assert.equal(await stored(), other)
  assert.equal((await ana.patch(url, { password: null })).json.hasPassword, false)
  assert.equal(await stored(), null)
  assert.equal((await ana.get(url)).json.hasPassword, false)
  assert.equal((await ana.patch(url, { password })).json.hasPassword, true)
  assert.equal(await stored(), password)
})

test('138 the password is not stored in plain text', async () => {
  const { ana, database, config } = await testApp()
  const { json: trunk } = await ana.post('/api/trunks', { name: 'x', password }, { 'idempotency-key': 'once' })
  await ana.patch(`/api/trunks/${trunk.id}`, { password: other })
  const rows = await everyRow(database.db)
  assert.ok(rows.includes(trunk.id))
  for (const secret of [password, other])
    for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
      assert.ok(!rows.includes(form))
  if (config.database.kind !== 'sqlite') return
  const { path } = config.database
  const files = [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file))
  assert.ok(files.some((bytes) => bytes.includes(trunk.id)))
  for (const bytes of files) for (const secret of [password, other]) assert.ok(!bytes.includes(secret))
})

test('138 two trunks with the same password have different ciphertexts', async () => {
  const { ana, database } = await testApp()
  for (const name of ['x', 'y']) await ana.post('/api/trunks', { name, password })
  const query = database.db.selectFrom('trunks').select('passwordSealed').where('userId', '=', ana.userId)
  const sealed = (await query.execute()).map((row) => row.passwordSealed)
  assert.equal(new Set(sealed).size, 2)
})
