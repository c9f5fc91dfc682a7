import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anAgent, startTestApp } from '../../../test/app.ts'
import { checkSecrets, rekey } from '../../db/seals.ts'
import { sealedColumns } from '../../db/table-keys.ts'
import { keyIdOf, keyRing, openWith, SealError, type SecretLocation, sealWith } from './secrets.ts'

const [first, second] = ['1'.repeat(40), '2'.repeat(40)]
const place: SecretLocation = { table: 'tools', row: 'tol_1', column: 'headersSealed', userId: 'usr_1' }

test('a sealed text opens to the same text, whatever it contains', () => {
  const ring = keyRing([first])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(ring.open(ring.seal(text, place), place), text)
    }),
  )
})

test('a sealed text reveals nothing of its content and differs each time', () => {
  const ring = keyRing([first])
  const [a, b] = [ring.seal('open sesame', place), ring.seal('open sesame', place)]
  assert.notEqual(a, b)
  assert.match(a, /^v1:[0-9a-f]{8}:[\w-]{16}:[\w-]+:[\w-]{22}$/)
  assert.ok(!a.includes('sesame') && !a.includes(Buffer.from('open sesame').toString('base64url')))
})

test('changing, removing or adding any byte is an error, never a different text', () => {
  const ring = keyRing([first])
  const sealed = ring.seal('open sesame', place)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:=.'
  for (let i = 0; i < sealed.length; i++) {
    const [before, after] = [sealed.slice(0, i), sealed.slice(i + 1)]
    for (const letter of letters)
      if (letter !== sealed[i])
        assert.throws(() => ring.open(before + letter + after, place), SealError, `${i} ${letter}`)
    assert.throws(() => ring.open(before + after, place), SealError)
    assert.throws(() => ring.open(`${before}A${sealed.slice(i)}`, place), SealError)
  }
  for (const text of ['', ':', '::::', 'v1', `${sealed}:`, `v2${sealed.slice(2)}`, 'open sesame', `${sealed}A`])
    assert.throws(() => ring.open(text, place), SealError)
})

test('a truncated tag does not open: fewer bits would be easier to guess', () => {
  const ring = keyRing([first])
  const parts = ring.seal('x', place).split(':')
  const tag = Buffer.from(parts[4] ?? '', 'base64url')
  for (const length of [0, 4, 8, 12, 15]) {
    const cut = [...parts.slice(0, 4), tag.subarray(0, length).toString('base64url')].join(':')
    assert.throws(() => ring.open(cut, place), SealError)
  }
})

test('a sealed text moved to another table, row, column or user does not open', () => {
  const ring = keyRing([first])
  const sealed = ring.seal('open sesame', place)
  for (const name of ['table', 'row', 'column', 'userId'] as const)
    assert.throws(() => ring.open(sealed, { ...place, [name]: 'other' }), SealError, name)
  // The parts of a place are delimited: with text shifted from one part to another, it does not open.
  assert.throws(() => ring.open(sealed, { ...place, table: 'tools","tol_1', row: '' }), SealError)
})

test('the first key of a ring seals, and every key opens', () => {
  const [old, rotated, fresh] = [keyRing([first]), keyRing([second, first]), keyRing([second])]
  const sealed = old.seal('x', place)
  assert.equal(rotated.open(sealed, place), 'x')
  assert.equal(keyIdOf(rotated.seal('x', place)), fresh.activeId)
  assert.equal(fresh.open(rotated.seal('x', place), place), 'x')
  assert.throws(() => fresh.open(sealed, place), /unknown key/)
  assert.deepEqual([rotated.has(old.activeId), fresh.has(old.activeId)], [true, false])
  assert.throws(() => keyRing([]), SealError)
})

test('no two of 10,000 sealed texts share a nonce', () => {
  const ring = keyRing([first])
  const nonces = new Set<string>()
  for (let i = 0; i < 10_000; i++) nonces.add(ring.seal('', place).split(':')[2] ?? '')
  assert.equal(nonces.size, 10_000)
})

test("a text sealed with a caller's key opens only with that key and for that purpose", () => {
  const sealed = sealWith('a key of the caller', 'answer', 'purpose')
  assert.equal(openWith('a key of the caller', sealed, 'purpose'), 'answer')
  assert.throws(() => openWith('another key', sealed, 'purpose'), SealError)
  assert.throws(() => openWith('a key of the caller', sealed, 'another purpose'), SealError)
})

test('after a change of the master key everything is readable, and rekey leaves nothing under the old one', async () => {
  const { app, ana, database, config } = await startTestApp({ MASTER_KEY: first })
  const { db } = database
  await ana.post('/api/agents', anAgent)
  for (let i = 0; i < 3; i++) {
    const tool = {
      name: 'x',
      type: 'custom',
      headers: { a: 'canary' },
      authorization: { type: 'bearer', token: 'canary' },
    }
    await ana.post('/api/tools', tool)
    await ana.post('/api/trunks', { name: 'x', password: 'canary' })
    await ana.post('/api/gateway/devices', {})
  }
  await ana.post('/api/gateway/credentials', { email: 'a@b', password: 'canary' })
  const { password } = (await ana.get('/api/gateway/sip/credentials')).json

  const sealedTexts = async () => {
    const texts: { sealed: string; at: SecretLocation }[] = []
    for (const { table, column, row } of sealedColumns) {
      const rows = (await db.selectFrom(table).selectAll().execute()) as unknown as Record<string, string>[]
      for (const stored of rows)
        if (stored[column] != null)
          texts.push({
            sealed: stored[column],
            at: { table, column, row: stored[row] ?? '', userId: stored.userId ?? '' },
          })
    }
    const { value } = await db.selectFrom('meta').selectAll().where('name', '=', 'canary').executeTakeFirstOrThrow()
    return { texts, canary: value }
  }
  const [old, rotated, fresh] = [keyRing([first]), keyRing([second, first]), keyRing([second])]
  const before = await sealedTexts()
  assert.equal(before.texts.length, 3 * 2 + 3 + 3 + 1)
  assert.ok(before.texts.every(({ sealed }) => keyIdOf(sealed) === old.activeId && !sealed.includes('canary')))
  const plain = before.texts.map(({ sealed, at }) => rotated.open(sealed, at))
  await checkSecrets(db, rotated)
  await assert.rejects(checkSecrets(db, fresh), /does not open the secrets/)

  assert.equal(await rekey(db, rotated), before.texts.length + 1, 'and the key of number hashes')
  const after = await sealedTexts()
  for (const sealed of [after.canary, ...after.texts.map((text) => text.sealed)])
    assert.equal(keyIdOf(sealed), fresh.activeId)
  assert.deepEqual(
    after.texts.map(({ sealed, at }) => fresh.open(sealed, at)),
    plain,
  )
  await checkSecrets(db, fresh)
  await assert.rejects(checkSecrets(db, old), /does not open the secrets/)
  assert.equal(await rekey(db, rotated), 0, 'a second time there is nothing to do')

  await app.close()
  const where = config.database.kind === 'postgres' ? { DATABASE_URL: config.database.url } : {}
  const again = await startTestApp({ ...where, DATA_DIR: config.dataDir, MASTER_KEY: second } as Record<string, string>)
  const headers = { 'x-api-key': ana.key }
  const answer = await again.anonymous({ method: 'GET', url: '/api/gateway/sip/credentials', headers })
  assert.equal(answer.json.password, password)
})
