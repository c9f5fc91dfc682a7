// The ⋯ menu of a record's page: less common actions, copying the id, and last the removal, after a confirmation.
import { notifications } from '@mantine/notifications'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { ActionMenu, type MenuEntry } from './action-menu.tsx'
import { ConfirmDialog } from './use-action.tsx'

export type Removal = {
  name: string
  question: string
  warning: ReactNode
  onConfirm: () => Promise<unknown> | undefined
}

export function MoreMenu({
  id,
  entries,
  removal,
}: {
  id: string
  entries: readonly MenuEntry[]
  removal: Removal | null
}) {
  const t = useTexts(commonTexts)
  const [isAsking, setAsking] = useState(false)
  const copyId = async () => {
    await navigator.clipboard.writeText(id)
    notifications.show({ message: `${t.copied}: ${id}`, color: 'teal' })
  }
  const all = (): MenuEntry[] => [
    ...entries,
    { label: t.copyId, icon: <IconCopy size={16} aria-hidden />, onClick: () => void copyId() },
    ...(removal
      ? [
          {
            label: removal.name,
            icon: <IconTrash size={16} aria-hidden />,
            isDangerous: true,
            onClick: () => setAsking(true),
          },
        ]
      : []),
  ]
  return (
    <>
      <ActionMenu label={t.moreActions} size={36} entries={all} />
      {removal && (
        <ConfirmDialog
          isOpen={isAsking}
          close={() => setAsking(false)}
          question={removal.question}
          warning={removal.warning}
          confirm={removal.name}
          onConfirm={removal.onConfirm}
        />
      )}
    </>
  )
}
