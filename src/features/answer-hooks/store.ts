// Answer hooks of numbers and agents: the only file that writes their table.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import { newSecret } from '../../base/crypto/webhook-signature.ts'
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { DAY_MS, now, nowAfter, nowMs, toIso } from '../../base/time/clock.ts'
import { type IfMatch, requireVersion, withVersion } from '../../base/versions.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { AnswerHookRow } from '../../db/hook-rows.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow } from '../../db/owned.ts'
import { bit, fromJson, toJson } from '../../db/tables.ts'
import { type AnswerHook, type AnswerHookInput, type SavedAnswerHook, type SheetLookup, TIMEOUT_MS } from './schema.ts'

export type AnswerHookStore = ReturnType<typeof answerHookStore>
export type HookOwner = 'dids' | 'agents'
/** Identifies a hook by the number or agent it belongs to. */
export type HookKey = { userId: string; owner: HookOwner; id: string }

/** After a rotation, the old secret also signs for this long, so that the server can switch. */
const OLD_SECRET_MS = DAY_MS

export type AnswerHookParts = {
  secrets: KeyRing
  /** Why this URL can never be called; null if only a request can tell. */
  refusalFor: (url: string) => string | null
  columnsOf: (userId: string, spreadsheetId: string) => Promise<string[]>
}

const column = { dids: 'didId', agents: 'agentId' } as const
const nameOf = { dids: 'DID', agents: 'Agent' } as const

export function answerHookStore(db: Db, parts: AnswerHookParts) {
  const { secrets } = parts
  const owners = { dids: ownedRow(db, 'dids'), agents: ownedRow(db, 'agents') }
  const of = ({ userId, owner, id }: HookKey) =>
    db.selectFrom('answerHooks').selectAll().where('userId', '=', userId).where(column[owner], '=', id)
  const requireOwner = async ({ userId, owner, id }: HookKey) => found(nameOf[owner], await owners[owner](userId, id))

  async function hookOf(key: HookKey): Promise<AnswerHookRow> {
    await requireOwner(key)
    return found('Answer hook', await of(key).executeTakeFirst())
  }

  return {
    /** The hook for an inbound call; undefined if none is to be asked. */
    async active(key: HookKey): Promise<AnswerHookRow | undefined> {
      return of(key).where('isActive', '=', 1).executeTakeFirst()
    },

    row: hookOf,

    async get(key: HookKey): Promise<AnswerHook> {
      return toHook(await hookOf(key))
    },

    /** Secrets for signing only, newest first. */
    secretsOf(hook: AnswerHookRow): string[] {
      const isOldGood = hook.oldSecretSealed !== null && (hook.oldSecretUntil ?? '') > now()
      return [
        ...(hook.secretSealed === null ? [] : [secrets.open(hook.secretSealed, place(hook, 'secretSealed'))]),
        ...(isOldGood ? [secrets.open(hook.oldSecretSealed as string, place(hook, 'oldSecretSealed'))] : []),
      ]
    },

    /** Creates or replaces the hook. An existing secret is kept; a new one is returned. */
    async put(key: HookKey, ifMatch: IfMatch | undefined, input: AnswerHookInput): Promise<SavedAnswerHook> {
      const { userId, owner } = key
      await requireOwner(key)
      const settings = await checked(parts, userId, input, await of(key).executeTakeFirst())
      return db.inTransaction(async (trx) => {
        // Locking the owner serializes two concurrent creations.
        found(nameOf[owner], await lockRow(trx, owner, { userId, id: key.id }))
        const before = await locked(trx, key)
        requireVersion(before ? before.rowVersion : 0, ifMatch)
        const id = before?.id ?? newId('hok')
        const isNew = settings.url !== null && !before?.secretSealed
        const secret = isNew ? newSecret() : null
        const after: AnswerHookRow = {
          ...(before ?? newRow(userId, id, { [column[owner]]: key.id })),
          ...settings,
          ...(secret === null ? {} : { secretSealed: secrets.seal(secret, place({ id, userId }, 'secretSealed')) }),
          timeoutMs: input.timeoutMs ?? TIMEOUT_MS.default,
          isActive: bit(input.isActive ?? true),
          ...(before
            ? { updatedAt: nowAfter(before.updatedAt), rowVersion: (before.rowVersion ?? 1) + 1 }
            : { rowVersion: 1 }),
        }
        if (before) await write(trx, after)
        else await trx.insertInto('answerHooks').values(after).execute()
        await audit(trx, { kind: 'answerHook', before, after })
        return withVersion({ ...toHook(after), secret }, after.rowVersion)
      })
    },

    async rotateSecret(key: HookKey): Promise<SavedAnswerHook> {
      await hookOf(key)
      return db.inTransaction((trx) => rotate(trx, secrets, key))
    },

    async remove(key: HookKey, ifMatch: IfMatch | undefined): Promise<AnswerHook> {
      await hookOf(key)
      return db.inTransaction(async (trx) => {
        const hook = found('Answer hook', await locked(trx, key))
        requireVersion(hook.rowVersion, ifMatch)
        await trx.deleteFrom('answerHooks').where('userId', '=', key.userId).where('id', '=', hook.id).execute()
        await audit(trx, { kind: 'answerHook', before: hook })
        return toHook(hook)
      })
    },
  }
}

