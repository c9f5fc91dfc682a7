// Downloads, replaces, renames or deletes a spreadsheet.
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconDots,
  IconDownload,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconPencil,
  IconReplace,
  IconTrash,
} from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { Spreadsheet, UsingTool } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { useStay } from '../../components/stay.ts'
import { AffectedAgents, agentsUsing } from '../../components/usage-section.tsx'
import { useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange, withOrganization } from '../../organization.ts'
import { accepted } from './sheet-cells.ts'
import { fileProblem, uploadFile } from './sheet-upload.ts'
import { spreadsheetsTexts } from './spreadsheets-texts.ts'

const stale = ['/api/spreadsheets']
type Asking = 'rename' | 'remove' | File | null

export function SheetActions({
  sheet,
  tools,
  onReplaced,
}: {
  sheet: Spreadsheet
  tools: readonly UsingTool[] | undefined
  onReplaced: () => void
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const { locale } = useLanguage()
  const leave = useLeavePage()
  const { isPending, run } = useAction()
  useStay(isPending)
  const chooser = useRef<HTMLInputElement>(null)
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const mayChange = useMayChange()
  const params = { path: { id: sheet.id } }
  const rows = t.rowCount(sheet.rowCount, sheet.rowCount.toLocaleString(locale))
  const agents = agentsUsing(tools ?? [])

  const choose = (file: File | undefined) => {
    if (!file) return
    const fault = fileProblem(file, t)
    if (fault) notifications.show({ title: t.couldNot.send, message: fault, color: 'red', autoClose: 10_000 })
    else if (sheet.rowCount === 0) void replace(file)
    else setAsking(file)
  }
  async function replace(file: File) {
    const isDone = await run(
      async () => {
        const { rowCount } = await uploadFile(sheet.id, file)
        notifications.show({
          message: t.uploaded(t.rowCount(rowCount, rowCount.toLocaleString(locale))),
          color: 'ramal',
        })
      },
      { stale },
    )
    if (!isDone) return
    close()
    onReplaced()
  }
  async function remove() {
    const isDone = await run(() => unwrap(api.DELETE('/api/spreadsheets/{id}', { params })), { success: t.removed })
    if (isDone) leave('/spreadsheets', stale)
  }
  const file = (format: 'csv' | 'xlsx') => withOrganization(`/api/spreadsheets/${sheet.id}/content?format=${format}`)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            {t.download}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Download
            href={file('csv')}
            name={t.asCsv}
            hint={t.asCsvHint}
            icon={<IconFileTypeCsv size={20} aria-hidden />}
          />
          <Download
            href={file('xlsx')}
            name={t.asXlsx}
            hint={t.asXlsxHint}
            icon={<IconFileSpreadsheet size={20} aria-hidden />}
          />
        </Menu.Dropdown>
      </Menu>
      {mayChange && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Tooltip label={t.more}>
              <ActionIcon variant="default" size={36} aria-label={t.more} loading={isPending && asking === null}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconReplace size={16} aria-hidden />} onClick={() => chooser.current?.click()}>
              {t.replace}
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setAsking('rename')}>
              {t.rename}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setAsking('remove')}
            >
              {t.removeSheet}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={t.replace}
        accept={accepted}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <ConfirmModal
        isOpen={asking instanceof File}
        title={asking instanceof File ? t.replaceQuestion(asking.name) : ''}
        confirm={t.replaceGo}
        isPending={isPending}
        onClose={close}
        onConfirm={() => asking instanceof File && void replace(asking)}
      >
        <AffectedAgents agents={agents}>{t.replaceText(rows)}</AffectedAgents>
      </ConfirmModal>
      <ConfirmModal
        isOpen={asking === 'remove'}
        title={t.removeQuestion(sheet.name)}
        confirm={t.remove}
        isPending={isPending}
        onClose={close}
        onConfirm={() => void remove()}
      >
        <AffectedAgents agents={agents}>{t.removeText(rows)}</AffectedAgents>
      </ConfirmModal>
      {asking === 'rename' && <Rename sheet={sheet} onClose={close} />}
    </>
  )
}

function Download({ href, name, hint, icon }: { href: string; name: string; hint: string; icon: ReactNode }) {
  return (
    <Menu.Item component="a" href={href} download leftSection={icon}>
      {name}
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    </Menu.Item>
  )
}

function ConfirmModal(asked: {
  isOpen: boolean
  title: string
  confirm: string
  isPending: boolean
  onClose: () => void
  onConfirm: () => unknown
  children: ReactNode
}) {
  const t = useTexts(commonTexts)
  return (
    <Modal
      opened={asked.isOpen}
      onClose={asked.onClose}
      title={asked.title}
      centered
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Stack>
        <Text size="sm" component="div">
          {asked.children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={asked.onClose}>
            {t.cancel}
          </Button>
          <Button color="red.9" loading={asked.isPending} onClick={asked.onConfirm}>
            {asked.confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Rename({ sheet, onClose }: { sheet: Spreadsheet; onClose: () => void }) {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const { isPending, run } = useAction()
  // A later refetch must not replace the base of the change.
  const [base] = useState(sheet)
  const [name, setName] = useState(sheet.name)
  const guarded = useGuardedSave({ fields: { name: t.name } })
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return
    const params = { path: { id: sheet.id } }
    const change = {
      base,
      patch: { name: name.trim() },
      load: () => unwrap(api.GET('/api/spreadsheets/{id}', { params })),
      send: (body: never, headers: Record<string, string>) =>
        unwrap(api.PATCH('/api/spreadsheets/{id}', { params, body, headers })),
    }
    if (await run(() => guarded.save(change), { success: t.saved, stale })) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t.rename} centered closeButtonProps={{ 'aria-label': t.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <TextInput
            label={t.name}
            required
            maxLength={255}
            data-autofocus
            value={name}
            error={name.trim() === '' ? t.nameNeeded : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
      {guarded.dialog}
    </Modal>
  )
}
