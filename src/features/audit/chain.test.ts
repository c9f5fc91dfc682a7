// The chain of the audit log: what edits, removals and reorderings `verify` finds, and what retention keeps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { type Client, type TestApp, testApp } from '../../../test/app.ts'
import { auditCommands } from '../../cli/audit.ts'
import type { CommandContext, Options } from '../../cli/command.ts'
import { audit } from '../../db/audit.ts'
import type { AuditRow } from '../../db/audit-rows.ts'
import { auditChain } from './chain-store.ts'
import { verifyAudit } from './verify-store.ts'

const YEAR = 365
const silent = pino({ level: 'silent' })

async function write({ database: { db } }: TestApp, { userId, personId }: Client, count: number): Promise<void> {
  const actor = { personId, credentialId: null, address: null }
  for (let i = 0; i < count; i++)
    await audit(db, { kind: 'agent', action: 'updated', userId, id: `agt_${i}`, after: { name: `n${i}` } }, actor)
}

/** A log of two batches, of 4 and 3 rows. */
async function chainedLog() {
  const base = await testApp()
  const { ana } = base
  const { db } = base.database
  const chain = auditChain(db, silent, YEAR)
  for (const count of [4, 3]) {
    await write(base, ana, count)
    await chain.chain()
  }
  const verified = (head: string | null = null) => verifyAudit(db, ana.userId, head)
  const at = (sequence: number) =>
    db.updateTable('auditRows').where('userId', '=', ana.userId).where('sequence', '=', sequence)
  const rowAt = (sequence: number): Promise<AuditRow> =>
    db
      .selectFrom('auditRows')
      .selectAll()
      .where('userId', '=', ana.userId)
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow()
  const drop = (first: number, last: number) =>
    db
      .deleteFrom('auditRows')
      .where('userId', '=', ana.userId)
      .where('sequence', '>=', first)
      .where('sequence', '<=', last)
      .execute()
  return { base, ana, db, chain, verified, at, rowAt, drop }
}

test('a chain that nobody touched verifies, and goes on from its head', async () => {
  const { base, ana, chain, verified } = await chainedLog()
  const { rows, waiting, head, findings, removedUpTo } = await verified()
  assert.deepEqual({ rows, waiting, findings, removedUpTo }, { rows: 7, waiting: 0, findings: [], removedUpTo: 0 })
  assert.equal(head?.sequence, 7)
  await write(base, ana, 2)
  assert.equal((await verified(head?.hash ?? '')).waiting, 2)
  await chain.chain()
  const later = await verified(head?.hash ?? '')
  assert.deepEqual([later.rows, later.hasHead, later.findings], [9, true, []])
})

test('an edited row is found, whichever column it is', async () => {
  for (const set of [
    { personId: 'usr_other' },
    { changes: '[]' },
    { action: 'agent.created' },
    { createdAt: '2020' },
  ]) {
    const { at, verified } = await chainedLog()
    await at(2).set(set).execute()
    assert.deepEqual((await verified()).findings, [{ problem: 'edited', first: 2, last: 2 }], JSON.stringify(set))
  }
})

test('removed rows are found, in the middle and at the end', async () => {
  const middle = await chainedLog()
  await middle.drop(2, 3)
  assert.deepEqual((await middle.verified()).findings, [{ problem: 'removed', first: 2, last: 3 }])
  const end = await chainedLog()
  await end.drop(6, 7)
  assert.deepEqual((await end.verified()).findings, [{ problem: 'removed', first: 6, last: 7 }])
})

test('two rows that changed places are found', async () => {
  const { at, verified } = await chainedLog()
  await at(2).set({ sequence: 100 }).execute()
  await at(3).set({ sequence: 2 }).execute()
  await at(100).set({ sequence: 3 }).execute()
  const { findings } = await verified()
  assert.deepEqual(findings, [{ problem: 'reordered', first: 2, last: 3 }])
})

test('rows that were chained anew after an edit do not fit the head of their batch', async () => {
  const { chained, GENESIS } = await import('./chain.ts')
  const { at, rowAt, verified } = await chainedLog()
  const rows = [{ ...(await rowAt(1)), recordId: 'agt_x' }, await rowAt(2), await rowAt(3), await rowAt(4)]
  for (const { sequence, hash, recordId } of chained(rows, { sequence: 0, hash: GENESIS }))
    await at(sequence ?? 0)
      .set({ hash, recordId })
      .execute()
  assert.deepEqual((await verified()).findings, [{ problem: 'rewritten', first: 1, last: 4 }])
})

