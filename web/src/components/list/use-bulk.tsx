// Bulk actions on the selected rows: enable, disable, remove.
import { notifications } from '@mantine/notifications'
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useAction } from '../use-action.tsx'
import { type RemovalOptions, useRemoval } from '../use-removal.tsx'
import { listTexts } from './list-texts.ts'
import type { BulkAction } from './list-types.ts'

/** Maximum concurrent requests. */
const AT_A_TIME = 4

type Given<T> = {
  nameOf: (row: T) => string
  /** If omitted, rows cannot be enabled or disabled. */
  setActive?: (row: T, isActive: boolean) => Promise<unknown>
  isActive?: (row: T) => boolean
  /** If omitted, rows cannot be removed here. */
  removal?: RemovalOptions
  stale: readonly string[]
}

export function useBulk<T extends { id: string }>({ nameOf, setActive, isActive, removal, stale }: Given<T>) {
  const t = useTexts(listTexts)
  const c = useTexts(commonTexts)
  const { run } = useAction()
  const remove = useRemoval()
  const switchAll = (rows: readonly T[], isOn: boolean) =>
    run(
      async () => {
        const left = rows.filter((row) => isActive?.(row) !== isOn)
        const count = left.length
        const work = async () => {
          for (let row = left.shift(); row; row = left.shift()) await setActive?.(row, isOn)
        }
        await Promise.all(Array.from({ length: AT_A_TIME }, work))
        notifications.show({ message: t.done(count), color: 'ramal' })
      },
      { stale },
    )
  const actions: BulkAction<T>[] = []
  if (setActive)
    actions.push(
      { label: t.activate, icon: <IconPlayerPlay size={15} aria-hidden />, run: (rows) => switchAll(rows, true) },
      { label: t.deactivate, icon: <IconPlayerPause size={15} aria-hidden />, run: (rows) => switchAll(rows, false) },
    )
  if (removal)
    actions.push({
      label: c.remove,
      icon: <IconTrash size={15} aria-hidden />,
      isDangerous: true,
      run: (rows) =>
        remove(
          rows.map((row) => ({ id: row.id, name: nameOf(row) })),
          removal,
        ),
    })
  return actions
}
