// Saved rehearsals, with the last run of each.
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { countOwned, olderThan, ownedRow, type PageRequest, requireOwned } from '../../db/owned.ts'
import type { RehearsalScriptRow } from '../../db/people-rows.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import type { RehearsalRow } from '../../db/tables.ts'
import { writeOnce } from '../../db/write-once.ts'
import type { Script } from './schema.ts'
import type { ListedScript, SavedScript, ScriptPatch } from './script-schema.ts'
import { toListedRehearsal } from './store.ts'

export type ScriptStore = ReturnType<typeof scriptStore>
export type NewSavedScript = { name: string; agentId: string; callId: string | null; script: Script }
export type ListedScriptRow = RehearsalScriptRow & { lastRun: RehearsalRow | null }

const MAX_SCRIPTS_PER_USER = 1000

export function scriptStore(db: Db) {
  const row = ownedRow(db, 'rehearsalScripts')

  return {
    page: (userId: string, page: PageRequest, agentId?: string) => scriptPage(db, userId, page, agentId),

    /** The runs of one saved rehearsal, newest first. */
    runs(userId: string, scriptId: string, page: PageRequest): Promise<RehearsalRow[]> {
      const newest = ownRuns(db, userId)
        .selectAll()
        .where('scriptId', '=', scriptId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
      return (page.after ? newest.where(olderThan('createdAt', page.after.at, page.after.id)) : newest).execute()
    },

    async get(userId: string, id: string): Promise<SavedScript> {
      return toSavedScript(found('Rehearsal script', await row(userId, id)))
    },

    async create(userId: string, { name, agentId, callId, script }: NewSavedScript): Promise<SavedScript> {
      await requireOwned(db, 'agents', userId, agentId, 'Agent')
      if ((await countOwned(db, 'rehearsalScripts', userId)) >= MAX_SCRIPTS_PER_USER)
        throw appError('rehearsals_saved', { limit: MAX_SCRIPTS_PER_USER })
      const at = now()
      const stored: RehearsalScriptRow = {
        id: newId('rhs'),
        userId,
        agentId,
        callId,
        name,
        script: JSON.stringify(script),
        createdAt: at,
        updatedAt: at,
      }
      await writeOnce(db, (on) => on.insertInto('rehearsalScripts').values(stored).execute())
      return toSavedScript(stored)
    },

    async update(userId: string, id: string, patch: ScriptPatch): Promise<SavedScript> {
      const before = found('Rehearsal script', await row(userId, id))
      await requireOwned(db, 'agents', userId, patch.agentId, 'Agent')
      const { script, isKept, ...fields } = patch
      const changed = await db
        .updateTable('rehearsalScripts')
        .set({
          ...fields,
          ...(isKept ? { callId: null } : {}),
          ...(script ? { script: JSON.stringify(script) } : {}),
          updatedAt: nowAfter(before.updatedAt),
        })
        .where('userId', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return toSavedScript(found('Rehearsal script', changed))
    },

    /** The runs are kept. */
    async remove(userId: string, id: string): Promise<SavedScript> {
      const removed = await db
        .deleteFrom('rehearsalScripts')
        .where('userId', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return toSavedScript(found('Rehearsal script', removed))
    },
  }
}

const ownScripts = (db: Db, userId: string) =>
  db.selectFrom('rehearsalScripts').where('userId', '=', userId).where(agentNotRemoved())
const ownRuns = (db: Db, userId: string) =>
  db.selectFrom('rehearsals').where('userId', '=', userId).where(agentNotRemoved())

async function scriptPage(db: Db, userId: string, page: PageRequest, agentId?: string): Promise<ListedScriptRow[]> {
  let newest = ownScripts(db, userId).selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(page.limit)
  if (agentId !== undefined) newest = newest.where('agentId', '=', agentId)
  if (page.after) newest = newest.where(olderThan('createdAt', page.after.at, page.after.id))
  const scripts = await newest.execute()
  if (scripts.length === 0) return []
  const ids = scripts.map(({ id }) => id)
  // Ids sort by time.
  const last = ownRuns(db, userId)
    .select((of) => of.fn.max('id').as('id'))
    .where('scriptId', 'in', ids)
    .groupBy('scriptId')
  const runs = await db.selectFrom('rehearsals').selectAll().where('id', 'in', last).execute()
  return scripts.map((each) => ({ ...each, lastRun: runs.find(({ scriptId }) => scriptId === each.id) ?? null }))
}

const toSavedScript = ({ userId, script, ...row }: RehearsalScriptRow): SavedScript => ({
  ...row,
  script: JSON.parse(script) as Script,
})

export const toListedScript = ({ userId, script, lastRun, ...row }: ListedScriptRow): ListedScript => ({
  ...row,
  lastRun: lastRun && toListedRehearsal(lastRun),
})
