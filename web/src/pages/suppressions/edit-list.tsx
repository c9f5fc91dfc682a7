// Edits the name, sector and effective date of an imported list.
import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SuppressionList } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { changesOf, draftOf } from './list-draft.ts'
import { ListFields } from './list-fields.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

export function EditList({ list, onClose }: { list: SuppressionList; onClose: () => void }) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  // A later refetch must not replace the base of the change.
  const [base] = useState(list)
  const [draft, setDraft] = useState(() => draftOf(list))
  const [isSubmitted, setSubmitted] = useState(false)
  const guarded = useGuardedSave({ fields: { name: t.listName, sector: t.sector, effectiveAt: t.effective } })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (draft.name.trim() === '') return
    const patch = changesOf(base, draft)
    if (Object.keys(patch).length === 0) return onClose()
    const params = { path: { id: base.id } }
    const change = {
      base,
      patch,
      load: () => unwrap(api.GET('/api/suppression-lists/{id}', { params })),
      send: (body: never, headers: Record<string, string>) =>
        unwrap(api.PATCH('/api/suppression-lists/{id}', { params, body, headers })),
    }
    const stale = ['/api/suppression-lists']
    if (await run(() => guarded.save(change), { success: t.saved, stale })) onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t.editList} closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <ListFields draft={draft} change={setDraft} isSubmitted={isSubmitted} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {c.save}
            </Button>
          </Group>
        </Stack>
      </form>
      {guarded.dialog}
    </Modal>
  )
}