const place = ({ id, userId }: Pick<AnswerHookRow, 'id' | 'userId'>, sealed: string) => ({
  table: 'answerHooks',
  row: id,
  column: sealed,
  userId,
})

const locked = (trx: Trx, { userId, owner, id }: HookKey) =>
  lockRow(trx, 'answerHooks', { userId, [column[owner]]: id })

async function rotate(trx: Trx, secrets: KeyRing, key: HookKey): Promise<SavedAnswerHook> {
  const secret = newSecret()
  const before = found('Answer hook', await locked(trx, key))
  const old = before.secretSealed && secrets.open(before.secretSealed, place(before, 'secretSealed'))
  const after: AnswerHookRow = {
    ...before,
    secretSealed: secrets.seal(secret, place(before, 'secretSealed')),
    oldSecretSealed: old && secrets.seal(old, place(before, 'oldSecretSealed')),
    oldSecretUntil: old && toIso(nowMs() + OLD_SECRET_MS),
    updatedAt: nowAfter(before.updatedAt),
  }
  await write(trx, after)
  await audit(trx, { kind: 'answerHook', action: 'secret_rotated', userId: after.userId, id: after.id })
  return withVersion({ ...toHook(after), secret }, after.rowVersion)
}

/** Validates the settings of this kind; those of the other kind are kept if not sent. */
async function checked(
  { refusalFor, columnsOf }: AnswerHookParts,
  userId: string,
  input: AnswerHookInput,
  before: AnswerHookRow | undefined,
) {
  const { kind } = input
  const url = input.url ?? (input.url === null ? null : (before?.url ?? null))
  const kept = before ? fromJson<SheetLookup>(before.spreadsheet) : null
  const sheet = input.spreadsheet ?? (input.spreadsheet === null ? null : kept)
  if (kind === 'url' && url === null) throw appError('field_required', { field: 'url' })
  if (kind === 'spreadsheet' && sheet === null) throw appError('field_required', { field: 'spreadsheet' })
  if (input.url) checkUrl(input.url, refusalFor)
  if (input.spreadsheet) await checkColumns(columnsOf, userId, input.spreadsheet)
  return { kind, url, spreadsheet: toJson(sheet) }
}

async function checkColumns(
  columnsOf: AnswerHookParts['columnsOf'],
  userId: string,
  { spreadsheetId, ...named }: SheetLookup,
): Promise<void> {
  const columns = await columnsOf(userId, spreadsheetId)
  const unknown = Object.values(named).find((name) => typeof name === 'string' && !columns.includes(name))
  if (typeof unknown === 'string')
    throw appError('sheet_no_column', { column: unknown, columns: columns.join(', ').slice(0, 1000) })
}

const write = (trx: Trx, hook: AnswerHookRow) =>
  trx.updateTable('answerHooks').set(hook).where('userId', '=', hook.userId).where('id', '=', hook.id).execute()

function newRow(userId: string, id: string, owner: { didId?: string; agentId?: string }): AnswerHookRow {
  const at = now()
  return {
    id,
    userId,
    didId: null,
    agentId: null,
    ...owner,
    kind: 'url',
    url: null,
    secretSealed: null,
    oldSecretSealed: null,
    oldSecretUntil: null,
    spreadsheet: null,
    timeoutMs: TIMEOUT_MS.default,
    isActive: 1,
    createdAt: at,
    updatedAt: at,
  }
}

function checkUrl(url: string, refusalFor: AnswerHookParts['refusalFor']): void {
  if (!URL.canParse(url)) throw appError('webhook_url_invalid')
  const refusal = refusalFor(url)
  if (refusal !== null) throw appError('webhook_url_refused', { reason: refusal })
}

const noColumns = {
  agentColumn: null,
  languageColumn: null,
  refuseColumn: null,
  transferColumn: null,
  contextColumn: null,
}

function toHook(row: AnswerHookRow): AnswerHook {
  const { id, kind, url, timeoutMs, createdAt, updatedAt } = row
  const sheet = fromJson<SheetLookup>(row.spreadsheet)
  const spreadsheet = sheet && { ...noColumns, ...sheet }
  const hook: AnswerHook = { id, kind, url, spreadsheet, timeoutMs, isActive: row.isActive === 1, createdAt, updatedAt }
  return withVersion(hook, row.rowVersion)
}

export const lookupOf = (row: AnswerHookRow): SheetLookup => {
  const lookup = fromJson<SheetLookup>(row.spreadsheet)
  if (!lookup) throw notFound('Spreadsheet')
  return lookup
}
