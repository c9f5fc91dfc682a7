// What is done on a click: the button waits, success and refusal are told, lists are read anew.
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '../api.ts'
import { common } from '../i18n/common.ts'
import { useWords } from '../i18n/words.tsx'

export type Doing = {
  isDoing: boolean
  /** True when it was done. `stale`: paths of the API whose answers are out of date now. */
  run(task: () => Promise<unknown>, told?: { success?: string; stale?: readonly string[] }): Promise<boolean>
}

export function useAction(): Doing {
  const t = useWords(common)
  const client = useQueryClient()
  const [isDoing, setDoing] = useState(false)
  const run: Doing['run'] = useCallback(
    async (task, { success, stale = [] } = {}) => {
      setDoing(true)
      try {
        await task()
        await client.invalidateQueries({
          predicate: ({ queryKey }) => stale.some((p) => String(queryKey[1]).startsWith(p)),
        })
        if (success) notifications.show({ message: success, color: 'ramal' })
        return true
      } catch (error) {
        const message = error instanceof TypeError ? t.offline : (messageOf(error) ?? t.offline)
        notifications.show({ title: t.failed, message, color: 'red', autoClose: 10_000 })
        return false
      } finally {
        setDoing(false)
      }
    },
    [client, t],
  )
  return { isDoing, run }
}

/** Leaves the page of something that was removed. Only lists are read anew: the thing itself would be found to be gone. */
export function useLeaving(): (to: string, lists: readonly string[]) => void {
  const client = useQueryClient()
  const [, go] = useLocation()
  return (to, lists) => {
    go(to)
    void client.invalidateQueries({ predicate: ({ queryKey }) => lists.includes(String(queryKey[1])) })
  }
}

/** Asks once more before something is removed or ended. */
export function ConfirmButton({
  children,
  question,
  warning,
  confirm,
  onConfirm,
  ...button
}: ButtonProps & {
  children: ReactNode
  question?: string
  warning?: ReactNode
  confirm?: string
  onConfirm: () => Promise<unknown> | undefined
  'aria-label'?: string
}) {
  const t = useWords(common)
  const [isOpen, { open, close }] = useDisclosure(false)
  const [isDoing, setDoing] = useState(false)
  const go = async () => {
    setDoing(true)
    await onConfirm()
    setDoing(false)
    close()
  }
  return (
    <>
      <Button color="red" variant="light" {...button} onClick={open}>
        {children}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={question ?? t.areYouSure}
        centered
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <Stack>
          <Text size="sm">{warning ?? t.cannotUndo}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t.cancel}
            </Button>
            <Button color="red.9" loading={isDoing} onClick={() => void go()}>
              {confirm ?? t.remove}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