test('a removed tail is found by its missing batch, or by the head that was logged', async () => {
  const { ana, db, drop, verified } = await chainedLog()
  const head = (await verified()).head?.hash ?? ''
  await db.deleteFrom('auditBatches').where('userId', '=', ana.userId).where('lastSequence', '=', 7).execute()
  assert.deepEqual((await verified()).findings, [{ problem: 'added', first: 5, last: 7 }])
  await drop(5, 7)
  const cut = await verified(head)
  assert.deepEqual([cut.findings, cut.hasHead], [[], false])
})

test('each head is an event of the organization, and in the log of the server', async () => {
  const lines: string[] = []
  const base = await testApp()
  const { ana, database } = base
  await write(base, ana, 3)
  await auditChain(database.db, pino({}, { write: (line: string) => void lines.push(line) }), YEAR).chain()
  const head = (await verifyAudit(database.db, ana.userId, null)).head
  const events = database.db.selectFrom('events').selectAll().where('userId', '=', ana.userId)
  const event = await events.where('type', '=', 'audit.chained').executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(event.data), { organizationId: ana.userId, ...head })
  const logged = lines.map((line) => JSON.parse(line)).filter(({ organizationId }) => organizationId === ana.userId)
  assert.deepEqual(
    logged.map(({ msg, sequence, hash }) => ({ msg, sequence, hash })),
    [{ msg: 'audit log chained', ...head }],
  )
})

test('rows written while several nodes chain are in the chain once, without a gap', async () => {
  const base = await testApp()
  const { ana, database } = base
  const nodes = [1, 2, 3].map(() => auditChain(database.db, silent, YEAR))
  for (let round = 0; round < 5; round++)
    await Promise.all([write(base, ana, 7), ...nodes.map((node) => node.chain()), write(base, ana, 5)])
  // A node that found the lease taken has left rows to the next run.
  await nodes[0]?.chain()
  const { rows, waiting, head, findings } = await verifyAudit(database.db, ana.userId, null)
  assert.deepEqual({ rows, waiting, last: head?.sequence, findings }, { rows: 60, waiting: 0, last: 60, findings: [] })
})

test('retention removes whole batches and keeps their hashes: the rest and every head still verify', async () => {
  const { ana, db, chain, verified, rowAt } = await chainedLog()
  const first = await rowAt(4)
  const old = { createdAt: '2020-01-01T00:00:00.000Z' }
  const batches = db.updateTable('auditBatches').set(old).where('userId', '=', ana.userId)
  await batches.where('lastSequence', '=', 4).execute()
  await chain.removeOld()
  const { rows, removedUpTo, findings, hasHead } = await verified(first.hash)
  assert.deepEqual({ rows, removedUpTo, findings, hasHead }, { rows: 3, removedUpTo: 4, findings: [], hasHead: true })
})

async function verifyCommand({ database, config }: TestApp, options: Options) {
  const lines: string[] = []
  const context = { database, config, options, subject: undefined, value: undefined }
  const never = () => assert.fail('not needed')
  const rest = { secrets: never, masterKeys: never, print: (line: string) => void lines.push(line) }
  const isRight = await auditCommands['audit verify']?.run({ ...context, ...rest } satisfies CommandContext)
  return { isRight, text: lines.join('\n') }
}

test('ramal audit verify says what is wrong, and fails', async () => {
  const { base, ana, at, verified } = await chainedLog()
  const organization = ana.userId
  const head = (await verified()).head?.hash ?? ''
  const good = await verifyCommand(base, { organization, head })
  assert.equal(good.isRight, true)
  assert.match(good.text, new RegExp(`7 rows checked, 0 not chained yet, head 7 ${head}`))
  const lost = await verifyCommand(base, { organization, head: 'f'.repeat(64) })
  assert.equal(lost.isRight, false)
  assert.match(lost.text, /no chain has the head ffff/)
  await at(5).set({ personId: null }).execute()
  const edited = await verifyCommand(base, { organization })
  assert.equal(edited.isRight, false)
  assert.match(edited.text, /row 5: edited/)
  assert.equal((await verifyCommand(base, {})).isRight, false, 'without an organization it checks all of them')
})
