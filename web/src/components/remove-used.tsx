// The ⋯ menu of a record's page. If agents use the record, a dialog names them before the removal; otherwise it is
// removed at once, with undo.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { ActionMenu, type MenuEntry } from './action-menu.tsx'
import { removalTexts } from './removal-texts.ts'
import { AffectedAgents } from './usage-section.tsx'
import { type RemovalOptions, useRemoval } from './use-removal.tsx'

type Named = { id: string; name: string }

export function UsedRecordMenu({
  record,
  agents,
  entries,
  removal,
  question,
  warning,
  backTo,
}: {
  record: Named
  /** The agents that use it; undefined while loading. */
  agents: readonly Named[] | undefined
  /** `remove` starts the deletion. */
  entries: (remove: () => void) => readonly MenuEntry[]
  removal: RemovalOptions
  question: string
  warning: string
  /** The list to return to. */
  backTo: string
}) {
  const t = useTexts(removalTexts)
  const c = useTexts(commonTexts)
  const [, go] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoval()
  const now = () => {
    remove([record], removal)
    go(backTo)
  }
  return (
    <>
      <ActionMenu
        label={t.more}
        size={36}
        entries={() => entries(() => (agents?.length === 0 ? now() : setAsking(true)))}
      />
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={question}
        centered
        closeButtonProps={{ 'aria-label': c.close }}
      >
        <Stack>
          <Text size="sm" component="div">
            <AffectedAgents agents={agents}>{warning}</AffectedAgents>
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {c.cancel}
            </Button>
            <Button color="red.9" onClick={now}>
              {c.remove}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
