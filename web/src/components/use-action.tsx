// Runs actions on click: pending state, success and error notifications, query invalidation.
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { errorMessage } from '../api.ts'
import { failedVerb, type Verb } from '../failed-verb.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { useMayChange } from '../organization.ts'

/** Thrown by a task that the user canceled: not reported as a failure. */
export class Canceled extends Error {}

export type Action = {
  isPending: boolean
  /**
   * Resolves to true on success. `stale`: API paths whose queries are invalidated; `verb`: the verb in the error title,
   * if the request does not imply it.
   */
  run(
    task: () => Promise<unknown>,
    told?: { success?: string; stale?: readonly string[]; verb?: Verb },
  ): Promise<boolean>
}

export function useAction(): Action {
  const t = useTexts(commonTexts)
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const run: Action['run'] = useCallback(
    async (task, { success, stale = [], verb } = {}) => {
      setPending(true)
      try {
        await task()
        await client.invalidateQueries({
          predicate: ({ queryKey }) => stale.some((p) => String(queryKey[1]).startsWith(p)),
        })
        if (success) notifications.show({ message: success, color: 'ramal' })
        return true
      } catch (error) {
        if (error instanceof Canceled) return false
        const message = error instanceof TypeError ? t.offline : (errorMessage(error) ?? t.offline)
        const title = t.couldNot[verb ?? failedVerb(error)]
        notifications.show({ title, message, color: 'red', autoClose: 10_000 })
        return false
      } finally {
        setPending(false)
      }
    },
    [client, t],
  )
  return { isPending, run }
}

/** Leaves the page of a deleted record. Refetches only the lists: the record itself would be a 404. */
export function useLeavePage(): (to: string, lists: readonly string[]) => void {
  const client = useQueryClient()
  const [, go] = useLocation()
  return (to, lists) => {
    go(to)
    void client.invalidateQueries({ predicate: ({ queryKey }) => lists.includes(String(queryKey[1])) })
  }
}

type Confirmation = {
  question?: string | undefined
  warning?: ReactNode
  confirm?: string | undefined
  onConfirm: () => Promise<unknown> | undefined
}

/** Asks for confirmation; stays open until the action has finished. */
export function ConfirmDialog({
  isOpen,
  close,
  question,
  warning,
  confirm,
  onConfirm,
}: Confirmation & { isOpen: boolean; close: () => void }) {
  const t = useTexts(commonTexts)
  const [isPending, setPending] = useState(false)
  const go = async () => {
    setPending(true)
    await onConfirm()
    setPending(false)
    close()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={question ?? t.areYouSure}
      centered
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Stack>
        <Text size="sm" component="div">
          {warning ?? t.cannotUndo}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button color="red.9" loading={isPending} onClick={() => void go()}>
            {confirm ?? t.remove}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** A button that asks for confirmation first; not for those who may not change what the page shows. */
export function ConfirmButton({
  children,
  question,
  warning,
  confirm,
  onConfirm,
  ...button
}: ButtonProps & Confirmation & { children: ReactNode; 'aria-label'?: string }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  if (!useMayChange()) return null
  return (
    <>
      <Button color="red" variant="light" {...button} onClick={open}>
        {children}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        close={close}
        question={question}
        warning={warning}
        confirm={confirm}
        onConfirm={onConfirm}
      />
    </>
  )
}
