// Tool queries. Links to agents are in link-store.ts; how a change applies to a row is in row-changes.ts.
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { copyName } from '../../base/text/copy-name.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target } from '../../base/versions.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow } from '../../db/owned.ts'
import { type ListRules, ownedList } from '../../db/owned-list.ts'
import { byColumn, byName } from '../../db/sorting.ts'
import { bit, type ToolRow } from '../../db/tables.ts'
import type { ToolRecord } from '../../tool-types/ports.ts'
import { linkedTools, toolLinks } from './link-store.ts'
import { changed, type FindMistake } from './row-changes.ts'
import type { NewTool, Tool, ToolPatch } from './schema.ts'
import { opened, sealed, toRunnable, toTool } from './tool-row.ts'

export type ToolStore = ReturnType<typeof toolStore>

const listRules: ListRules<ToolRow> = {
  sorts: {
    name: byName('name'),
    type: byColumn('type'),
    updatedAt: byColumn('updatedAt'),
    createdAt: byColumn('createdAt'),
  },
  searched: ['name', 'description', 'requestUrl'],
}

export function toolStore(db: Db, secrets: KeyRing, findMistake: FindMistake = () => null) {
  const row = ownedRow(db, 'tools')
  const get = async (userId: string, id: string): Promise<Tool> => toTool(secrets, found('Tool', await row(userId, id)))

  const insert = (tool: ToolRow) =>
    audited(
      db,
      (on) => on.insertInto('tools').values(tool).execute(),
      () => ({ kind: 'tool', after: tool }),
    )

  return {
    list: ownedList(db, 'tools', listRules),

    get,
    ...toolLinks(db, get),

    /** For the tool runtime, with decrypted secrets; no route returns it. */
    async runnable(userId: string, id: string): Promise<ToolRecord> {
      return toRunnable(secrets, found('Tool', await row(userId, id)))
    },

    /** All tools an agent may use: linked to it, active, and of the same owner. In the order they were linked. */
    async runnableOf(userId: string, agentId: string): Promise<ToolRecord[]> {
      const active = linkedTools(db, userId, agentId).where('tools.isActive', '=', 1)
      const rows = await active.orderBy('toolLinks.createdAt').orderBy('tools.id').execute()
      return rows.map((tool) => toRunnable(secrets, tool))
    },

    async create(userId: string, tool: NewTool): Promise<Tool> {
      const stored = changed(secrets, findMistake, emptyRow(userId, tool), tool)
      await insert(stored)
      return toTool(secrets, stored)
    },

    /**
     * Secrets are encrypted for the new row and stay bound to the address they were given for. The copy belongs to no
     * agent.
     */
    async duplicate(userId: string, id: string, name?: string): Promise<Tool> {
      const original = found('Tool', await row(userId, id))
      const createdAt = now()
      const fresh = { id: newId('tol'), rowVersion: 1, createdAt, updatedAt: createdAt }
      const blank = { ...original, ...fresh, name: copyName(original.name, name) }
      const { headers, authorization } = opened(secrets, original)
      const copy: ToolRow = {
        ...blank,
        headersSealed: sealed(secrets, blank, 'headersSealed', headers),
        authorizationSealed: sealed(secrets, blank, 'authorizationSealed', authorization),
      }
      await insert(copy)
      return toTool(secrets, copy)
    },

    update(userId: string, { id, ifMatch }: Target, patch: ToolPatch): Promise<Tool> {
      return db.inTransaction(async (trx) => {
        const before = found('Tool', await lockRow(trx, 'tools', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toTool(secrets, before)
        const rowVersion = (before.rowVersion ?? 1) + 1
        const after = {
          ...changed(secrets, findMistake, before, patch),
          updatedAt: nowAfter(before.updatedAt),
          rowVersion,
        }
        await trx.updateTable('tools').set(after).where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'tool', before, after })
        return toTool(secrets, after)
      })
    },

    remove(userId: string, { id, ifMatch }: Target): Promise<Tool> {
      return db.inTransaction(async (trx) => {
        const tool = found('Tool', await lockRow(trx, 'tools', { userId, id }))
        requireVersion(tool.rowVersion, ifMatch)
        await trx.deleteFrom('tools').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'tool', before: tool })
        return toTool(secrets, tool)
      })
    },
  }
}

function emptyRow(userId: string, { name, type }: Pick<NewTool, 'name' | 'type'>): ToolRow {
  const createdAt = now()
  return {
    id: newId('tol'),
    userId,
    name,
    description: null,
    type,
    method: null,
    requestUrl: null,
    parameters: null,
    headersSealed: null,
    authorizationSealed: null,
    body: null,
    messages: null,
    config: null,
    headersFor: null,
    authorizationFor: null,
    isActive: bit(true),
    createdAt,
    updatedAt: createdAt,
  }
}
