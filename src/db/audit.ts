// Writes the audit log: one row in the transaction of each change that a person or a key makes. What jobs, calls and the
// platform itself change has no actor, and no row.
import { hash } from 'node:crypto'
import { type Actor, currentActor } from '../base/actor.ts'
import { type AuditKind, auditFields, unnamed } from '../base/domain/audit-fields.ts'
import { newId } from '../base/ids.ts'
import { now } from '../base/time/clock.ts'
import type { AuditRow } from './audit-rows.ts'
import type { Db, Trx } from './db.ts'
import { isPostgres } from './dialect.ts'
import { preparedChange } from './prepared.ts'
import { isHoldingKey, markWritten } from './write-once.ts'

export type Change = {
  kind: AuditKind
  /** Default: `created`, `updated` or `removed`, by which of the rows is there. */
  action?: string
  /** The organization and the record. Default: those of the rows. */
  userId?: string
  id?: string | null
  before?: object | undefined
  after?: object | undefined
}

type Fields = Readonly<Record<string, unknown>>
/** A changed field; without `from` and `to` if its values are not shown. */
export type FieldChange = { field: string; from?: unknown; to?: unknown }

/** Longer texts are cut, and have the SHA-256 of the whole text. */
const MAX_TEXT = 300
const MAX_FIELDS = 60

const columns = [
  ...(['id', 'userId', 'createdAt', 'personId', 'credentialId', 'address', 'action', 'kind'] as const),
  ...(['recordId', 'changes', 'sequence', 'hash'] as const),
]
const inserts = new Map<boolean, ReturnType<typeof preparedInsert>>()
const preparedInsert = (on: Db | Trx) =>
  preparedChange<AuditRow, unknown>((slot) => {
    const values = columns.map((name) => [name, slot(name)])
    return on.insertInto('auditRows').values(Object.fromEntries(values) as AuditRow)
  })

/** Compiled once for each kind of database. */
function insertFor(on: Db | Trx): ReturnType<typeof preparedInsert> {
  const known = inserts.get(isPostgres(on))
  if (known) return known
  const insert = preparedInsert(on)
  inserts.set(isPostgres(on), insert)
  return insert
}

/** Without an actor, and for an update that changes nothing, it writes nothing. */
export async function audit(on: Db | Trx, change: Change, actor: Actor | undefined = currentActor()): Promise<void> {
  const row = actor && auditRow(change, actor)
  if (row) await insertFor(on)(on, row)
}

/**
 * Runs one statement, and audits what it changed, in one transaction; without an actor, the statement alone. A repeated
 * Idempotency-Key does not repeat it (write-once.ts).
 */
export function audited<R>(
  db: Db,
  write: (on: Db | Trx) => Promise<R>,
  changeOf: (result: R) => Change | undefined,
): Promise<R> {
  const actor = currentActor()
  if (!actor && !isHoldingKey()) return write(db)
  return db.inTransaction(async (trx) => {
    await markWritten(trx)
    const result = await write(trx)
    const change = changeOf(result)
    if (change) await audit(trx, change, actor)
    return result
  })
}

/** For changes that have no transaction: what is done to a live call, a download, a device at its gateway. */
export type NoteChange = (change: Change) => Promise<void>
export const auditor =
  (db: Db): NoteChange =>
  (change) =>
    audit(db, change)

export function auditRow(change: Change, actor: Actor): AuditRow | undefined {
  const before = (change.before ?? {}) as Fields
  const after = (change.after ?? {}) as Fields
  const changes = changesBetween(change.kind, before, after)
  const verb = change.action ?? (change.after ? (change.before ? 'updated' : 'created') : 'removed')
  if (verb === 'updated' && changes.length === 0) return undefined
  const idOf = (name: string) => (after[name] ?? before[name] ?? null) as string | null
  return {
    id: newId('aud'),
    userId: change.userId ?? idOf('userId') ?? '',
    createdAt: now(),
    ...actor,
    action: `${change.kind}.${verb}`,
    kind: change.kind,
    recordId: change.id === undefined ? idOf('id') : change.id,
    changes: changes.length === 0 ? null : JSON.stringify(changes),
    sequence: null,
    hash: null,
  }
}

function changesBetween(kind: AuditKind, before: Fields, after: Fields): FieldChange[] {
  const shown: readonly string[] = auditFields[kind]
  const [old, fresh] = [fieldsOf(before, shown), fieldsOf(after, shown)]
  const changes: FieldChange[] = []
  for (const field of new Set([...old.keys(), ...fresh.keys()])) {
    const [from, to] = [old.get(field) ?? null, fresh.get(field) ?? null]
    if (JSON.stringify(from) === JSON.stringify(to)) continue
    const isShown = shown.includes(field.split('.', 1)[0] as string)
    const name = field.replace(/Sealed$/, '')
    changes.push(isShown ? { field: name, from: bounded(from), to: bounded(to) } : { field: name })
  }
  return changes.slice(0, MAX_FIELDS)
}

/** The columns that are named; for a column with a JSON object, its fields. */
function fieldsOf(row: Fields, shown: readonly string[]): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [name, value] of Object.entries(row)) {
    if (unnamed.has(name)) continue
    const isSplit = (shown.includes(name) || name === 'settings') && typeof value === 'string' && value.startsWith('{')
    const parsed = isSplit ? objectIn(value) : undefined
    if (!parsed) fields.set(name, value)
    else for (const [key, part] of Object.entries(parsed)) fields.set(`${name}.${key}`, part)
  }
  return fields
}

function objectIn(text: string): object | undefined {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

function bounded(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length <= MAX_TEXT) return value
  return { text: text.slice(0, MAX_TEXT).toWellFormed(), length: text.length, sha256: hash('sha256', text) }
}
