// Widgets: the owner's records, and the lookup by publishable id.

import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { countOwned, ownedPage, ownedRow, requireOwned } from '../../db/owned.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { bit } from '../../db/tables.ts'
import type { WidgetRow } from '../../db/widget-rows.ts'
import { markWritten } from '../../db/write-once.ts'
import { siteOrigin } from './origins.ts'
import { defaultAppearance, defaultLimits, type NewWidget, type Widget, type WidgetPatch } from './schema.ts'

export type WidgetStore = ReturnType<typeof widgetStore>
export type OwnedWidget = Widget & { userId: string }

const MAX_PER_USER = 100

export function widgetStore(db: Db) {
  const row = ownedRow(db, 'widgets')
  return {
    page: ownedPage(db, 'widgets'),

    async get(userId: string, id: string): Promise<Widget> {
      return toWidget(found('Widget', await row(userId, id)))
    },

    /**
     * Looks up by publishable id alone, for visitors; undefined while its owner is disabled, or once owner or agent are
     * removed.
     */
    async published(id: string): Promise<OwnedWidget | undefined> {
      const stored = await db
        .selectFrom('widgets')
        .innerJoin('users', 'users.id', 'widgets.userId')
        .innerJoin('organizations', 'organizations.id', 'widgets.userId')
        .selectAll('widgets')
        .where('widgets.id', '=', id)
        .where('users.removedAt', 'is', null)
        .where('organizations.disabledAt', 'is', null)
        .where(agentNotRemoved('widgets.agentId'))
        .executeTakeFirst()
      return stored && { ...toWidget(stored), userId: stored.userId }
    },

    async create(userId: string, input: NewWidget): Promise<Widget> {
      const createdAt = now()
      const stored: WidgetRow = {
        id: newId('wgt'),
        userId,
        agentId: input.agentId,
        name: input.name,
        origins: originsText(input.origins ?? []),
        channels: channelsText(input.channels ?? ['call', 'chat']),
        appearance: JSON.stringify({ ...defaultAppearance, ...input.appearance }),
        limits: JSON.stringify({ ...defaultLimits, ...input.limits }),
        isActive: bit(input.isActive ?? true),
        createdAt,
        updatedAt: createdAt,
      }
      return db.inTransaction(async (trx) => {
        await requireOwned(trx, 'agents', userId, input.agentId, 'Agent')
        if ((await countOwned(trx, 'widgets', userId)) >= MAX_PER_USER)
          throw appError('widget_limit', { limit: MAX_PER_USER })
        await markWritten(trx)
        await trx.insertInto('widgets').values(stored).execute()
        await audit(trx, { kind: 'widget', after: stored })
        return toWidget(stored)
      })
    },

    async update(userId: string, id: string, patch: WidgetPatch): Promise<Widget> {
      if (Object.keys(patch).length === 0) return this.get(userId, id)
      return db.inTransaction(async (trx) => {
        const before = found('Widget', await lockRow(trx, 'widgets', { userId, id }))
        await requireOwned(trx, 'agents', userId, patch.agentId, 'Agent')
        const after: WidgetRow = { ...before, updatedAt: nowAfter(before.updatedAt) }
        if (patch.agentId !== undefined) after.agentId = patch.agentId
        if (patch.name !== undefined) after.name = patch.name
        if (patch.origins !== undefined) after.origins = originsText(patch.origins)
        if (patch.channels !== undefined) after.channels = channelsText(patch.channels)
        if (patch.appearance !== undefined) after.appearance = merged(before.appearance, patch.appearance)
        if (patch.limits !== undefined) after.limits = merged(before.limits, patch.limits)
        if (patch.isActive !== undefined) after.isActive = bit(patch.isActive)
        await trx.updateTable('widgets').set(after).where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'widget', before, after })
        return toWidget(after)
      })
    },

    async remove(userId: string, id: string): Promise<Widget> {
      const write = (on: Db | Trx) =>
        on.deleteFrom('widgets').where('userId', '=', userId).where('id', '=', id).returningAll().executeTakeFirst()
      const removed = await audited(db, write, (before) => before && { kind: 'widget', before })
      return toWidget(found('Widget', removed))
    },
  }
}

const originsText = (origins: readonly string[]) => JSON.stringify([...new Set(origins.map(siteOrigin))])
const channelsText = (channels: readonly string[]) => JSON.stringify([...new Set(channels)].sort())
const merged = (stored: string, patch: object) => JSON.stringify({ ...JSON.parse(stored), ...patch })

export function toWidget({ userId, ...row }: WidgetRow): Widget {
  return {
    ...row,
    origins: JSON.parse(row.origins),
    channels: JSON.parse(row.channels),
    // Widgets stored by older releases have no logo or button text.
    appearance: { ...defaultAppearance, ...JSON.parse(row.appearance) },
    limits: JSON.parse(row.limits),
    isActive: row.isActive === 1,
  }
}
