// Rule packs: the built-in ones, and those that users copied and edited. Only packs that parse are handed out.

import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit } from '../../db/audit.ts'
import type { CallingRulesRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import { lockRow } from '../../db/lock-row.ts'
import { countOwned, ownedRow } from '../../db/owned.ts'
import { markWritten } from '../../db/write-once.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import type { CallingRules, CallingRulesPatch, NewCallingRules, RuleAnswer, RuleQuestion } from './schema.ts'

export type CallingRulesStoreParts = {
  builtInPacks(): readonly RulePack[]
  readPack(value: unknown): { pack: RulePack } | { problem: string }
  packTexts(pack: unknown): NonNullable<CallingRules['texts']>
  ask(userId: string, pack: RulePack, question: RuleQuestion): Promise<RuleAnswer>
}

const MAX_PER_USER = 100

export function callingRulesStore(db: Db, { builtInPacks, readPack, packTexts, ask }: CallingRulesStoreParts) {
  const row = ownedRow(db, 'callingRules')
  const builtIn = (id: string) => builtInPacks().find((pack) => pack.id === id)

  const get = async (userId: string, id: string): Promise<CallingRules> => {
    const ofProduct = builtIn(id)
    return ofProduct
      ? toBuiltIn(packTexts, ofProduct)
      : toCallingRules(packTexts, found('Calling rules', await row(userId, id)))
  }

  /** The pack that campaigns follow; if it has a problem, nobody is called. */
  async function packOf(
    userId: string,
    rulesId: string,
    on: Db | Trx = db,
  ): Promise<{ pack: RulePack } | { problem: string }> {
    const ofProduct = builtIn(rulesId)
    if (ofProduct) return { pack: ofProduct }
    const stored = await on
      .selectFrom('callingRules')
      .selectAll()
      .where('userId', '=', userId)
      .where('id', '=', rulesId)
      .executeTakeFirst()
    if (!stored) return { problem: `there is no rule pack ${rulesId}` }
    const value = jsonOrNull(stored.pack)
    if (typeof value !== 'object' || value === null) return { problem: `the rule pack ${rulesId} is not readable` }
    return readPack({ ...value, id: stored.id, name: stored.name, version: stored.version })
  }

  return {
    get,
    packOf,

    async list(userId: string): Promise<CallingRules[]> {
      const stored = await db
        .selectFrom('callingRules')
        .selectAll()
        .where('userId', '=', userId)
        .orderBy('createdAt')
        .orderBy('id')
        .limit(MAX_PER_USER)
        .execute()
      return [
        ...builtInPacks().map((pack) => toBuiltIn(packTexts, pack)),
        ...stored.map((each) => toCallingRules(packTexts, each)),
      ]
    },

    async create(userId: string, { name, copyOf, pack }: NewCallingRules): Promise<CallingRules> {
      const hasOne = (copyOf ?? null) === null ? (pack ?? null) !== null : (pack ?? null) === null
      if (!hasOne) throw appError('rules_invalid', { reason: 'give one of copyOf and pack' })
      const createdAt = now()
      const empty = { id: newId('crl'), userId, name, version: 1, createdAt, updatedAt: createdAt, rowVersion: 1 }
      const value = copyOf ? (await get(userId, copyOf)).pack : pack
      const stored: CallingRulesRow = { ...empty, pack: JSON.stringify(checked(readPack, value, empty)) }
      await db.inTransaction(async (trx) => {
        await lockRow(trx, 'users', { id: userId })
        if ((await countOwned(trx, 'callingRules', userId)) >= MAX_PER_USER)
          throw appError('rules_limit', { limit: MAX_PER_USER })
        await markWritten(trx)
        await trx.insertInto('callingRules').values(stored).execute()
        await audit(trx, { kind: 'callingRules', after: stored })
      })
      return toCallingRules(packTexts, stored)
    },

    /** The version increases when the rules change, so that a recorded decision names exactly one set of rules. */
    async update(userId: string, { id, ifMatch }: Target, { name, pack }: CallingRulesPatch): Promise<CallingRules> {
      if (builtIn(id)) throw appError('rules_builtin')
      return db.inTransaction(async (trx) => {
        const before = found('Calling rules', await lockRow(trx, 'callingRules', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        const renamed = { ...before, name: name ?? before.name }
        const value = pack ?? jsonOrNull(before.pack)
        const same = JSON.stringify(checked(readPack, value, renamed))
        const isChanged = (pack ?? null) !== null && !isSamePack(same, before.pack)
        const next = { ...renamed, version: before.version + (isChanged ? 1 : 0) }
        const stored = await trx
          .updateTable('callingRules')
          .set({
            name: next.name,
            version: next.version,
            pack: JSON.stringify(checked(readPack, value, next)),
            updatedAt: nowAfter(before.updatedAt),
            rowVersion: increment('rowVersion'),
          })
          .where('userId', '=', userId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        await audit(trx, { kind: 'callingRules', before, after: stored })
        return toCallingRules(packTexts, stored)
      })
    },

    async remove(userId: string, { id, ifMatch }: Target): Promise<CallingRules> {
      if (builtIn(id)) throw appError('rules_builtin')
      return db.inTransaction(async (trx) => {
        await lockRow(trx, 'users', { id: userId }) // the same lock as when a campaign is created
        const stored = found('Calling rules', await lockRow(trx, 'callingRules', { userId, id }))
        requireVersion(stored.rowVersion, ifMatch)
        await requireNotInUse(trx, userId, id)
        await trx.deleteFrom('callingRules').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'callingRules', before: stored })
        return toCallingRules(packTexts, stored)
      })
    },

    async ask(userId: string, id: string, question: RuleQuestion): Promise<RuleAnswer> {
      await get(userId, id) // throws 404 if it does not exist
      const result = await packOf(userId, id)
      if ('problem' in result) throw appError('rules_invalid', { reason: result.problem })
      return ask(userId, result.pack, question)
    },
  }
}

async function requireNotInUse(trx: Trx, userId: string, rulesId: string): Promise<void> {
  const campaign = await trx
    .selectFrom('campaigns')
    .select('id')
    .where('userId', '=', userId)
    .where('rulesId', '=', rulesId)
    .where('status', 'not in', ['completed', 'canceled'])
    .limit(1)
    .executeTakeFirst()
  if (campaign) throw appError('rules_in_use')
}

/** A pack as stored: its id, name and version are those of the row. */
function checked(
  readPack: CallingRulesStoreParts['readPack'],
  value: unknown,
  { id, name, version }: Pick<CallingRulesRow, 'id' | 'name' | 'version'>,
): RulePack {
  const isObject = typeof value === 'object' && value !== null
  const result = readPack(isObject ? { ...value, id, name, version } : value)
  if ('problem' in result) throw appError('rules_invalid', { reason: result.problem })
  return result.pack
}

const toBuiltIn = (packTexts: CallingRulesStoreParts['packTexts'], pack: RulePack): CallingRules =>
  withVersion({
    id: pack.id,
    name: pack.name,
    isBuiltIn: true,
    version: pack.version,
    pack,
    texts: packTexts(pack),
    createdAt: null,
    updatedAt: null,
  })

/** A pack that does not parse is shown as empty, so that it can be replaced. */
const toCallingRules = (
  packTexts: CallingRulesStoreParts['packTexts'],
  { userId, rowVersion, pack: text, ...row }: CallingRulesRow,
): CallingRules => {
  const pack = (jsonOrNull(text) ?? {}) as Record<string, unknown>
  return withVersion({ ...row, isBuiltIn: false, pack, texts: packTexts(pack) }, rowVersion)
}

/** Ignores the order of fields, and the name, which is not a rule. */
function isSamePack(a: string, b: string): boolean {
  const sorted = (text: string) =>
    JSON.stringify(jsonOrNull(text), (key, value) =>
      key === 'name'
        ? undefined
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
          : value,
    )
  return sorted(a) === sorted(b)
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
